/**
 * The appends of this node: they wait, go out as one tick after the other, and are answered.
 *
 *   offer -> queue -> tick -> route -> applied -> in the copy -> answer
 *
 * One tick is under way at a time, which keeps the order of calls; what comes meanwhile shares the next one.
 */
import { LogFault, type AppendResult, type Entry } from "../log.ts";
import type { Chain } from "./chain.ts";
import type { Copy, CopyLink } from "./copy/copy.ts";
import type { ChainState } from "./state/chain-state.ts";
import type { PreviousAppend, Tick, TickAppend } from "./state/decide.ts";
import type { ChainAuthor, MessageTick } from "./state/message.ts";
import type { ChainClock } from "./waiting/clock.ts";

const MAX_TICK_APPENDS = 2000;
const MAX_TICK_BYTES = 512 * 1024;
/** Longer than that without an answer, and the log counts as unavailable. */
const STALL_MS = 2000;

/** Its bytes are those that it takes in a message. */
export interface OwnAppend extends TickAppend {
  readonly answer: PromiseWithResolvers<AppendResult>;
}

export interface OwnTick extends Tick {
  readonly appends: readonly OwnAppend[];
  /** Resolves once it is known what became of it. */
  readonly end: Promise<void>;
}

export interface OwnTicksDeps {
  readonly author: ChainAuthor;
  readonly epoch: string;
  readonly chain: Chain;
  readonly copy: Copy;
  readonly state: ChainState;
  readonly clock: ChainClock;
  readonly limits: { readonly maxAppends: number; readonly maxBytes: number };
  /** Brings a tick into the chain, by whatever way. */
  readonly send: (tick: OwnTick) => void;
  /** Resolves once that message is in the copy. */
  readonly commitOf: (n: number) => Promise<void>;
  readonly onUnavailable: (appends: number) => void;
}

export class OwnTicks {
  readonly #deps: OwnTicksDeps;
  readonly #queue: OwnAppend[] = [];
  #current: { readonly tick: OwnTick; readonly end: PromiseWithResolvers<void> } | undefined;
  #previous: PreviousAppend | undefined;
  #counter = 0;
  #appends = 0;
  #bytes = 0;
  #isSending = false;
  #stall: Disposable | undefined;
  #fault: LogFault | undefined;
  #idle = Promise.withResolvers<void>();
  isStalled = false;

  constructor(deps: OwnTicksDeps) {
    this.#deps = deps;
  }

  /** False when too much is waiting already; then nothing was taken. */
  offer(append: OwnAppend): boolean {
    const { maxAppends, maxBytes } = this.#deps.limits;
    if (this.#appends + 1 > maxAppends || this.#bytes + append.bytes > maxBytes) return false;
    this.#appends++;
    this.#bytes += append.bytes;
    this.#queue.push(append);
    this.#sendSoon();
    return true;
  }

  onApply({ n, message }: CopyLink): void {
    if (message.body.kind !== "ticks") return;
    let seq = message.first - 1;
    for (const tick of message.body.ticks) {
      const { life } = tick.author;
      if (life === this.#deps.author.life) this.settle(tick, seq, n);
      for (const { entries } of tick.appends) seq += entries.length;
    }
  }

  /** What became of the tick under way, whose first entry comes after `seq`; answered once the copy has that message. */
  settle(decided: MessageTick, seq: number, n: number): void {
    const current = this.#current;
    if (current === undefined || current.tick.counter !== decided.counter) return;
    this.#current = undefined;
    this.#stall?.[Symbol.dispose]();
    this.isStalled = false;
    const answers = answersTo(decided, seq);
    this.#previous = this.#previousOf(current.tick, answers);
    this.#release(current.tick.appends);
    void this.#answer(current.tick, answers, n);
    current.end.resolve();
    this.#sendSoon();
  }

  /** Resolves once nothing waits and nothing is under way. */
  async drained(): Promise<void> {
    while (this.#appends > 0) {
      this.#idle = Promise.withResolvers();
      await this.#idle.promise;
    }
  }

  /** Answers everything that is not under way. */
  refuseWaiting(): void {
    const waiting = this.#queue.splice(0);
    this.#deps.onUnavailable(waiting.length);
    for (const { answer } of waiting) answer.resolve({ ok: false, reason: "unavailable" });
    this.#release(waiting);
  }

  /** Rejects what is under way, and goes on with what waits. */
  failCurrent(fault: LogFault): void {
    const current = this.#current;
    this.#stall?.[Symbol.dispose]();
    this.#current = undefined;
    this.#previous = undefined;
    this.isStalled = false;
    current?.end.resolve();
    this.#reject(current?.tick.appends ?? [], fault);
    this.#sendSoon();
  }

  /** Rejects everything, for good. */
  fail(fault: LogFault): void {
    this.#fault = fault;
    const waiting = this.#queue.splice(0);
    this.failCurrent(fault);
    this.#reject(waiting, fault);
  }

  #reject(appends: readonly OwnAppend[], fault: LogFault): void {
    for (const { answer } of appends) answer.reject(fault);
    this.#release(appends);
  }

  #sendSoon(): void {
    if (this.#isSending || this.#current !== undefined || this.#queue.length === 0) return;
    this.#isSending = true;
    // Whatever else this turn of the event loop brings belongs in the same tick.
    this.#deps.clock.soon(() => {
      this.#isSending = false;
      if (this.#fault === undefined && this.#queue.length > 0) this.#send();
    });
  }

