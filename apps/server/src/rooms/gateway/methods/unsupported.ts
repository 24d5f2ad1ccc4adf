/** Features that Atrium does not have: their methods answer with empty lists instead of being unknown. */
import { accept } from "@atrium/core";
import {
  channelsPairingList,
  diagnosticsStability,
  modelsAuthStatus,
  pluginsList,
  progressCardGet,
  sessionsBranchesList,
  sessionsCompanionState,
  sessionsObserverVisibility,
  skillsLibraryList,
  skillsSearch,
  skillsStatus,
  talkCatalog,
  tasksList,
  updateStatus,
  usageStatus,
} from "@atrium/wire/gateway";
import { serve, type GatewayMethod } from "../frames/peer.ts";

export function unsupportedMethods(statePath: string, now: () => number): readonly GatewayMethod[] {
  const nobody = { providers: [] };
  return [
    serve(updateStatus, () => accept({ sentinel: null, updateAvailable: null })),
    serve(sessionsObserverVisibility, () => accept({ ok: true })),
    serve(sessionsBranchesList, () => accept({ branches: [] })),
    serve(sessionsCompanionState, () => accept({ exchanges: [] })),
    serve(progressCardGet, () => accept({ card: null })),
    serve(modelsAuthStatus, () => accept({ ts: now(), ...nobody })),
    serve(usageStatus, () => accept({ updatedAt: now(), ...nobody })),
    serve(talkCatalog, () =>
      accept({
        modes: [],
        transports: [],
        brains: [],
        speech: nobody,
        transcription: nobody,
        realtime: nobody,
      }),
    ),
    serve(tasksList, () => accept({ tasks: [] })),
    serve(pluginsList, () => accept({ plugins: [], diagnostics: [], mutationAllowed: false })),
    serve(channelsPairingList, () =>
      accept({
        accounts: [],
        requests: [],
        commandOwnerConfigured: false,
        limits: { pendingPerAccount: 0, ttlMs: 0 },
      }),
    ),
    serve(skillsStatus, () =>
      accept({ workspaceDir: statePath, managedSkillsDir: statePath, skills: [] }),
    ),
    serve(skillsLibraryList, () =>
      accept({ entries: [], defaultTarget: "unavailable", defaultSelectionLimit: 0 }),
    ),
    serve(skillsSearch, () => accept({ results: [] })),
    serve(diagnosticsStability, () =>
      accept({
        generatedAt: new Date(now()).toISOString(),
        capacity: 0,
        count: 0,
        dropped: 0,
        events: [],
        summary: { byType: {} },
      }),
    ),
  ];
}
