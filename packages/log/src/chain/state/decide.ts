/**
 * Which appends of a tick are written on top of what is known, and why the others are not.
 *
 * Each append is decided against what those before it leave, as if it had come alone. The answers hold only if the
 * message they end up in is the next one of the chain.
 */
import type { EncodedAppend } from "../../draft.ts";
import type { Expected, Guard, Key } from "../../log.ts";
import { Layer, type ChainState } from "./chain-state.ts";
import type {
  ChainAuthor,
  MessageAppend,
  MessageRefusal,
  MessageTick,
  RefusalReason,
} from "./message.ts";

export interface TickAppend extends EncodedAppend {
  readonly stream: string;
  readonly expected: Expected;
  readonly key: Key | undefined;
  readonly guard: Guard | undefined;
}

/** The stream of the append before and the version it left, if it was written. */
export interface PreviousAppend {
  readonly stream: string;
  readonly version: number;
}

export interface Tick {
  readonly author: ChainAuthor;
  readonly counter: number;
  /** The last append of the tick before. */
  readonly previous: PreviousAppend | undefined;
  readonly appends: readonly TickAppend[];
  readonly bytes: number;
}

export class Decider {
  readonly #layer: Layer;

  constructor(state: ChainState) {
    this.#layer = new Layer(state, state);
  }

  decide(tick: Tick): MessageTick {
    const appends: MessageAppend[] = [];
    const refusals: MessageRefusal[] = [];
    let { previous } = tick;
    for (const [index, append] of tick.appends.entries()) {
      const refusal = this.#refuse(append, previous);
      if (refusal === undefined) {
        const written = toMessageAppend(append);
        this.#layer.write(written);
        appends.push(written);
        previous = { stream: append.stream, version: this.#layer.versionOf(append.stream) };
      } else {
        refusals.push({ index, ...refusal });
        previous = undefined;
      }
    }
    return { author: tick.author, counter: tick.counter, appends, refusals };
  }

  #refuse(append: TickAppend, previous: PreviousAppend | undefined): Refusal | undefined {
    return this.#repeat(append) ?? this.#fence(append) ?? this.#conflict(append, previous);
  }

  #repeat({ key }: TickAppend): Refusal | undefined {
    const earlier = key === undefined ? undefined : this.#layer.findKey(key.id);
    if (earlier === undefined) return undefined;
    if (earlier.digest !== key?.digest) return refuse("key-reused");
    return refuse("repeated", earlier.seq, earlier.count);
  }

  #fence({ guard }: TickAppend): Refusal | undefined {
    if (guard === undefined) return undefined;
    const version = this.#layer.versionOf(guard.stream);
    return version === guard.version ? undefined : refuse("fenced", version);
  }

  #conflict(
    { stream, expected }: TickAppend,
    previous: PreviousAppend | undefined,
  ): Refusal | undefined {
    if (expected === "any") return undefined;
    const version = this.#layer.versionOf(stream);
    const isExpected =
      expected === "after-previous"
        ? previous?.stream === stream && previous.version === version
        : expected === version;
    return isExpected ? undefined : refuse("conflict", version);
  }
}

type Refusal = Omit<MessageRefusal, "index">;

function refuse(reason: RefusalReason, seq = 0, count = 0): Refusal {
  return { reason, seq, count };
}

function toMessageAppend({ stream, key, entries, texts }: TickAppend): MessageAppend {
  return {
    stream,
    key,
    entries: entries.map(({ type, at }, index) => ({ type, at, text: texts[index] ?? "null" })),
  };
}
