/**
 * A log that several nodes write: every node applies the same chain and reads from its own copy.
 *
 *   append -> own ticks -> publisher (decide, publish) -> chain -> follower (apply, copy) -> answer
 *   read, tail, findKey -> the copy
 */
import { checkSnapshot, encodeAppend, encodeRewrite, malformed } from "../draft.ts";
import {
  LogFault,
  type AppendOptions,
  type AppendResult,
  type Draft,
  type Entry,
  type Expected,
  type KeyRecord,
  type ReadOptions,
  type Rewrite,
  type Snapshots,
} from "../log.ts";
import { followTail } from "../tail.ts";
import type { Bus } from "./bus.ts";
import type { Chain } from "./chain.ts";
import { chainClock, type ChainClock } from "./clock.ts";
import type { ChainStatus, ClusterLog, NodeIdentity } from "./cluster-log.ts";
import type { Copy, CopyLink } from "./copy/copy.ts";
import { openSqliteCopy } from "./copy/sqlite-copy.ts";
import { createCounts, type Counts } from "./counts.ts";
import { Follower } from "./follower.ts";
import { openGenesis } from "./genesis.ts";
import { APPEND_OVERHEAD, OwnTicks } from "./own-ticks.ts";
import { Publisher } from "./publisher.ts";
import { ChainState, type Genesis } from "./state/chain-state.ts";

const HOUR_MS = 60 * 60 * 1000;
const MIB = 1024 * 1024;

export interface ChainLogOptions {
  readonly chain: Chain;
  readonly bus: Bus;
  readonly node: NodeIdentity;
  /** The file of this node's copy; the folder is made when it is missing. */
  readonly copyFile: string;
  /** What may wait in memory to be written before append answers `busy`. */
  readonly maxPendingBytes?: number;
  readonly maxPendingAppends?: number;
  /** How long a key is remembered, by the times that writers stamp; the first node of a log decides it. */
  readonly keyRetentionMs?: number;
  /** What an operator should change at the chain, though it works. */
  readonly warnings?: () => readonly string[];
  /** Lets go of the chain and the bus, after everything else. */
  readonly release?: () => Promise<void>;
}

/** Resolves once this node has everything that stood in the chain when it came. */
export async function openChainLog(options: ChainLogOptions): Promise<ClusterLog> {
  try {
    const copy = await openSqliteCopy(options.copyFile);
    return await openOnCopy(options, copy, chainClock);
  } catch (error) {
    await options.release?.();
    throw error;
  }
}

export async function openOnCopy(
  options: Omit<ChainLogOptions, "copyFile">,
  copy: Copy,
  clock: ChainClock,
): Promise<ClusterLog> {
  try {
    const { chain, node, keyRetentionMs = 48 * HOUR_MS } = options;
    const genesis = await openGenesis({ chain, copy, node, clock, keyRetentionMs });
    const log = new ChainLog(options, copy, clock, genesis);
    await log.begin();
    return log;
  } catch (error) {
    await copy.close();
    throw error;
  }
}

