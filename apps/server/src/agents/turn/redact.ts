/**
 * Keeps keys out of what is said. Servers quote keys, in errors and in what passes for an answer, programs print their
 * environment, and what is said goes to the log. A key that comes in pieces is held back until it is whole or is not one.
 */
import { SESSION_SECRETS, sessionSecretBegun } from "../../access/session-secret.ts";
import type { TurnEvent } from "./agent-runtime.ts";

const MASK = "[key]";
/** Servers without keys are given words like "ollama"; those may be said. */
const MIN_SECRET_CHARS = 16;

export function redactStream(
  secret: string | undefined,
  events: AsyncIterable<TurnEvent>,
): AsyncIterable<TurnEvent> {
  return isSecret(secret) ? withoutSecrets([secret], events) : events;
}

type Words = Extract<TurnEvent, { readonly type: "text" | "thinking" }>;

/** More of a secret than this is not let out before it is known how it goes on, whatever happens in between. */
const MAX_PREFIX_CHARS = 3;

/** `secrets` is read with every event: more of them may become known in the course of a turn. */
export async function* withoutSecrets(
  secrets: Iterable<string>,
  events: AsyncIterable<TurnEvent>,
): AsyncGenerator<TurnEvent, void> {
  const said = { text: createSaying("text", secrets), thinking: createSaying("thinking", secrets) };
  for await (const event of events) {
    if (event.type === "text" || event.type === "thinking") {
      const other = event.type === "text" ? said.thinking : said.text;
      yield* other.pause();
      yield* said[event.type].say(event.delta);
      continue;
    }
    const isOver = event.type === "completed" || event.type === "failed";
    for (const saying of Object.values(said)) yield* isOver ? saying.end() : saying.pause();
    yield redactDeep(event, secrets);
  }
  for (const saying of Object.values(said)) yield* saying.end();
}

interface Saying {
  say(delta: string): Generator<Words>;
  /** Something else comes in between. */
  pause(): Generator<Words>;
  end(): Generator<Words>;
}

/** One stream of words: what may be the beginning of a secret is held back until it is whole or is not one. */
function createSaying(type: Words["type"], secrets: Iterable<string>): Saying {
  let held = "";
  /** A beginning, too short to hold back, that is out already. */
  let out = "";
  function* tell(delta: string): Generator<Words> {
    if (delta !== "") yield { type, delta };
  }
  function letOut(): string {
    if (out.length + held.length > MAX_PREFIX_CHARS) return "";
    const short = held;
    [out, held] = [`${out}${held}`, ""];
    return short;
  }
  return {
    *say(delta) {
      const all = `${out}${held}${delta}`;
      const text = redactDeep(all, secrets);
      // What is out stays as it was; if a secret began there, the rest of it is the mask.
      const rest = text.startsWith(out) ? text.slice(out.length) : text;
      const end = rest.length - Math.min(rest.length, overlap(text, secrets));
      out = end > 0 ? "" : out;
      held = rest.slice(end);
      // A letter or two begin some secret or other: to hold them back would only cut words off.
      yield* tell(`${rest.slice(0, end)}${letOut()}`);
    },
    *pause() {
      yield* tell(letOut());
    },
    *end() {
      const left = held;
      [out, held] = ["", ""];
      yield* tell(left);
    },
  };
}

export function redact(text: string, secret: string | undefined): string {
  return isSecret(secret) ? text.replaceAll(secret, MASK) : text;
}

/** The same value, with every text in it masked: of these secrets, and of those that browsers hold. */
export function redactDeep<Value>(value: Value, secrets: Iterable<string>): Value {
  const known = [...secrets].filter(isSecret);
  const masking = (text: string): string =>
    known.reduce(redact, text).replaceAll(SESSION_SECRETS, MASK);
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") return masking(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, walk(inner)]));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts become texts, all else stays as it is
  return walk(value) as Value;
}

const SECRET_NAME = /key|token|secret|passw|credential/i;
const PLACE = /^(?:[/~.]|\w+:\/\/)/;

/** Of an environment: what its names say is secret. Where something is kept is not. */
export function secretsIn(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && isSecret(value) && !PLACE.test(value))
    .map(([, value]) => value);
}

function isSecret(text: string | undefined): text is string {
  return text !== undefined && text.length >= MIN_SECRET_CHARS;
}

/** How much of the end of the text may be the beginning of a secret. */
function overlap(text: string, secrets: Iterable<string>): number {
  let longest = sessionSecretBegun(text);
  for (const secret of secrets) {
    if (!isSecret(secret)) continue;
    for (let length = Math.min(text.length, secret.length - 1); length > longest; length--) {
      if (text.endsWith(secret.slice(0, length))) longest = length;
    }
  }
  return longest;
}
