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
import { implement, type Method } from "../../../pipeline/method-router.ts";

export interface AbsenceDeps {
  readonly statePath: string;
  readonly now: () => number;
}

export function unsupportedMethods({ statePath, now }: AbsenceDeps): readonly Method[] {
  const nobody = { providers: [] };
  return [
    implement(updateStatus, () => accept({ sentinel: null, updateAvailable: null })),
    implement(sessionsObserverVisibility, () => accept({ ok: true })),
    implement(sessionsBranchesList, () => accept({ branches: [] })),
    implement(sessionsCompanionState, () => accept({ exchanges: [] })),
    implement(progressCardGet, () => accept({ card: null })),
    implement(modelsAuthStatus, () => accept({ ts: now(), ...nobody })),
    implement(usageStatus, () => accept({ updatedAt: now(), ...nobody })),
    implement(talkCatalog, () =>
      accept({
        modes: [],
        transports: [],
        brains: [],
        speech: nobody,
        transcription: nobody,
        realtime: nobody,
      }),
    ),
    implement(tasksList, () => accept({ tasks: [] })),
    implement(pluginsList, () => accept({ plugins: [], diagnostics: [], mutationAllowed: false })),
    implement(channelsPairingList, () =>
      accept({
        accounts: [],
        requests: [],
        commandOwnerConfigured: false,
        limits: { pendingPerAccount: 0, ttlMs: 0 },
      }),
    ),
    implement(skillsStatus, () =>
      accept({ workspaceDir: statePath, managedSkillsDir: statePath, skills: [] }),
    ),
    implement(skillsLibraryList, () =>
      accept({ entries: [], defaultTarget: "unavailable", defaultSelectionLimit: 0 }),
    ),
    implement(skillsSearch, () => accept({ results: [] })),
    implement(diagnosticsStability, () =>
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
