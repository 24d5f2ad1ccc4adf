/** Gateway wire: small methods about the server itself, and its good-bye. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject } from "../../scalars.ts";

export const systemEcho = method({
  name: "system.echo",
  scope: "operator.read",
  params: strictObject({ text: NonEmptyString }),
  result: strictObject({ ok: Type.Literal(true), text: NonEmptyString }),
});

/** An agent was woken, and this is how it went. What it said is for those who may read conversations. */
export const Heartbeat = strictObject({
  ts: Timestamp,
  status: Type.Union([Type.Literal("sent"), Type.Literal("failed")]),
  reason: Type.Literal("wake"),
  durationMs: Count,
  agentId: NonEmptyString,
});
export type Heartbeat = Static<typeof Heartbeat>;

/** The last heartbeat an agent sent, or null when none has. */
export const lastHeartbeat = method({
  name: "last-heartbeat",
  scope: "operator.read",
  params: strictObject({}),
  result: Type.Union([Type.Null(), Heartbeat]),
});

export const heartbeat = event({ name: "heartbeat", scope: null, payload: Heartbeat });

export const shutdown = event({
  name: "shutdown",
  scope: null,
  payload: strictObject({ reason: NonEmptyString, restartExpectedMs: Type.Optional(Count) }),
});
