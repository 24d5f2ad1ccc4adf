import {
  accept,
  conversation,
  refuse,
  resolveKey,
  WAKER,
  type CrewMember,
  type Dispatch,
  type Ids,
} from "@atrium/core";
import {
  configGet,
  cronAdd,
  cronList,
  cronRuns,
  cronStatus,
  logsTail,
  wake,
} from "@atrium/wire/gateway";
import type { ReadTail } from "../../../platform/journal-tail.ts";
import type { MessageIntake } from "../../../runs/message-intake.ts";
import type { PublicSettings } from "../../../settings/public-settings.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";

export interface OperationsDeps {
  readonly intake: Pick<MessageIntake, "send">;
  readonly dispatch: Dispatch;
  readonly ids: Ids;
  readonly crew: readonly CrewMember[];
  readonly readJournal: ReadTail;
  readonly settings: () => PublicSettings;
  readonly statePath: string;
}

const DEFAULT_CRON_LIMIT = 50;

export function operationsMethods(deps: OperationsDeps): readonly GatewayMethod[] {
  const { dispatch, ids, crew, readJournal, settings, statePath } = deps;
  return [
    serve(wake, async ({ mode, text, sessionKey = "main", agentId }, { key: once }) => {
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      if (mode === "now") {
        const runId = `wake-${ids.next()}`;
        const message = { key: key.value, runId, text, from: WAKER, isPlain: true };
        const sent = await deps.intake.send({ ...message, mode: "followup" }, once);
        return sent.ok ? accept({ ok: true }) : sent;
      }
      const done = await dispatch(
        conversation,
        key.value.text,
        {
          type: "inject",
          key: key.value,
          messageId: ids.next(),
          sessionId: ids.next(),
          text,
          label: "wake",
        },
        once,
      );
      return done.ok ? accept({ ok: true }) : done;
    }),

    serve(logsTail, async (params) => accept(await readJournal(params))),

    serve(configGet, () => {
      const { path, exists, values, hash } = settings();
      const config = { ...values };
      return accept({
        path,
        exists,
        valid: true,
        raw: null,
        parsed: config,
        sourceConfig: config,
        resolved: config,
        runtimeConfig: config,
        config,
        hash,
        configRevisionHash: hash,
        appliedConfigHash: hash,
        issues: [],
        warnings: [],
        legacyIssues: [],
      });
    }),

    serve(cronList, ({ limit = DEFAULT_CRON_LIMIT, offset = 0 }) =>
      accept({
        jobs: [],
        snapshotRevision: "none",
        total: 0,
        offset,
        limit,
        hasMore: false,
        nextOffset: null,
      }),
    ),

    serve(cronRuns, ({ limit = DEFAULT_CRON_LIMIT, offset = 0 }) =>
      accept({ entries: [], total: 0, offset, limit, hasMore: false, nextOffset: null }),
    ),

    serve(cronAdd, () => refuse("schedule.absent")),

    serve(cronStatus, () =>
      accept({
        enabled: false,
        triggersEnabled: false,
        storePath: statePath,
        jobs: 0,
        nextWakeAtMs: null,
      }),
    ),
  ];
}
