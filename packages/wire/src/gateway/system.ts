/** Gateway wire: small methods about the server itself, and its good-bye. */
import { Type } from "@atrium/schema";
import { method } from "../method.ts";
import { Count, NonEmptyString, Timestamp, closed } from "../scalars.ts";
import { event } from "./event.ts";

export const systemEcho = method({
  name: "system.echo",
  scope: "operator.read",
  params: Type.Object({ text: NonEmptyString }, closed),
  result: Type.Object({ ok: Type.Literal(true), text: NonEmptyString }, closed),
});

/** The last heartbeat an agent sent, or null when none has. */
export const lastHeartbeat = method({
  name: "last-heartbeat",
  scope: "operator.read",
  params: Type.Object({}, closed),
  result: Type.Union([Type.Null(), Type.Object({ ts: Timestamp }, closed)]),
});

export const shutdown = event({
  name: "shutdown",
  scope: null,
  payload: Type.Object({ reason: NonEmptyString, restartExpectedMs: Type.Optional(Count) }, closed),
});
