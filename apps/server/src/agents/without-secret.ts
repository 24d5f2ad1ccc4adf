/**
 * Keeps the API key out of what is said. Servers quote keys, in errors and in what passes for an answer,
 * and what is said goes to the log. A key that comes in pieces is held back until it is whole or is not one.
 */
import type { TurnEvent } from "./agent-runtime.ts";

const MASK = "[key]";
/** Servers without keys are given words like "ollama"; those may be said. */
const SHORTEST_SECRET = 16;

export async function* withoutSecret(
  secret: string | undefined,
  events: AsyncIterable<TurnEvent>,
): AsyncGenerator<TurnEvent, void> {
  if (!isSecret(secret)) {
    yield* events;
    return;
  }
  let held: { type: "text" | "thinking"; delta: string } = { type: "text", delta: "" };
  for await (const event of events) {
    if (event.type !== "text" && event.type !== "thinking") {
      if (held.delta !== "") yield held;
      held = { type: "text", delta: "" };
      yield event;
      continue;
    }
    if (event.type !== held.type && held.delta !== "") yield held;
    const before = event.type === held.type ? held.delta : "";
    const text = masked(`${before}${event.delta}`, secret);
    const end = text.length - overlap(text, secret);
    held = { type: event.type, delta: text.slice(end) };
    if (end > 0) yield { type: event.type, delta: text.slice(0, end) };
  }
}

export function masked(text: string, secret: string | undefined): string {
  return isSecret(secret) ? text.replaceAll(secret, MASK) : text;
}

function isSecret(text: string | undefined): text is string {
  return text !== undefined && text.length >= SHORTEST_SECRET;
}

/** How much of the end of the text may be the beginning of the secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
