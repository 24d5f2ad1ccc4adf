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
import { ChainWatch } from "./chain-watch.ts";
import type { Chain } from "./chain.ts";
import type { Copy, CopyLink } from "./copy/copy.ts";
import type { Counts } from "./counts.ts";
import { astray, checkLink, searchLink, type LinkSearchDeps } from "./link-search.ts";
import type { ChainState } from "./state/chain-state.ts";
import { hashIn } from "./state/frame.ts";
import { entriesOf, isWhole, type DecodedMessage } from "./state/message.ts";
import { pause, type ChainClock } from "./waiting/clock.ts";
import { Milestones } from "./waiting/milestones.ts";

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
  readonly #search: LinkSearchDeps;
  readonly #watch: ChainWatch;
  readonly #ahead = new Map<number, Uint8Array>();
  readonly #hashes = new Map<number, string>();
  readonly #applying = new Milestones();
  readonly #committing = new Milestones();
  #uncommitted: CopyLink[] = [];
  #isCommitting = false;
  #isFetching = false;
  #isStopped = false;
  #looking: Disposable | undefined;
  #known: number;
  #missing: LogFault | undefined;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    const { state, copy, steps } = deps;
    this.#search = { ...deps, path: copy.path, askOthers: (n) => steps.askOthers(n) };
    this.#watch = new ChainWatch({
      ...deps,
      applied: () => state.applied,
      known: () => this.known,
      onLink: async (n, bytes) => {
        this.offer(n, bytes);
        if (this.#uncommitted.length > MAX_UNCOMMITTED) await this.commitOf(state.applied);
      },
      onStall: () => void this.#fetch(),
    });
    this.#known = state.applied;
    this.#hashes.set(state.applied, state.hash);
    this.#applying.reach(state.applied);
    this.#committing.reach(state.applied);
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
    this.#watch.start();
    this.#look();
  }

  /** Someone says that this place is taken. */
  note(n: number): void {
    if (n <= this.known || this.#isStopped) return;
    this.#known = n;
    this.#watch.guard();
  }

  /** `whole` is what the bytes say, when that is known. */
  offer(n: number, bytes: Uint8Array, whole?: DecodedMessage): void {
    const { state } = this.#deps;
    if (this.#isStopped || n <= state.applied) return;
    const decoded = n === state.applied + 1 ? (whole ?? checkLink(state, bytes)) : undefined;
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
    const { chain, copy, state } = this.#deps;
    const { applied, hash } = state;
    const bytes = applied === 0 ? undefined : await chain.read(applied);
    if (bytes !== undefined && isWhole(bytes) && hashIn(bytes) !== hash) {
      throw astray(applied, copy.path);
    }
  }

  /** Another node has this hash at that place. If the chain has it too, this node has gone astray. */
  async compare(n: number, hash: string): Promise<void> {
    const { chain, copy, steps } = this.#deps;
    const own = this.#hashes.get(n);
    if (own === undefined || own === hash) return;
    const bytes = await chain.read(n);
    if (bytes !== undefined && hashIn(bytes) === hash) steps.onFault(astray(n, copy.path));
  }

  stop(fault: LogFault): void {
    this.#isStopped = true;
    this.#watch.stop();
    this.#looking?.[Symbol.dispose]();
    this.#applying.fail(fault);
    if (!this.#isCommitting) this.#committing.fail(fault);
  }

  #look(): void {
    const { clock, steps } = this.#deps;
    this.#looking = clock.after(LOOK_MS, () => {
      this.catchUp()
        .catch((error: unknown) => {
          if (error instanceof LogFault && !this.#isStopped) steps.onFault(error);
        })
        .finally(() => {
          if (!this.#isStopped) this.#look();
        });
    });
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
    this.#watch.guard();
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

  async #fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    const { state, clock } = this.#deps;
    let misses = 0;
    while (!this.#isStopped && state.applied < this.#known) {
      const n = state.applied + 1;
      misses = (await this.#fetchOne(n)) ? 0 : misses + 1;
      if (misses === MAX_MISSES) this.#miss(n);
      if (misses > 0) await pause(clock, RETRY_MS);
    }
    this.#isFetching = false;
  }

  /** False when nobody has it. */
  async #fetchOne(n: number): Promise<boolean> {
    const { clock, state, counts, steps } = this.#deps;
    const result = await searchLink(this.#search, n);
    if (state.applied >= n || this.#isStopped) return true;
    switch (result.type) {
      case "found":
        counts[result.isRepair ? "repaired" : "fetched"]++;
        this.offer(n, result.bytes);
        return true;
      case "silence":
        await pause(clock, RETRY_MS);
        return true;
      case "fault":
        steps.onFault(result.fault);
        return true;
      case "missing":
        return false;
    }
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

function shorter(last: number, applied: number): LogFault {
  return new LogFault(
    "corrupt",
    `the log's servers have ${last} messages, and this node has applied ${applied}: ` +
      "they lost acknowledged entries; run atrium log repair",
  );
}
