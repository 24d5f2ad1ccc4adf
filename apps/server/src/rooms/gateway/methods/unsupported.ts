/** What Atrium has not, said truthfully: empty lists, not unknown methods. */
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
import { on, type Method } from "../../../pipeline/method-router.ts";

export interface AbsenceDeps {
  readonly statePath: string;
  readonly now: () => number;
}

export function absenceMethods({ statePath, now }: AbsenceDeps): readonly Method[] {
  const nobody = { providers: [] };
  return [
    on(updateStatus, () => accept({ sentinel: null, updateAvailable: null })),
    on(sessionsObserverVisibility, () => accept({ ok: true })),
    on(sessionsBranchesList, () => accept({ branches: [] })),
    on(sessionsCompanionState, () => accept({ exchanges: [] })),
    on(progressCardGet, () => accept({ card: null })),
    on(modelsAuthStatus, () => accept({ ts: now(), ...nobody })),
    on(usageStatus, () => accept({ updatedAt: now(), ...nobody })),
    on(talkCatalog, () =>
      accept({
        modes: [],
        transports: [],
        brains: [],
        speech: nobody,
        transcription: nobody,
        realtime: nobody,
      }),
    ),
    on(tasksList, () => accept({ tasks: [] })),
    on(pluginsList, () => accept({ plugins: [], diagnostics: [], mutationAllowed: false })),
    on(channelsPairingList, () =>
      accept({
        accounts: [],
        requests: [],
        commandOwnerConfigured: false,
        limits: { pendingPerAccount: 0, ttlMs: 0 },
      }),
    ),
    on(skillsStatus, () =>
      accept({ workspaceDir: statePath, managedSkillsDir: statePath, skills: [] }),
    ),
    on(skillsLibraryList, () =>
      accept({ entries: [], defaultTarget: "unavailable", defaultSelectionLimit: 0 }),
    ),
    on(skillsSearch, () => accept({ results: [] })),
    on(diagnosticsStability, () =>
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
