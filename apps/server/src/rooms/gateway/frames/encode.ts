/** Encodes frames: the response to a call, and events. */
import type { Outcome } from "@atrium/core";
import { type ErrorShape, type EventContract, type PayloadOf } from "@atrium/wire/gateway";
import { EncodedJson } from "../../../pipeline/method-router.ts";
import { errorShape } from "./error-shape.ts";

/** A failed response that also has a payload, as OpenClaw sends for a run that failed. */
export class FailedReply extends EncodedJson {
  readonly error: ErrorShape;

  constructor(payload: unknown, error: ErrorShape) {
    super(JSON.stringify(payload));
    this.error = error;
  }
}

export function encodeReply(id: string, method: string, outcome: Outcome<unknown>): string {
  const head = `{"type":"res","id":${JSON.stringify(id)},"ok":`;
  if (!outcome.ok) return `${head}false,"error":${JSON.stringify(errorShape(method, outcome))}}`;
  const { value } = outcome;
  if (value instanceof FailedReply) {
    return `${head}false,"payload":${value.text},"error":${JSON.stringify(value.error)}}`;
  }
  const payload = value instanceof EncodedJson ? value.text : JSON.stringify(value);
  return `${head}true,"payload":${payload}}`;
}

/** An event without a sequence number. */
export function encodeEvent<E extends EventContract>(
  event: E,
  payload: PayloadOf<E> | EncodedJson,
): string {
  return `${eventHead(event.name, payload)}}`;
}

export function eventHead(name: string, payload: unknown): string {
  const text = payload instanceof EncodedJson ? payload.text : JSON.stringify(payload);
  return `{"type":"event","event":${JSON.stringify(name)},"payload":${text}`;
}
