import {
  accept,
  handleOf,
  refuse,
  type RunsProjection,
  type AuditStep,
  type AuditTrail,
} from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import { auditList, diagnosticsLanes, type AuditEvent } from "@atrium/wire/gateway";
import { serve, type GatewayMethod } from "../frames/peer.ts";

export interface InspectionDeps {
  readonly trail: Pick<AuditTrail, "list">;
  readonly runs: Pick<RunsProjection, "open">;
  readonly now: () => number;
}

const DEFAULT_LIMIT = 100;
const CURSOR = /^[1-9]\d{0,14}$/;

export function inspectionMethods(deps: InspectionDeps): readonly GatewayMethod[] {
  const { trail, runs, now } = deps;
  return [
    serve(auditList, ({ limit = DEFAULT_LIMIT, cursor, ...filter }) => {
      if (cursor !== undefined && !CURSOR.test(cursor)) return refuse("cursor.unreadable", cursor);
      const before = cursor === undefined ? Infinity : Number(cursor);
      const found = trail
        .list()
        .filter(({ seq }) => seq < before)
        .map(auditEvent)
        .filter((event) => isAskedFor(event, filter))
        .toReversed();
      const events = found.slice(0, limit);
      const last = events.at(-1);
      const hasMore = found.length > events.length && last !== undefined;
      return accept({ events, ...(hasMore && { nextCursor: String(last.sequence) }) });
    }),

    serve(diagnosticsLanes, () => {
      const open = runs.open();
      const queued = open.filter(({ state }) => state === "queued");
      const lanesOf = (rows: typeof open): number => new Set(rows.map(({ key }) => key)).size;
      const dynamic = {
        laneCount: lanesOf(open),
        activeCount: open.length - queued.length,
        queuedCount: queued.length,
        queuedLaneCount: lanesOf(queued),
      };
      return accept({ ts: now(), lanes: [], dynamic: open.length === 0 ? null : dynamic });
    }),
  ];
}

const STATUSES = {
  succeeded: "succeeded",
  failed: "failed",
  "timed-out": "timed_out",
  stopped: "cancelled",
} as const;

function auditEvent({ seq, at, key, runId, outcome, call }: AuditStep): AuditEvent {
  const agentId = handleOf(key);
  const errorCode = errorOf(outcome, call === null);
  const phase = outcome === null ? "started" : "finished";
  return {
    eventId: `entry-${seq}`,
    sequence: seq,
    sourceSequence: seq,
    occurredAt: at,
    kind: call === null ? "agent_run" : "tool_action",
    action: call === null ? `agent.run.${phase}` : `tool.action.${phase}`,
    status: outcome === null ? "started" : STATUSES[outcome],
    ...(errorCode !== undefined && { errorCode }),
    actor: { type: "agent", id: agentId },
    agentId,
    sessionKey: key,
    runId,
    ...(call !== null && { toolCallId: call.id, toolName: call.tool }),
    redaction: "metadata_only",
  };
}

function errorOf(outcome: AuditStep["outcome"], isRun: boolean) {
  if (outcome === null || outcome === "succeeded") return undefined;
  return isRun ? (`run_${STATUSES[outcome]}` as const) : "tool_failed";
}

function isAskedFor(
  event: AuditEvent,
  filter: Omit<ParamsOf<typeof auditList>, "limit" | "cursor">,
): boolean {
  const { after = 0, before = Infinity, agentId, sessionKey, runId, kind, status } = filter;
  if (event.occurredAt < after || event.occurredAt > before) return false;
  const wanted = [
    [agentId, event.agentId],
    [sessionKey, event.sessionKey],
    [runId, event.runId],
    [kind, event.kind],
    [status, event.status],
  ];
  return wanted.every(([value, is]) => value === undefined || value === is);
}
