/**
 * The answers to `health` and `status`. Clients ask for health all the time, so that report is built at most
 * once a second and kept as text.
 */
import type { Conversations, ConversationRow, CrewMember } from "@atrium/core";
import { DEFAULT_HANDLE } from "@atrium/core";
import type {
  EventLoopHealth,
  ClusterStatus,
  HealthSummary,
  SessionsSummary,
  StatusSummary,
} from "@atrium/wire/gateway";
import type { ClusterFacts } from "../../../cluster/cluster-report.ts";
import { EncodedJson } from "../../../pipeline/method-router.ts";

/** What the reports need to know about the process. */
export interface ServerFacts {
  readonly version: string;
  /** Where conversations are kept. */
  readonly statePath: string;
  readonly engine: string;
  uptimeMs(): number;
  connections(): number;
  /** Undefined: there are none. */
  previewPort(): number | undefined;
  position(): { readonly epoch: string; readonly seq: number };
  loop(): Omit<EventLoopHealth, "degraded" | "reasons">;
  /** Undefined: one server keeps the log by itself. */
  cluster(): ClusterFacts | undefined;
}

export interface HealthReportDeps {
  readonly conversations: Pick<Conversations, "list" | "count">;
  readonly crew: readonly CrewMember[];
  readonly facts: ServerFacts;
  readonly now: () => number;
}

export interface HealthReports {
  health(): HealthSummary;
  /** The same, as text that is at most a second old. */
  healthText(): EncodedJson;
  status(): StatusSummary;
}

const FRESH_MS = 1_000;
const RECENT = 5;
const SLOW_LOOP_MS = 500;
const BUSY_LOOP = 0.95;
// Agents here work on messages; nothing wakes them on a schedule.
const NO_HEARTBEAT = { enabled: false, every: "disabled", everyMs: null } as const;

export function createHealthReports({
  conversations,
  crew,
  facts,
  now,
}: HealthReportDeps): HealthReports {
  let kept = new EncodedJson("");
  let keptAt = -FRESH_MS;

  const summarize = (rows: readonly ConversationRow[]): SessionsSummary => ({
    path: facts.statePath,
    count: rows.length,
    recent: rows.slice(0, RECENT).map(({ key, updatedAt }) => {
      return { key, updatedAt, age: Math.max(0, now() - updatedAt) };
    }),
  });
  const ofAgent = (rows: readonly ConversationRow[], handle: string): SessionsSummary =>
    summarize(rows.filter((row) => row.handle === handle));

  function health(): HealthSummary {
    const started = now();
    const rows = conversations.list();
    return {
      ok: true,
      ts: started,
      durationMs: Math.max(0, now() - started),
      plugins: { loaded: [], errors: [] },
      channels: {},
      channelOrder: [],
      channelLabels: {},
      heartbeatSeconds: 0,
      defaultAgentId: DEFAULT_HANDLE,
      agents: crew.map(({ handle, name }) => ({
        agentId: handle,
        name,
        isDefault: handle === DEFAULT_HANDLE,
        heartbeat: { ...NO_HEARTBEAT, prompt: "", target: "owner", ackMaxChars: 0 },
        sessions: ofAgent(rows, handle),
      })),
      sessions: summarize(rows),
      eventLoop: judge(facts.loop()),
    };
  }

  function healthText(): EncodedJson {
    if (now() - keptAt >= FRESH_MS) {
      kept = new EncodedJson(JSON.stringify(health()));
      keptAt = now();
    }
    return kept;
  }

  function status(): StatusSummary {
    const rows = conversations.list();
    const previewPort = facts.previewPort();
    const { path, count, recent } = summarize(rows);
    const cluster = facts.cluster();
    return {
      runtimeVersion: facts.version,
      heartbeat: {
        defaultAgentId: DEFAULT_HANDLE,
        agents: crew.map(({ handle }) => ({ agentId: handle, ...NO_HEARTBEAT })),
      },
      channelSummary: [],
      queuedSystemEvents: [],
      sessions: {
        paths: [path],
        count,
        defaults: { model: null, contextTokens: null },
        recent,
        byAgent: crew.map(({ handle }) => ({ agentId: handle, ...ofAgent(rows, handle) })),
      },
      eventLoop: judge(facts.loop()),
      processMemory: readMemory(),
      pid: process.pid,
      ...(previewPort !== undefined && { previewPort }),
      uptimeMs: facts.uptimeMs(),
      connections: facts.connections(),
      log: { ...facts.position(), engine: facts.engine },
      ...(cluster !== undefined && { cluster: clusterStatusOf(cluster) }),
    };
  }

  return { health, healthText, status };
}

function clusterStatusOf(facts: ClusterFacts): ClusterStatus {
  const { node, trouble, director, directsSince, nodes, servers, warnings } = facts;
  const { pen, maxBytes: maxAppendBytes } = facts.chain;
  return {
    node,
    ...(trouble !== undefined && { trouble }),
    ...(director !== undefined && { director }),
    ...(directsSince !== undefined && { directsSince }),
    ...(pen !== undefined && { pen }),
    maxAppendBytes,
    nodes: nodes.map(({ agrees, ...each }) => ({
      ...each,
      ...(agrees !== undefined && { agrees }),
    })),
    servers: servers.map(({ url, name, version, isLeader, messages, missing, behind }) => ({
      url,
      reachable: name !== undefined,
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version }),
      ...(isLeader !== undefined && { leads: isLeader }),
      ...(messages !== undefined && { messages }),
      ...(missing !== undefined && { missing }),
      ...(behind !== undefined && { behind }),
    })),
    warnings: [...warnings],
  };
}

function readMemory(): StatusSummary["processMemory"] {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    rssBytes: rss,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    externalBytes: external,
    arrayBuffersBytes: arrayBuffers,
  };
}

function judge(loop: Omit<EventLoopHealth, "degraded" | "reasons">): EventLoopHealth {
  const reasons: EventLoopHealth["reasons"] = [];
  if (loop.delayP99Ms > SLOW_LOOP_MS) reasons.push("event_loop_delay");
  if (loop.utilization > BUSY_LOOP) reasons.push("event_loop_utilization");
  return { degraded: reasons.length > 0, reasons, ...loop };
}
