/**
 * Gateway wire: the three frames. Closed objects, told apart by `type`.
 */
import { Type, type Static } from "@atrium/schema";
import { Count, NonEmptyString, strictObject } from "../scalars.ts";

export const StateVersion = strictObject({ presence: Count, health: Count });
export type StateVersion = Static<typeof StateVersion>;

/** Names the peers know. Two of them are no longer sent by anyone but still decoded. */
export const ERROR_CODES = [
  "NOT_LINKED",
  "NOT_PAIRED",
  "AGENT_TIMEOUT",
  "INVALID_REQUEST",
  "FORBIDDEN",
  "APPROVAL_NOT_FOUND",
  "UNAVAILABLE",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const ErrorShape = strictObject({
  /** One of ERROR_CODES today; open, so that a newer server's code is still readable. */
  code: NonEmptyString,
  message: NonEmptyString,
  details: Type.Optional(Type.Unknown()),
  retryable: Type.Optional(Type.Boolean()),
  retryAfterMs: Type.Optional(Count),
});
export type ErrorShape = Static<typeof ErrorShape>;

export const RequestFrame = strictObject({
  type: Type.Literal("req"),
  id: NonEmptyString,
  method: NonEmptyString,
  params: Type.Optional(Type.Unknown()),
  traceparent: Type.Optional(Type.String({ maxLength: 128 })),
  expectedProfileId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
});
export type RequestFrame = Static<typeof RequestFrame>;

export const ResponseFrame = strictObject({
  type: Type.Literal("res"),
  id: NonEmptyString,
  ok: Type.Boolean(),
  payload: Type.Optional(Type.Unknown()),
  error: Type.Optional(ErrorShape),
});
export type ResponseFrame = Static<typeof ResponseFrame>;

export const EventFrame = strictObject({
  type: Type.Literal("event"),
  event: NonEmptyString,
  payload: Type.Optional(Type.Unknown()),
  seq: Type.Optional(Count),
  stateVersion: Type.Optional(StateVersion),
  recipientProfileId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
});
export type EventFrame = Static<typeof EventFrame>;

export type GatewayFrame = RequestFrame | ResponseFrame | EventFrame;
