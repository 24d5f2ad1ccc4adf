/** Frames to text: the answer to a call, and an event. */
import type { Outcome } from "@atrium/core";
import { type ErrorShape, type EventContract, type PayloadOf } from "@atrium/wire/gateway";
import { Encoded } from "../../../pipeline/method-router.ts";
import { errorShape } from "./error-shape.ts";

/** An answer that failed and still has something to say, as the peer does for a run that ended badly. */
export class FailedReply extends Encoded {
  readonly error: ErrorShape;

  constructor(payload: unknown, error: ErrorShape) {
    super(JSON.stringify(payload));
    this.error = error;
  }
}

export function reply(id: string, method: string, outcome: Outcome<unknown>): string {
  const head = `{"type":"res","id":${JSON.stringify(id)},"ok":`;
  if (!outcome.ok) return `${head}false,"error":${JSON.stringify(errorShape(method, outcome))}}`;
  const { value } = outcome;
  if (value instanceof FailedReply) {
    return `${head}false,"payload":${value.text},"error":${JSON.stringify(value.error)}}`;
  }
  const payload = value instanceof Encoded ? value.text : JSON.stringify(value);
  return `${head}true,"payload":${payload}}`;
}

/** An event that has no part in any sequence. */
export function unnumbered<E extends EventContract>(
  event: E,
  payload: PayloadOf<E> | Encoded,
): string {
  return `${eventHead(event.name, payload)}}`;
}

export function eventHead(name: string, payload: unknown): string {
  const text = payload instanceof Encoded ? payload.text : JSON.stringify(payload);
  return `{"type":"event","event":${JSON.stringify(name)},"payload":${text}`;
}
