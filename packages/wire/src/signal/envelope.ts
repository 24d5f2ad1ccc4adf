/**
 * Signal wire: the envelope that every signal is in. `type` says what the payload is; any text is a
 * type, and the payload of one that is not well known is any object.
 */
import { Type, type Static } from "@atrium/schema";
import { AnyObject, strictObject } from "../scalars.ts";
import type { SIGNAL_PAYLOADS } from "./payloads.ts";

/** What surrounds a payload; nothing but these keys. */
export const SIGNAL_FIELDS = {
  id: Type.String(),
  type: Type.String(),
  /** Milliseconds since 1970. */
  timestamp: Type.Number(),
  /** Who produced it: "adapter:openclaw". */
  source: Type.String(),
  /** Groups what belongs together: a run, a build, a project. */
  correlationId: Type.Optional(Type.String()),
  metadata: Type.Optional(AnyObject),
} as const;

export const Envelope = strictObject({ ...SIGNAL_FIELDS, payload: AnyObject });

/** What each well-known type carries. */
export type SignalPayloadMap = {
  readonly [Name in keyof typeof SIGNAL_PAYLOADS]: Readonly<Static<(typeof SIGNAL_PAYLOADS)[Name]>>;
};

export type WellKnownSignalType = keyof SignalPayloadMap;

export type TaskDispatchPayload = SignalPayloadMap["task_dispatch"];
export type ToolCallPayload = SignalPayloadMap["tool_call"];
export type ToolResultPayload = SignalPayloadMap["tool_result"];
export type TokenUsagePayload = SignalPayloadMap["token_usage"];
export type AgentStateChangePayload = SignalPayloadMap["agent_state_change"];
export type ErrorPayload = SignalPayloadMap["error"];
export type CompletionPayload = SignalPayloadMap["completion"];
export type TextDeltaPayload = SignalPayloadMap["text_delta"];
export type ThinkingPayload = SignalPayloadMap["thinking"];
export type UserClickPayload = SignalPayloadMap["user.click"];
export type UserMovePayload = SignalPayloadMap["user.move"];
export type UserZonePayload = SignalPayloadMap["user.zone"];
export type UserCommandPayload = SignalPayloadMap["user.command"];
export type UserPointPayload = SignalPayloadMap["user.point"];

/** Any text; editors still offer the well-known ones. */
export type SignalType = WellKnownSignalType | (string & {});

export interface SignalEnvelope<Name extends string = string> {
  readonly id: string;
  readonly type: Name;
  readonly timestamp: number;
  readonly source: string;
  readonly correlationId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly payload: Name extends WellKnownSignalType
    ? SignalPayloadMap[Name]
    : Readonly<Record<string, unknown>>;
}

/** A signal of a well-known type; a `switch` on `type` knows the payload. */
export type SignalEvent = {
  readonly [Name in WellKnownSignalType]: SignalEnvelope<Name>;
}[WellKnownSignalType];
