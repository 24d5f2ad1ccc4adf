/**
 * Applies what stands in the chain, each message after the one before it, and hands it to the copy.
 *
 *   watch, publish, read -> offer -> check -> state -> copy -> readers
 *
 * Where a message comes from does not matter: its hash proves it. One that is missing or damaged is fetched, from the
 * chain or else from another node's copy, and never skipped.
 */
import { LogFault } from "../log.ts";
import { faultOf } from "../sqlite/fault.ts";
import type { Chain } from "./chain.ts";
import { pause, type ChainClock } from "./clock.ts";
import type { Copy, CopyLink } from "./copy/copy.ts";
import type { Counts } from "./counts.ts";
import type { ChainState } from "./state/chain-state.ts";
import { hashIn } from "./state/frame.ts";
import { decodeMessage, entriesOf, type DecodedMessage } from "./state/message.ts";

const STALL_MS = 1500;
const RETRY_MS = 250;
const LOOK_MS = 2000;
/** How often nobody may have a message that must be there before that is said. */
const MAX_MISSES = 4;
/** How often the chain may be shorter than what is applied before that is believed. */
const MAX_SHORTER = 8;
const MAX_AHEAD = 256;
const MAX_UNCOMMITTED = 256;
const HASHES = 1024;

export interface FollowerSteps {
  onApply(link: CopyLink): void;
  onCommit(links: readonly CopyLink[]): void;
  /** The copies of other nodes. */
  askOthers(n: number): Promise<Uint8Array | undefined>;
  /** Nobody has a message that must be there. It is looked for again and again. */
  onMissing(fault: LogFault): void;
  /** Nothing more can be applied. */
  onFault(fault: LogFault): void;
  /** Nothing more can be kept. */
  onLoss(fault: LogFault): void;
}

export interface FollowerDeps {
  readonly chain: Chain;
  readonly copy: Copy;
  readonly state: ChainState;
  readonly clock: ChainClock;
  readonly counts: Counts;
  readonly steps: FollowerSteps;
}

