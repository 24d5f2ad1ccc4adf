/**
 * Puts ticks into the chain: decides those that wait against everything before, and publishes what is to be written
 * behind it, one message at a time.
 *
 * Only one message can ever stand at a place, so an outcome that is unknown is looked up: ours is written, another's
 * makes us decide again, and where nothing stands the same bytes are published again.
 */
import { LogFault, type Guard } from "../log.ts";
import type { Chain } from "./chain.ts";
import type { Counts } from "./counts.ts";
import type { Follower } from "./follower.ts";
import type { ChainState } from "./state/chain-state.ts";
import { Decider, type Tick } from "./state/decide.ts";
import { hashIn } from "./state/frame.ts";
import {
  encodeMessage,
  type ChainAuthor,
  type DecodedMessage,
  type MessageBody,
  type MessageRewrite,
  type MessageTick,
} from "./state/message.ts";
import { StreamTurns } from "./stream-turns.ts";
import { pause, type ChainClock } from "./waiting/clock.ts";

const MAX_MESSAGE_BYTES = 512 * 1024;
const RETRY_MS = 100;
/** How often to look whether it is a waiting tick's turn. */
const TURN_MS = 1;

export interface WaitingTick {
  readonly tick: Tick;
  /**
   * Takes an answer that writes nothing, when no other node may have the tick; without it the answer must go into the
   * chain, where whoever has the tick finds that it is settled.
   */
  readonly answer?: (answer: MessageTick) => void;
}

interface DecidedTick {
  readonly tick: Tick;
  readonly decided: MessageTick;
}

interface WaitingErasure {
  readonly rewrites: readonly MessageRewrite[];
  readonly guard: Guard | undefined;
  readonly outcome: PromiseWithResolvers<ErasureOutcome>;
}

/** The number of the message that erased, or the version of the guard's stream, which kept it from that. */
export type ErasureOutcome =
  | { readonly n: number; readonly head?: undefined }
  | { readonly n?: undefined; readonly head: number };

export interface PublisherDeps {
  readonly author: ChainAuthor;
  readonly chain: Chain;
  readonly state: ChainState;
  readonly follower: Follower;
  readonly clock: ChainClock;
  readonly counts: Counts;
  /** The chain does not take what is under way. */
  readonly onMalformed: (fault: LogFault) => void;
  /** Nothing more can be published. */
  readonly onFault: (fault: LogFault) => void;
}

export class Publisher {
  readonly #deps: PublisherDeps;
  readonly #ticks: WaitingTick[] = [];
  readonly #erasures: WaitingErasure[] = [];
  /** What may be refused on what is known here, because everything was looked up since it came. */
  readonly #current = new WeakSet<Tick | WaitingErasure>();
  readonly #turns = new StreamTurns();
  #running: Promise<void> | undefined;
  #fault: LogFault | undefined;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  /** Settled once it is applied (follower) or answered. */
  add(waiting: WaitingTick): void {
    this.#ticks.push(waiting);
    this.#start();
  }

