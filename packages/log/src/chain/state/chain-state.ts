/**
 * What a node knows after the messages 1 to n, as far as deciding needs it: versions, keys, numbers, hash.
 *
 * Applying is a function of the messages alone: no clock, no order of arrival. What is already in the node's copy is
 * looked up there, so that memory holds the streams written in this life and the keys on their way to the copy.
 */
import type { DecodedMessage, ChainMessage, MessageAppend, MessageTick } from "./message.ts";

export interface KeyState {
  readonly digest: string;
  readonly seq: number;
  readonly count: number;
  /** The newest time that any writer had stamped; null until the next entry when it came without one. */
  readonly at: number | null;
}

/** What can be looked up of everything before. */
export interface Lookup {
  versionOf(stream: string): number;
  findKey(id: string): KeyState | undefined;
}

/** Where a copy stands when it is opened. */
export interface ChainStart {
  readonly applied: number;
  readonly hash: string;
  readonly head: number;
  readonly newestTime: number;
  readonly genesis: Genesis | undefined;
  /** The last message's node. */
  readonly life: string | undefined;
  /** By life: the last tick that is in the chain. */
  readonly ticks: ReadonlyMap<string, number>;
}

export interface Genesis {
  readonly hash: string;
  readonly epoch: string;
  readonly keyRetentionMs: number;
  /** How many entries a log must have that was begun as a copy. */
  readonly copiedTo?: number;
}

/** Something known, and what is written on top of it. */
export class Layer implements Lookup {
  head: number;
  newestTime: number;
  readonly keyRetentionMs: number;
  protected readonly versions = new Map<string, number>();
  protected readonly keys = new Map<string, KeyState>();
  readonly #below: Lookup;

  constructor(below: Lookup, start: Pick<Layer, "head" | "newestTime" | "keyRetentionMs">) {
    this.#below = below;
    this.head = start.head;
    this.newestTime = start.newestTime;
    this.keyRetentionMs = start.keyRetentionMs;
  }

  versionOf(stream: string): number {
    return this.versions.get(stream) ?? this.#below.versionOf(stream);
  }

  findKey(id: string): KeyState | undefined {
    const key = this.keys.get(id) ?? this.#below.findKey(id);
    return key === undefined || this.#isOld(key) ? undefined : key;
  }

  write({ stream, key, entries }: Pick<MessageAppend, "stream" | "key"> & Times): void {
    for (const { at } of entries) if (at > this.newestTime) this.newestTime = at;
    this.head += entries.length;
    if (entries.length > 0) this.versions.set(stream, this.head);
    if (key === undefined) return;
    const at = entries.length > 0 ? this.newestTime : null;
    this.keys.set(key.id, { digest: key.digest, seq: this.head, count: entries.length, at });
  }

  #isOld({ at }: KeyState): boolean {
    return at !== null && at < this.newestTime - this.keyRetentionMs;
  }
}

interface Times {
  readonly entries: readonly { readonly at: number }[];
}

export class ChainState extends Layer {
  applied: number;
  hash: string;
  /** Of the node that wrote the last message. */
  life: string | undefined;
  readonly #ticks: Map<string, number>;
  readonly #stamps: Stamps;
  /** By key: the message that wrote it, until the copy has it. */
  readonly #writtenBy = new Map<string, number>();

  constructor(known: Lookup, start: ChainStart, keyRetentionMs: number) {
    const stamps = new Stamps(known);
    super(stamps, { ...start, keyRetentionMs });
    this.applied = start.applied;
    this.hash = start.hash;
    this.life = start.life;
    this.#ticks = new Map(start.ticks);
    this.#stamps = stamps;
  }

  /** Whether that tick is in the chain, and so must not get there again. */
  hasTick({ author, counter }: Pick<MessageTick, "author" | "counter">): boolean {
    return counter <= (this.#ticks.get(author.life) ?? 0);
  }

  follows({ previous, first }: ChainMessage): boolean {
    return previous === this.hash && first === this.head + 1;
  }

  apply({ message, hash }: DecodedMessage): void {
    const { author, body } = message;
    const head = this.head;
    this.applied++;
    this.hash = hash;
    this.life = author.life;
    if (body.kind !== "ticks") return;
    for (const tick of body.ticks) {
      this.#ticks.set(tick.author.life, tick.counter);
      for (const append of tick.appends) {
        this.write(append);
        if (append.key !== undefined) this.#writtenBy.set(append.key.id, this.applied);
      }
    }
    if (this.head > head) this.#stampKeys();
  }

  /** The copy has everything up to that message. */
  forgetKeys(n: number): void {
    this.#stamps.forget(n);
    for (const [id, written] of this.#writtenBy) {
      if (written > n) continue;
      this.#writtenBy.delete(id);
      this.keys.delete(id);
    }
  }

  /** A key without entries came without a time; it is as old as the next entry anyone writes. */
  #stampKeys(): void {
    this.#stamps.add(this.applied, this.newestTime);
    for (const [id, key] of this.keys) {
      if (key.at === null) this.keys.set(id, { ...key, at: this.newestTime });
    }
  }
}

/** Stamps keys of the copy that still wait for a time, by messages that are not in the copy yet. */
class Stamps implements Lookup {
  readonly #known: Lookup;
  readonly #times = new Map<number, number>();

  constructor(known: Lookup) {
    this.#known = known;
  }

  versionOf(stream: string): number {
    return this.#known.versionOf(stream);
  }

  findKey(id: string): KeyState | undefined {
    const key = this.#known.findKey(id);
    if (key?.at !== null) return key;
    const [time] = this.#times.values();
    return time === undefined ? key : { ...key, at: time };
  }

  add(n: number, time: number): void {
    this.#times.set(n, time);
  }

  forget(n: number): void {
    for (const written of this.#times.keys()) if (written <= n) this.#times.delete(written);
  }
}
