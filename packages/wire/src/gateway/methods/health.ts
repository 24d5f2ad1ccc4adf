/**
 * Gateway wire: `health` and `status`, and the `health` and `tick` events.
 *
 * Fields follow the peer; what Atrium does not have (plugins, channels, heartbeats) is said to be
 * empty or off, never left to guess. Both methods ignore unknown params, as the peer does.
 */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject } from "../../scalars.ts";

export const RecentSession = strictObject({
  key: NonEmptyString,
  updatedAt: Timestamp,
  age: Count,
});

export const SessionsSummary = strictObject({
  path: Type.String(),
  count: Count,
  recent: Type.Array(RecentSession),
});
export type SessionsSummary = Static<typeof SessionsSummary>;

export const EventLoopHealth = strictObject({
  degraded: Type.Boolean(),
  reasons: Type.Array(
    Type.Union([Type.Literal("event_loop_delay"), Type.Literal("event_loop_utilization")]),
  ),
  intervalMs: Type.Number({ minimum: 0 }),
  delayP99Ms: Type.Number({ minimum: 0 }),
  delayMaxMs: Type.Number({ minimum: 0 }),
  utilization: Type.Number({ minimum: 0 }),
  cpuCoreRatio: Type.Number({ minimum: 0 }),
});
export type EventLoopHealth = Static<typeof EventLoopHealth>;

const HeartbeatSettings = strictObject({
  enabled: Type.Boolean(),
  every: Type.String(),
  everyMs: Type.Union([Count, Type.Null()]),
  prompt: Type.String(),
  target: Type.String(),
  ackMaxChars: Count,
});

export const HealthSummary = strictObject({
  ok: Type.Literal(true),
  ts: Timestamp,
  durationMs: Count,
  plugins: strictObject({ loaded: Type.Array(Type.String()), errors: Type.Array(Type.Never()) }),
  channels: strictObject({}),
  channelOrder: Type.Array(Type.String()),
  channelLabels: strictObject({}),
  heartbeatSeconds: Count,
  defaultAgentId: NonEmptyString,
  agents: Type.Array(
    strictObject({
      agentId: NonEmptyString,
      name: NonEmptyString,
      isDefault: Type.Boolean(),
      heartbeat: HeartbeatSettings,
      sessions: SessionsSummary,
    }),
  ),
  sessions: SessionsSummary,
  eventLoop: EventLoopHealth,
});
export type HealthSummary = Static<typeof HealthSummary>;

export const health = method({
  name: "health",
  scope: null,
  params: Type.Object({ probe: Type.Optional(Type.Boolean()) }),
  result: HealthSummary,
});

/** The nodes that share one log, as the one that answers sees them. */
export const ClusterStatus = strictObject({
  /** The one that answers. */
  node: NonEmptyString,
  /** Why nothing can be written for the moment; left out: it can. */
  trouble: Type.Optional(Type.String()),
  /** The node that directs; left out: nobody does for the moment. */
  director: Type.Optional(NonEmptyString),
  directsSince: Type.Optional(Timestamp),
  /** The node that writes for the others. */
  pen: Type.Optional(NonEmptyString),
  /** The most that can be written at once, in bytes. */
  maxAppendBytes: Type.Optional(Count),
  nodes: Type.Array(
    strictObject({
      name: NonEmptyString,
      url: Type.String(),
      version: Type.String(),
      alive: Type.Boolean(),
      /** The last message of the log that it has applied. */
      applied: Count,
      /** How many messages it is behind the node that is furthest. */
      lag: Count,
      /** Whether it has the same history as the node that answers; left out: that cannot be told yet. */
      agrees: Type.Optional(Type.Boolean()),
    }),
  ),
  /** The servers of the log whose monitoring addresses are known. */
  servers: Type.Array(
    strictObject({
      url: Type.String(),
      reachable: Type.Boolean(),
      name: Type.Optional(Type.String()),
      version: Type.Optional(Type.String()),
      leads: Type.Optional(Type.Boolean()),
      messages: Type.Optional(Count),
      /** How many messages it should have and has not. */
      missing: Type.Optional(Count),
      behind: Type.Optional(Count),
    }),
  ),
  /** What somebody should look at, in sentences. */
  warnings: Type.Array(Type.String()),
});
export type ClusterStatus = Static<typeof ClusterStatus>;

export const StatusSummary = strictObject({
  runtimeVersion: NonEmptyString,
  heartbeat: strictObject({
    defaultAgentId: NonEmptyString,
    agents: Type.Array(
      strictObject({
        agentId: NonEmptyString,
        enabled: Type.Boolean(),
        every: Type.String(),
        everyMs: Type.Union([Count, Type.Null()]),
      }),
    ),
  }),
  channelSummary: Type.Array(Type.String()),
  queuedSystemEvents: Type.Array(Type.String()),
  sessions: strictObject({
    paths: Type.Array(Type.String()),
    count: Count,
    defaults: strictObject({
      model: Type.Union([NonEmptyString, Type.Null()]),
      contextTokens: Type.Union([Count, Type.Null()]),
    }),
    recent: Type.Array(RecentSession),
    byAgent: Type.Array(
      strictObject({
        agentId: NonEmptyString,
        path: Type.String(),
        count: Count,
        recent: Type.Array(RecentSession),
      }),
    ),
  }),
  eventLoop: EventLoopHealth,
  processMemory: strictObject({
    rssBytes: Count,
    heapUsedBytes: Count,
    heapTotalBytes: Count,
    externalBytes: Count,
    arrayBuffersBytes: Count,
  }),
  pid: Count,
  /** Where previews are; left out: there are none. */
  previewPort: Type.Optional(Count),
  uptimeMs: Count,
  connections: Count,
  log: strictObject({ epoch: NonEmptyString, seq: Count, engine: NonEmptyString }),
  /** Left out: one server keeps the log by itself. */
  cluster: Type.Optional(ClusterStatus),
});
export type StatusSummary = Static<typeof StatusSummary>;

export const status = method({
  name: "status",
  scope: "operator.read",
  params: Type.Object({
    includeChannelSummary: Type.Optional(Type.Boolean()),
    includeCliProjection: Type.Optional(Type.Boolean()),
  }),
  result: StatusSummary,
});

export const tick = event({
  name: "tick",
  scope: null,
  payload: strictObject({ ts: Timestamp }),
});

export const healthChanged = event({ name: "health", scope: null, payload: HealthSummary });