  has({ author, counter }: Tick): boolean {
    return this.#ticks.some(
      ({ tick }) => tick.author.life === author.life && tick.counter === counter,
    );
  }

  erase(rewrites: readonly MessageRewrite[], guard: Guard | undefined): Promise<ErasureOutcome> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    const outcome = Promise.withResolvers<ErasureOutcome>();
    this.#erasures.push({ rewrites, guard, outcome });
    this.#start();
    return outcome.promise;
  }

  /** Resolves once nothing waits. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  stop(fault: LogFault): void {
    this.#fault = fault;
    this.#ticks.length = 0;
    for (const { outcome } of this.#erasures.splice(0)) outcome.reject(fault);
  }

  #start(): void {
    if (this.#fault !== undefined) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isWaiting()) this.#start();
    });
  }

  #isWaiting(): boolean {
    return this.#fault === undefined && this.#ticks.length + this.#erasures.length > 0;
  }

  async #run(): Promise<void> {
    while (this.#isWaiting()) {
      try {
        const [erasure] = this.#erasures;
        if (erasure === undefined) await this.#publishTicks();
        else await this.#publishErasure(erasure);
      } catch (error) {
        if (error instanceof LogFault) this.#fail(error);
        // Else nobody can be reached for the moment.
        else await pause(this.#deps.clock, RETRY_MS);
      }
    }
  }

  /** What the chain will never take must not keep the rest from it; other nodes meet the same with their ticks. */
  #fail(fault: LogFault): void {
    if (this.#fault !== undefined) return;
    if (fault.code !== "malformed") {
      this.#deps.onFault(fault);
      return;
    }
    this.#ticks.length = 0;
    this.#deps.onMalformed(fault);
  }

  async #publishTicks(): Promise<void> {
    const { clock, follower } = this.#deps;
    const { answers, unproven } = this.#decide();
    if (answers.length > 0) {
      const ticks = answers.map(({ decided }) => decided);
      if (await this.#publish({ kind: "ticks", ticks })) this.#noteTurns(answers);
    } else if (unproven.length > 0) {
      await follower.catchUp();
      for (const tick of unproven) this.#current.add(tick);
    } else if (this.#ticks.length > 0) await pause(clock, TURN_MS);
  }

  /** Answers at once what writes nothing; the rest stays until it is in the chain. */
  #decide(): { readonly answers: readonly DecidedTick[]; readonly unproven: readonly Tick[] } {
    const { chain, state, clock } = this.#deps;
    const maxBytes = Math.min(MAX_MESSAGE_BYTES, chain.maxBytes);
    const decider = new Decider(state);
    const answers: DecidedTick[] = [];
    const unproven: Tick[] = [];
    let bytes = 0;
    for (const waiting of this.#ticks.splice(0)) {
      const { tick, answer } = waiting;
      if (state.hasTick(tick)) continue;
      this.#ticks.push(waiting);
      if (bytes > 0 && bytes + tick.bytes > maxBytes) continue;
      if (!this.#turns.isNext(tick, state, clock.now())) continue;
      const decided = decider.decide(tick);
      if (answer === undefined || answers.length > 0 || !isNothing(decided)) {
        answers.push({ tick, decided });
        bytes += tick.bytes;
      } else if (this.#current.has(tick) || isProven(tick, decided)) {
        this.#ticks.pop();
        this.#turns.note(tick, decided, clock.now());
        answer(decided);
      } else unproven.push(tick);
    }
    return { answers, unproven };
  }

  #noteTurns(answers: readonly DecidedTick[]): void {
    const now = this.#deps.clock.now();
    for (const { tick, decided } of answers) this.#turns.note(tick, decided, now);
  }

  async #publishErasure(erasure: WaitingErasure): Promise<void> {
    const { rewrites, guard, outcome } = erasure;
    const { state, follower } = this.#deps;
    const head = guard === undefined ? 0 : state.versionOf(guard.stream);
    if (guard !== undefined && head !== guard.version) {
      // A version that is still to come may be there already.
      if (head < guard.version && !this.#current.has(erasure)) {
        await follower.catchUp();
        this.#current.add(erasure);
        return;
      }
      outcome.resolve({ head });
      this.#erasures.shift();
      return;
    }
    const n = state.applied + 1;
    try {
      if (!(await this.#publish({ kind: "erase", rewrites }))) return;
      outcome.resolve({ n });
    } catch (error) {
      if (!(error instanceof LogFault) || error.code !== "malformed") throw error;
      outcome.reject(error);
    }
    this.#erasures.shift();
  }

  /** True when it is this message that is applied next. */
  async #publish(body: MessageBody): Promise<boolean> {
    const { author, state, follower } = this.#deps;
    const { applied, hash, head } = state;
    const message = { author, previous: hash, first: head + 1, body };
    const bytes = encodeMessage(message);
    const ours = { message, hash: hashIn(bytes) };
    await this.#settle(applied, bytes, ours);
    return follower.hashAt(applied + 1) === ours.hash;
  }

  /** Resolves once something stands behind that place and is applied here. */
  async #settle(after: number, bytes: Uint8Array, ours: DecodedMessage): Promise<void> {
    const { chain, state, follower, clock, counts } = this.#deps;
    const next = follower.reach(after + 1);
    // Whoever waits for it below meets the rejection.
    next.catch(() => undefined);
    while (state.applied === after && this.#fault === undefined) {
      counts.published++;
      const result = await Promise.race([chain.publish(after, bytes), next]);
      if (result === undefined || state.applied > after) return;
      if (result === "written") return follower.offer(after + 1, bytes, ours);
      counts[result]++;
      if (await this.#look(after, result === "taken")) return next;
      await pause(clock, RETRY_MS);
    }
  }

  /** True when something stands behind that place. */
  async #look(after: number, isTaken: boolean): Promise<boolean> {
    const { chain, follower } = this.#deps;
    const standing = await chain.read(after + 1).catch(() => undefined);
    if (standing !== undefined) follower.offer(after + 1, standing);
    // Nothing to be seen there, and yet refused: it may be that the servers have even less.
    else if (isTaken) await follower.catchUp();
    return standing !== undefined;
  }
}

/**
 * Whether its refusals hold even if this node is behind. A version that has gone by does not come back; one that is
 * still to come may be there already, and so may what a key did.
 */
function isProven({ appends }: Tick, { refusals }: MessageTick): boolean {
  return refusals.every(({ index, reason, seq }) => {
    if (reason !== "conflict" && reason !== "fenced") return true;
    const append = appends[index];
    const wanted = reason === "fenced" ? append?.guard?.version : append?.expected;
    return append?.key === undefined && !(typeof wanted === "number" && wanted > seq);
  });
}

/** Nothing of it changes the log. */
function isNothing({ appends }: MessageTick): boolean {
  return appends.every(({ key, entries }) => key === undefined && entries.length === 0);
}