  #send(): void {
    const { author, clock, send } = this.#deps;
    const appends = this.#takeAppends();
    const bytes = appends.reduce((sum, append) => sum + append.bytes, 0);
    const end = Promise.withResolvers<void>();
    const counter = ++this.#counter;
    const tick = { author, counter, previous: this.#previous, appends, bytes, end: end.promise };
    this.#current = { tick, end };
    this.#stall = clock.after(STALL_MS, () => {
      this.isStalled = true;
      this.refuseWaiting();
    });
    send(tick);
  }

  #takeAppends(): OwnAppend[] {
    const maxBytes = Math.min(MAX_TICK_BYTES, this.#deps.chain.maxBytes / 2);
    let bytes = 0;
    let count = 0;
    for (const append of this.#queue) {
      bytes += append.bytes;
      if (count === MAX_TICK_APPENDS || (count > 0 && bytes > maxBytes)) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  #previousOf({ appends }: OwnTick, answers: readonly Answer[]): PreviousAppend | undefined {
    const stream = appends.at(-1)?.stream ?? "";
    const answer = answers.at(-1);
    if (answer?.reason !== "written") return undefined;
    // Without entries it left the stream as it was, which is what this node knows of it now.
    const version = answer.count > 0 ? answer.seq : this.#deps.state.versionOf(stream);
    return { stream, version };
  }

  async #answer({ appends }: OwnTick, answers: readonly Answer[], n: number): Promise<void> {
    try {
      await this.#deps.commitOf(n);
      for (const [index, { answer }] of appends.entries()) {
        const became = answers[index];
        if (became !== undefined) answer.resolve(this.#resultOf(became));
      }
    } catch (error) {
      for (const { answer } of appends) answer.reject(error);
    }
  }

  #resultOf({ reason, seq, count }: Answer): AppendResult {
    const { epoch, copy } = this.#deps;
    switch (reason) {
      case "written":
      case "repeated": {
        const entries: readonly Entry[] = count === 0 ? [] : copy.recall(seq, count);
        return { ok: true, position: { epoch, seq }, entries, repeated: reason === "repeated" };
      }
      case "conflict":
      case "fenced":
        return { ok: false, reason, head: seq };
      case "key-reused":
        return { ok: false, reason };
    }
  }

  #release(appends: readonly OwnAppend[]): void {
    this.#appends -= appends.length;
    for (const { bytes } of appends) this.#bytes -= bytes;
    if (this.#appends === 0) this.#idle.resolve();
  }
}

interface Answer {
  readonly reason: "written" | "repeated" | "conflict" | "fenced" | "key-reused";
  readonly seq: number;
  readonly count: number;
}

/** By append, in the order of the tick. */
function answersTo({ appends, refusals }: MessageTick, before: number): readonly Answer[] {
  const answers: Answer[] = [];
  const refused = new Map(refusals.map((refusal) => [refusal.index, refusal]));
  const written = appends.values();
  let seq = before;
  while (answers.length < appends.length + refusals.length) {
    const refusal = refused.get(answers.length);
    const count = refusal === undefined ? (written.next().value?.entries.length ?? 0) : 0;
    seq += count;
    answers.push(refusal ?? { reason: "written", seq, count });
  }
  return answers;
}
