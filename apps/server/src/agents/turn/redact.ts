/**
 * Keeps keys out of what is said. Servers quote keys, in errors and in what passes for an answer, programs print their
 * environment, and what is said goes to the log. A key that comes in pieces is held back until it is whole or is not one.
 */
import type { TurnEvent } from "./agent-runtime.ts";
import { isSecret, knownSecrets, maskDeep, maskText, secretBegun } from "./mask.ts";

export function redactStream(
  secret: string | undefined,
  events: AsyncIterable<TurnEvent>,
): AsyncIterable<TurnEvent> {
  return isSecret(secret) ? withoutSecrets([secret], events) : events;
}

/** More of a secret than this is not let out before it is known how it goes on, whatever happens in between. */
const MAX_PREFIX_CHARS = 3;

/** `secrets` is read with every event: more of them may become known in the course of a turn. */
export async function* withoutSecrets(
  secrets: Iterable<string>,
  events: AsyncIterable<TurnEvent>,
): AsyncGenerator<TurnEvent, void> {
  const text = new StreamRedactor();
  const thinking = new StreamRedactor();
  const outputs = new OutputRedactor();
  for await (const event of events) {
    const known = knownSecrets(secrets);
    const isOver = event.type === "completed" || event.type === "failed";
    // What is said next is not told before what was said until then.
    const rest = event.type === "text" ? "" : isOver ? text.end() : text.pause();
    if (rest !== "") yield { type: "text", delta: rest };
    const thought = event.type === "thinking" ? "" : isOver ? thinking.end() : thinking.pause();
    if (thought !== "") yield { type: "thinking", delta: thought };
    if (event.type === "text" || event.type === "thinking") {
      const { type } = event;
      const delta = (type === "text" ? text : thinking).push(event.delta, known);
      if (delta !== "") yield { type, delta };
    } else if (event.type === "tool.output") {
      yield* outputs.push(event, known);
    } else {
      if (event.type === "tool.returned") yield* outputs.end(event.id);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts become texts, all else stays as it is
      yield maskDeep(event, known) as TurnEvent;
    }
  }
  const rest = text.end();
  if (rest !== "") yield { type: "text", delta: rest };
  const thought = thinking.end();
  if (thought !== "") yield { type: "thinking", delta: thought };
}

/** What tools put out, each a stream of its own. */
class OutputRedactor {
  readonly #streams = new Map<string, StreamRedactor>();

  *push({ id, text }: ToolOutput, known: readonly string[]): Generator<TurnEvent> {
    const stream = this.#streams.get(id) ?? new StreamRedactor();
    this.#streams.set(id, stream);
    yield* outputOf(id, stream.push(text, known));
  }

  *end(id: string): Generator<TurnEvent> {
    const left = this.#streams.get(id)?.end() ?? "";
    this.#streams.delete(id);
    yield* outputOf(id, left);
  }
}

type ToolOutput = Extract<TurnEvent, { readonly type: "tool.output" }>;

function outputOf(id: string, text: string): readonly ToolOutput[] {
  return text === "" ? [] : [{ type: "tool.output", id, text }];
}

/** One stream of words: what may be the beginning of a secret is held back. Each answers with what may be told now. */
export class StreamRedactor {
  #held = "";
  /** A beginning, too short to hold back, that is out already. */
  #out = "";

  push(delta: string, known: readonly string[]): string {
    const out = this.#out;
    const text = maskText(`${out}${this.#held}${delta}`, known);
    // What is out stays as it was; if a secret began there, the rest of it is the mask.
    const rest = text.startsWith(out) ? text.slice(out.length) : text;
    const end = rest.length - Math.min(rest.length, secretBegun(text, known));
    if (end > 0) this.#out = "";
    this.#held = rest.slice(end);
    // A letter or two begin some secret or other: to hold them back would only cut words off.
    return `${rest.slice(0, end)}${this.#letOut()}`;
  }

  pause(): string {
    return this.#letOut();
  }

  end(): string {
    const left = this.#held;
    this.clear();
    return left;
  }

  /** What follows does not go on where this stopped. */
  clear(): void {
    this.#held = this.#out = "";
  }

  #letOut(): string {
    if (this.#out.length + this.#held.length > MAX_PREFIX_CHARS) return "";
    const short = this.#held;
    this.#out += short;
    this.#held = "";
    return short;
  }
}

/** The same value, with every text in it masked: of these secrets, and of those that browsers hold. */
export function redactDeep<Value>(value: Value, secrets: Iterable<string>): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts become texts, all else stays as it is
  return maskDeep(value, knownSecrets(secrets)) as Value;
}

const SECRET_NAME = /key|token|secret|passw|credential/i;
const PLACE = /^(?:[/~.]|\w+:\/\/)/;

/** Base64, which may begin like a path. */
const NEVER_A_PLACE: ReadonlySet<string> = new Set(["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]);

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Of an environment: what its names say is secret, and passwords in addresses. Where something is kept is not. */
export function secretsIn(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const isPlace = PLACE.test(value) && !NEVER_A_PLACE.has(name);
    const own = isSecretName(name) && !isPlace ? [value] : [];
    return [...own, ...passwordsIn(value)].filter(isSecret);
  });
}

/** As of a proxy: as it is written, and as it is meant. */
function passwordsIn(value: string): readonly string[] {
  const [, password = ""] = /^\w+:\/\/[^/?#@]*?:([^/?#]*)@/.exec(value) ?? [];
  if (password === "") return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}
