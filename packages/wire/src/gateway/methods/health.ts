/**
 * Gateway wire: `health` and `status`, and the `health` and `tick` events.
 *
 * Fields follow the peer; what Atrium does not have (plugins, channels, heartbeats) is said to be
 * empty or off, never left to guess. Both methods ignore unknown params, as the peer does.
 */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, closed } from "../../scalars.ts";

export const RecentSession = Type.Object(
  { key: NonEmptyString, updatedAt: Timestamp, age: Count },
  closed,
);

export const SessionsSummary = Type.Object(
  { path: Type.String(), count: Count, recent: Type.Array(RecentSession) },
  closed,
);
export type SessionsSummary = Static<typeof SessionsSummary>;

export const EventLoopHealth = Type.Object(
  {
    degraded: Type.Boolean(),
    reasons: Type.Array(
      Type.Union([Type.Literal("event_loop_delay"), Type.Literal("event_loop_utilization")]),
    ),
    intervalMs: Type.Number({ minimum: 0 }),
    delayP99Ms: Type.Number({ minimum: 0 }),
    delayMaxMs: Type.Number({ minimum: 0 }),
    utilization: Type.Number({ minimum: 0 }),
    cpuCoreRatio: Type.Number({ minimum: 0 }),
  },
  closed,
);
export type EventLoopHealth = Static<typeof EventLoopHealth>;

const HeartbeatSettings = Type.Object(
  {
    enabled: Type.Boolean(),
    every: Type.String(),
    everyMs: Type.Union([Count, Type.Null()]),
    prompt: Type.String(),
    target: Type.String(),
    ackMaxChars: Count,
  },
  closed,
);

export const HealthSummary = Type.Object(
  {
    ok: Type.Literal(true),
    ts: Timestamp,
    durationMs: Count,
    plugins: Type.Object(
      { loaded: Type.Array(Type.String()), errors: Type.Array(Type.Never()) },
      closed,
    ),
    channels: Type.Object({}, closed),
    channelOrder: Type.Array(Type.String()),
    channelLabels: Type.Object({}, closed),
    heartbeatSeconds: Count,
    defaultAgentId: NonEmptyString,
    agents: Type.Array(
      Type.Object(
        {
          agentId: NonEmptyString,
          name: NonEmptyString,
          isDefault: Type.Boolean(),
          heartbeat: HeartbeatSettings,
          sessions: SessionsSummary,
        },
        closed,
      ),
    ),
    sessions: SessionsSummary,
    eventLoop: EventLoopHealth,
  },
  closed,
);
export type HealthSummary = Static<typeof HealthSummary>;

export const health = method({
  name: "health",
  scope: null,
  params: Type.Object({ probe: Type.Optional(Type.Boolean()) }),
  result: HealthSummary,
});

export const StatusSummary = Type.Object(
  {
    runtimeVersion: NonEmptyString,
    heartbeat: Type.Object(
      {
        defaultAgentId: NonEmptyString,
        agents: Type.Array(
          Type.Object(
            {
              agentId: NonEmptyString,
              enabled: Type.Boolean(),
              every: Type.String(),
              everyMs: Type.Union([Count, Type.Null()]),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    channelSummary: Type.Array(Type.String()),
    queuedSystemEvents: Type.Array(Type.String()),
    sessions: Type.Object(
      {
        paths: Type.Array(Type.String()),
        count: Count,
        defaults: Type.Object(
          {
            model: Type.Union([NonEmptyString, Type.Null()]),
            contextTokens: Type.Union([Count, Type.Null()]),
          },
          closed,
        ),
        recent: Type.Array(RecentSession),
        byAgent: Type.Array(
          Type.Object(
            {
              agentId: NonEmptyString,
              path: Type.String(),
              count: Count,
              recent: Type.Array(RecentSession),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    eventLoop: EventLoopHealth,
    processMemory: Type.Object(
      {
        rssBytes: Count,
        heapUsedBytes: Count,
        heapTotalBytes: Count,
        externalBytes: Count,
        arrayBuffersBytes: Count,
      },
      closed,
    ),
    pid: Count,
    uptimeMs: Count,
    connections: Count,
    log: Type.Object({ epoch: NonEmptyString, seq: Count, engine: NonEmptyString }, closed),
  },
  closed,
);
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
  payload: Type.Object({ ts: Timestamp }, closed),
});

export const healthChanged = event({ name: "health", scope: null, payload: HealthSummary });