export class Follower {
  readonly #deps: FollowerDeps;
  readonly #ahead = new Map<number, Uint8Array>();
  readonly #hashes = new Map<number, string>();
  readonly #applying = new Milestones();
  readonly #committing = new Milestones();
  #uncommitted: CopyLink[] = [];
  #isCommitting = false;
  #isFetching = false;
  #isStopped = false;
  #watchdog: Disposable | undefined;
  #looking: Disposable | undefined;
  #watching = new AbortController();
  /** The last place that the watch brought, and how many it brought. */
  #delivered: number;
  #deliveries = 0;
  #known: number;
  #missing: LogFault | undefined;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    const { applied, hash } = deps.state;
    this.#known = applied;
    this.#delivered = applied;
    this.#hashes.set(applied, hash);
    this.#applying.reach(applied);
    this.#committing.reach(applied);
  }

  /** How many places are known to be taken. */
  get known(): number {
    return Math.max(this.#known, this.#deps.state.applied);
  }

  /** Says which message nobody has. */
  get missing(): LogFault | undefined {
    return this.#missing;
  }

  /** Of one of the newest messages. */
  hashAt(n: number): string | undefined {
    return this.#hashes.get(n);
  }

  /** Begins to watch, and to look now and then for what a watch would not bring. */
  start(): void {
    this.watch();
    this.#look();
  }

  #look(): void {
    this.#looking = this.#deps.clock.after(LOOK_MS, () => {
      this.catchUp()
        .catch((error: unknown) => {
          if (error instanceof LogFault && !this.#isStopped) this.#deps.steps.onFault(error);
        })
        .finally(() => {
          if (!this.#isStopped) this.#look();
        });
    });
  }

  watch(): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#delivered = this.#deps.state.applied;
    if (!this.#isStopped) void this.#watch(this.#watching.signal);
  }

  /** Someone says that this place is taken. */
  note(n: number): void {
    if (n <= this.known || this.#isStopped) return;
    this.#known = n;
    this.#guardProgress();
  }

  /** `whole` is what the bytes say, when that is known. */
  offer(n: number, bytes: Uint8Array, whole?: DecodedMessage): void {
    const { state } = this.#deps;
    if (this.#isStopped || n <= state.applied) return;
    const decoded = n === state.applied + 1 ? (whole ?? this.#check(bytes)) : undefined;
    if (decoded !== undefined) {
      this.#apply(n, bytes, decoded);
      return;
    }
    if (n > state.applied + 1 && this.#ahead.size < MAX_AHEAD) this.#ahead.set(n, bytes);
    this.note(n);
    void this.#fetch();
  }

  /** Resolves once that message is applied here; rejects when it never will be. */
  reach(n: number): Promise<void> {
    return this.#applying.wait(n);
  }

  /** Resolves once that message is in the copy and readers see it. */
  commitOf(n: number): Promise<void> {
    return this.#committing.wait(n);
  }

  /**
   * Applies everything that stands in the chain now. Rejects with a fault when the servers have lost what was applied
   * here; asked again for a while, because a server that has just lost the lead may not know it yet.
   */
  async catchUp(): Promise<void> {
    const { chain, clock, state } = this.#deps;
    const { applied } = state;
    for (let tries = 0; ; tries++) {
      const last = await chain.last();
      if (last >= applied) {
        this.note(last);
        return this.reach(last);
      }
      if (tries > MAX_SHORTER) throw shorter(last, applied);
      await pause(clock, RETRY_MS);
    }
  }

  /** Throws when the chain has another message where this node's copy ends. */
  async compareLast(): Promise<void> {
    const { chain, state } = this.#deps;
    const { applied, hash } = state;
    const bytes = applied === 0 ? undefined : await chain.read(applied);
    if (bytes !== undefined && isWhole(bytes) && hashIn(bytes) !== hash) {
      throw this.#astray(applied);
    }
  }

  /** Another node has this hash at that place. If the chain has it too, this node has gone astray. */
  async compare(n: number, hash: string): Promise<void> {
    const own = this.#hashes.get(n);
    if (own === undefined || own === hash) return;
    const bytes = await this.#deps.chain.read(n);
    if (bytes !== undefined && hashIn(bytes) === hash) this.#deps.steps.onFault(this.#astray(n));
  }

  stop(fault: LogFault): void {
    this.#isStopped = true;
    this.#watching.abort();
    this.#watchdog?.[Symbol.dispose]();
    this.#looking?.[Symbol.dispose]();
    this.#applying.fail(fault);
    if (!this.#isCommitting) this.#committing.fail(fault);
  }

  #check(bytes: Uint8Array): DecodedMessage | undefined {
    try {
      const decoded = decodeMessage(bytes);
      return this.#deps.state.follows(decoded.message) ? decoded : undefined;
    } catch {
      return undefined;
    }
  }

  #apply(n: number, bytes: Uint8Array, decoded: DecodedMessage): void {
    const { state, steps } = this.#deps;
    state.apply(decoded);
    this.#missing = undefined;
    this.#hashes.set(n, decoded.hash);
    this.#hashes.delete(n - HASHES);
    const link = { ...decoded, n, bytes, entries: entriesOf(decoded.message) };
    this.#uncommitted.push(link);
    void this.#commit();
    steps.onApply(link);
    this.#applying.reach(n);
    const next = this.#ahead.get(n + 1);
    this.#ahead.delete(n);
    if (next !== undefined) this.offer(n + 1, next);
    this.#guardProgress();
  }

  async #commit(): Promise<void> {
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    const { copy, state, steps } = this.#deps;
    try {
      while (this.#uncommitted.length > 0) {
        const links = this.#uncommitted;
        this.#uncommitted = [];
        await copy.commit(links);
        const n = links.at(-1)?.n ?? 0;
        state.forgetKeys(n);
        steps.onCommit(links);
        this.#committing.reach(n);
      }
      this.#isCommitting = false;
    } catch (error) {
      const fault = faultOf(error, copy.path);
      this.stop(fault);
      this.#committing.fail(fault);
      steps.onLoss(fault);
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { chain, state, clock } = this.#deps;
    try {
      for await (const { n, bytes } of chain.watch(state.applied, signal)) {
        if (signal.aborted) return;
        this.#deliveries++;
        this.#delivered = Math.max(this.#delivered, n);
        this.offer(n, bytes);
        if (this.#uncommitted.length > MAX_UNCOMMITTED) await this.commitOf(state.applied);
      }
    } catch {
      // A watch that ends is begun again, however it ended.
    }
    await pause(clock, RETRY_MS);
    if (!signal.aborted) this.watch();
  }

  /**
   * A watch brings every place that is known to be taken, also those that came another way first; one that brings
   * nothing for a while is thrown away.
   */
  #guardProgress(): void {
    if (this.#watchdog !== undefined || this.#isStopped || this.#delivered >= this.known) return;
    const { clock, counts } = this.#deps;
    const deliveries = this.#deliveries;
    this.#watchdog = clock.after(STALL_MS, () => {
      this.#watchdog = undefined;
      if (this.#deliveries === deliveries && this.#delivered < this.known) {
        counts.watchRestarts++;
        this.watch();
        void this.#fetch();
      }
      this.#guardProgress();
    });
  }

  async #fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    const { state, clock } = this.#deps;
    let misses = 0;
    while (!this.#isStopped && state.applied < this.#known) {
      const n = state.applied + 1;
      if (await this.#fetchOne(n)) misses = 0;
      else {
        if (++misses === MAX_MISSES) this.#miss(n);
        await pause(clock, RETRY_MS);
      }
    }
    this.#isFetching = false;
  }

  /** True when the message is applied, from wherever it came. */
  async #fetchOne(n: number): Promise<boolean> {
    const { chain, state, counts, steps } = this.#deps;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await chain.read(n);
    } catch {
      // Nobody can tell for the moment; that says nothing about the message.
      await pause(this.#deps.clock, RETRY_MS);
      return true;
    }
    if (state.applied >= n) return true;
    if (bytes !== undefined && this.#isForeign(n, bytes)) return true;
    if (bytes !== undefined && this.#check(bytes) !== undefined) {
      counts.fetched++;
      this.offer(n, bytes);
      return true;
    }
    const kept = await steps.askOthers(n);
    if (state.applied >= n) return true;
    if (kept === undefined || this.#check(kept) === undefined) return false;
    if (!(await this.#isFollowed(n, kept)) || state.applied >= n) return state.applied >= n;
    counts.repaired++;
    this.offer(n, kept);
    return true;
  }

  /** Whether the chain goes on behind these bytes, as far as that can be seen. */
  async #isFollowed(n: number, bytes: Uint8Array): Promise<boolean> {
    const next =
      this.#ahead.get(n + 1) ?? (await this.#deps.chain.read(n + 1).catch(() => undefined));
    try {
      return next === undefined || decodeMessage(next).message.previous === hashIn(bytes);
    } catch {
      return true;
    }
  }

  /** A whole message that does not follow on what is applied here, or that this program cannot read: an end. */
  #isForeign(n: number, bytes: Uint8Array): boolean {
    try {
      if (this.#deps.state.follows(decodeMessage(bytes).message)) return false;
    } catch (error) {
      if (!(error instanceof LogFault) || error.code !== "foreign") return false;
      this.#deps.steps.onFault(error);
      return true;
    }
    this.#deps.steps.onFault(this.#astray(n));
    return true;
  }

  #astray(n: number): LogFault {
    return new LogFault(
      "corrupt",
      `message ${n} of the log's servers does not follow on this node's copy ${this.#deps.copy.path}: ` +
        "one of them has another history; compare them with atrium log verify",
    );
  }

  #miss(n: number): void {
    this.#missing = new LogFault(
      "corrupt",
      `message ${n} is missing or damaged at the log's servers and in every node's copy that can be reached: ` +
        "start the other nodes, or look at the servers and run atrium log repair",
    );
    this.#deps.steps.onMissing(this.#missing);
  }
}

function isWhole(bytes: Uint8Array): boolean {
  try {
    decodeMessage(bytes);
    return true;
  } catch {
    return false;
  }
}

function shorter(last: number, applied: number): LogFault {
  return new LogFault(
    "corrupt",
    `the log's servers have ${last} messages, and this node has applied ${applied}: ` +
      "they lost acknowledged entries; run atrium log repair",
  );
}

/** Waiting for a number that only grows. */
class Milestones {
  #reached = 0;
  #fault: LogFault | undefined;
  readonly #waiting = new Set<{
    readonly n: number;
    readonly arrival: PromiseWithResolvers<void>;
  }>();

  wait(n: number): Promise<void> {
    if (n <= this.#reached) return Promise.resolve();
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    const arrival = Promise.withResolvers<void>();
    this.#waiting.add({ n, arrival });
    return arrival.promise;
  }

  reach(n: number): void {
    this.#reached = n;
    for (const waiting of this.#waiting) {
      if (waiting.n > n) continue;
      this.#waiting.delete(waiting);
      waiting.arrival.resolve();
    }
  }

  fail(fault: LogFault): void {
    this.#fault = fault;
    for (const { arrival } of this.#waiting) arrival.reject(fault);
    this.#waiting.clear();
  }
}