class ChainLog implements ClusterLog {
  readonly node: NodeIdentity;
  readonly bus: Bus;
  readonly epoch: string;
  readonly snapshots: Snapshots;
  readonly stopped: Promise<LogFault | undefined>;
  readonly #chain: Chain;
  readonly #copy: Copy;
  readonly #state: ChainState;
  readonly #copiedTo: number;
  readonly #counts: Counts = createCounts();
  readonly #follower: Follower;
  readonly #publisher: Publisher;
  readonly #ticks: OwnTicks;
  readonly #maxBytes: number;
  readonly #warnings: () => readonly string[];
  readonly #release: () => Promise<void>;
  readonly #eraseListeners: (() => void)[] = [];
  readonly #stopped = Promise.withResolvers<LogFault | undefined>();
  #isPreviousTaken = false;
  #fault: LogFault | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    options: Omit<ChainLogOptions, "copyFile">,
    copy: Copy,
    clock: ChainClock,
    genesis: Genesis,
  ) {
    const { chain, node } = options;
    this.node = node;
    this.bus = options.bus;
    this.epoch = genesis.epoch;
    this.#copiedTo = genesis.copiedTo ?? 0;
    this.stopped = this.#stopped.promise;
    this.#chain = chain;
    this.#copy = copy;
    this.#warnings = options.warnings ?? (() => []);
    this.#release = options.release ?? (async () => undefined);
    this.#maxBytes = Math.min(
      options.maxPendingBytes ?? 32 * MIB,
      chain.maxBytes - APPEND_OVERHEAD,
    );
    const state = new ChainState(copy, copy.start, genesis.keyRetentionMs);
    this.#state = state;
    const counts = this.#counts;
    const author = { node: node.id, life: node.life };
    const follower = new Follower({
      chain,
      copy,
      state,
      clock,
      counts,
      steps: {
        onApply: (link) => this.#ticks.onApply(link),
        onCommit: (links) => this.#onCommit(links),
        askOthers: async () => undefined,
        onFault: (fault) => this.#stop(fault),
        onLoss: (fault) => this.#lose(fault),
      },
    });
    this.#follower = follower;
    this.#publisher = new Publisher({
      author,
      chain,
      state,
      follower,
      clock,
      counts,
      onFault: (fault) => this.#stop(fault),
      onShorter: (last) => this.#stop(shorter(last, state.applied)),
    });
    this.#ticks = new OwnTicks({
      author,
      epoch: this.epoch,
      copy,
      state,
      clock,
      limits: {
        maxAppends: options.maxPendingAppends ?? 20_000,
        maxBytes: options.maxPendingBytes ?? 32 * MIB,
      },
      send: (tick) =>
        this.#publisher.add({
          tick,
          answer: (decided) => this.#ticks.settle(decided, state.head, state.applied),
        }),
      commitOf: (n) => follower.commitOf(n),
      onUnavailable: (appends) => (counts.unavailable += appends),
    });
    this.snapshots = {
      load: async (name) => copy.findSnapshot(name),
      save: async (name, snapshot) => {
        this.#checkOpen();
        checkSnapshot(name, snapshot);
        await copy.saveSnapshot(name, snapshot);
      },
    };
  }

  async begin(): Promise<void> {
    this.#follower.watch();
    await this.#follower.catchUp();
    await this.#follower.commitOf(this.#state.applied);
    if (this.head >= this.#copiedTo) return;
    const fault = unfinished(this.head, this.#copiedTo);
    this.#halt(fault);
    throw fault;
  }

  get head(): number {
    return this.#copy.head;
  }

  get trouble(): string | undefined {
    if (this.#fault !== undefined) return this.#fault.message;
    if (this.#chain.trouble !== undefined) return this.#chain.trouble;
    return this.#ticks.isStalled
      ? "the log's servers have acknowledged nothing for 2 seconds"
      : undefined;
  }

  async append(
    stream: string,
    expected: Expected,
    drafts: readonly Draft[],
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    const wasPreviousTaken = this.#isPreviousTaken;
    this.#isPreviousTaken = false;
    this.#checkOpen();
    const encoded = encodeAppend(stream, expected, drafts, options);
    if (encoded.bytes > this.#maxBytes) {
      throw malformed(`${encoded.bytes} bytes at once are more than the log takes`);
    }
    if (this.trouble !== undefined) {
      this.#counts.unavailable++;
      return { ok: false, reason: "unavailable" };
    }
    if (expected === "after-previous" && !wasPreviousTaken) return { ok: false, reason: "busy" };
    const answer = Promise.withResolvers<AppendResult>();
    const { key, guard } = options;
    this.#isPreviousTaken = this.#ticks.offer({ ...encoded, stream, expected, key, guard, answer });
    return this.#isPreviousTaken ? answer.promise : { ok: false, reason: "busy" };
  }

  async findKey(id: string): Promise<KeyRecord | undefined> {
    this.#copy.checkOpen();
    const key = this.#state.findKey(id);
    if (key === undefined || key.seq > this.head) return undefined;
    const { digest, seq, count } = key;
    return { digest, seq, entries: this.#copy.recall(seq, count) };
  }

  read(options: ReadOptions = {}): AsyncIterable<Entry> {
    return this.#copy.read(options);
  }

  tail(after: number, signal?: AbortSignal): AsyncIterable<readonly Entry[]> {
    return followTail(this.#copy, after, signal);
  }

  async erase(rewrites: readonly Rewrite[]): Promise<void> {
    this.#checkOpen();
    const texts = rewrites.map((rewrite) => ({ seq: rewrite.seq, text: encodeRewrite(rewrite) }));
    const n = await this.#publisher.erase(texts);
    await this.#follower.commitOf(n);
  }

  onErase(listener: () => void): void {
    this.#eraseListeners.push(listener);
  }

  hashAt(n: number): string | undefined {
    return n === this.#state.applied ? this.#state.hash : this.#copy.hashAt(n);
  }

  status(): ChainStatus {
    const { applied, hash } = this.#state;
    return {
      applied,
      hash,
      lag: this.#follower.known - applied,
      pen: undefined,
      warnings: this.#warnings(),
      counts: { ...this.#counts },
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await this.#ticks.drained();
    await this.#publisher.drained();
    await this.#follower.commitOf(this.#state.applied).catch(() => undefined);
    this.#halt(closed(this.#copy.path));
    try {
      await this.#copy.close();
    } catch (error) {
      if (error instanceof LogFault) this.#stopped.resolve(error);
    }
    await this.#release();
    this.#stopped.resolve(undefined);
  }

  #onCommit(links: readonly CopyLink[]): void {
    const hasErased = links.some(
      ({ message }) => message.body.kind === "erase" && message.author.life !== this.node.life,
    );
    if (hasErased) for (const listener of this.#eraseListeners) listener();
  }

  /** Nothing more is written; what is in the copy can still be read. */
  #stop(fault: LogFault): void {
    this.#fault ??= fault;
    this.#halt(this.#fault);
  }

  /** The copy takes nothing more, so that nothing more can be read either. */
  #lose(fault: LogFault): void {
    this.#stop(fault);
    this.#stopped.resolve(this.#fault);
  }

  #halt(fault: LogFault): void {
    this.#publisher.stop(fault);
    this.#follower.stop(fault);
    this.#ticks.fail(fault);
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closed(this.#copy.path);
  }
}

function closed(path: string): LogFault {
  return new LogFault("closed", `the log of ${path} was closed; open it again`);
}

function unfinished(head: number, copiedTo: number): LogFault {
  return new LogFault(
    "foreign",
    `the log at the servers is an unfinished copy with ${head} of ${copiedTo} entries: run atrium log copy again, which goes on where it was`,
  );
}

function shorter(last: number, applied: number): LogFault {
  return new LogFault(
    "corrupt",
    `the log's servers have ${last} messages, and this node has applied ${applied}: ` +
      "they lost acknowledged entries; run atrium log repair",
  );
}
