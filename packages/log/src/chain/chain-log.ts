/**
 * A log that several nodes write: every node applies the same chain and reads from its own copy.
 *
 *   append -> own ticks -> the pen, or publish (decide) -> chain -> follow (apply, copy) -> answer
 *   read, tail, findKey -> the copy
 */
import { checkGuard, checkSnapshot, encodeAppend, encodeRewrite, malformed } from "../draft.ts";
import {
  LogFault,
  type AppendOptions,
  type AppendResult,
  type Draft,
  type Entry,
  type EraseOptions,
  type EraseResult,
  type Expected,
  type KeyRecord,
  type ReadOptions,
  type Rewrite,
  type Snapshots,
} from "../log.ts";
import { followTail } from "../tail.ts";
import type { Bus } from "./bus.ts";
import { ChainNode } from "./chain-node.ts";
import type { Chain } from "./chain.ts";
import type { ChainStatus, ClusterLog, NodeIdentity } from "./cluster-log.ts";
import type { Copy, CopyLink } from "./copy/copy.ts";
import { openSqliteCopy } from "./copy/sqlite-copy.ts";
import { openGenesis } from "./genesis.ts";
import type { Genesis } from "./state/chain-state.ts";
import { erasureParts, sizeInMessage } from "./state/message.ts";
import { chainClock, pause, type ChainClock } from "./waiting/clock.ts";

const HOUR_MS = 60 * 60 * 1000;
const MIB = 1024 * 1024;
/** What a message has besides its appends, at most. */
const MESSAGE_BYTES = 1024;
/** How long closing waits for servers that do not answer. */
const PATIENCE_MS = 2000;

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
  /** What each server of the chain says of itself, where that can be asked. */
  readonly readServers?: ClusterLog["readServers"];
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
  readonly #clock: ChainClock;
  readonly #copy: Copy;
  readonly #node: ChainNode;
  readonly #copiedTo: number;
  readonly #maxPendingBytes: number;
  readonly #warnings: () => readonly string[];
  readonly #release: () => Promise<void>;
  readonly readServers: ClusterLog["readServers"];
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
    const { chain, bus, node, maxPendingBytes = 32 * MIB, maxPendingAppends = 20_000 } = options;
    this.node = node;
    this.bus = bus;
    this.epoch = genesis.epoch;
    this.#copiedTo = genesis.copiedTo ?? 0;
    this.#warnings = options.warnings ?? (() => []);
    this.readServers = options.readServers ?? (async () => []);
    this.#release = options.release ?? (async () => undefined);
    this.stopped = this.#stopped.promise;
    this.#chain = chain;
    this.#clock = clock;
    this.#copy = copy;
    this.#maxPendingBytes = maxPendingBytes;
    this.#node = new ChainNode({
      author: { node: node.id, life: node.life },
      chain,
      bus,
      copy,
      clock,
      genesis,
      limits: { maxAppends: maxPendingAppends, maxBytes: maxPendingBytes },
      onCommit: (links) => this.#onCommit(links),
      onFault: (fault) => this.#stop(fault),
      onLoss: (fault) => {
        this.#stop(fault);
        this.#stopped.resolve(this.#fault);
      },
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
    try {
      await this.#node.begin();
      if (this.head < this.#copiedTo) throw unfinished(this.head, this.#copiedTo);
    } catch (error) {
      this.#node.close(closed(this.#copy.path));
      throw error;
    }
  }

  get head(): number {
    return this.#copy.head;
  }

  get trouble(): string | undefined {
    const fault = this.#fault ?? this.#node.follower.missing;
    if (fault !== undefined) return fault.message;
    if (this.#chain.trouble !== undefined) return this.#chain.trouble;
    return this.#node.ticks.isStalled
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
    const { key, guard } = options;
    const bytes = sizeInMessage({ ...encoded, stream, key, guard });
    const maxBytes = this.#maxBytes;
    if (bytes > maxBytes) return { ok: false, reason: "oversize", maxBytes };
    if (this.trouble !== undefined) {
      this.#node.counts.unavailable++;
      return { ok: false, reason: "unavailable" };
    }
    if (expected === "after-previous" && !wasPreviousTaken) return { ok: false, reason: "busy" };
    const answer = Promise.withResolvers<AppendResult>();
    const append = { ...encoded, bytes, stream, expected, key, guard, answer };
    this.#isPreviousTaken = this.#node.ticks.offer(append);
    return this.#isPreviousTaken ? answer.promise : { ok: false, reason: "busy" };
  }

  async findKey(id: string): Promise<KeyRecord | undefined> {
    this.#copy.checkOpen();
    const key = this.#node.state.findKey(id);
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

  async erase(rewrites: readonly Rewrite[], { guard }: EraseOptions = {}): Promise<EraseResult> {
    this.#checkOpen();
    checkGuard(guard);
    const texts = rewrites.map((rewrite) => ({ seq: rewrite.seq, text: encodeRewrite(rewrite) }));
    const maxBytes = this.#maxBytes;
    for (const { seq, text } of texts) {
      const bytes = Buffer.byteLength(text);
      if (bytes <= maxBytes) continue;
      throw malformed(
        `the new data of entry ${seq} has ${bytes} bytes, and the log takes ${maxBytes} at once`,
      );
    }
    const { trouble } = this;
    if (trouble !== undefined) throw new LogFault("failed", `nothing was erased: ${trouble}`);
    for (const part of erasureParts(texts)) {
      const { n, head } = await this.#node.publisher.erase(part, guard);
      if (n === undefined) return { ok: false, reason: "fenced", head };
      await this.#node.follower.commitOf(n);
    }
    return { ok: true };
  }

  onErase(listener: () => void): void {
    this.#eraseListeners.push(listener);
  }

  hashAt(n: number): string | undefined {
    return this.#node.follower.hashAt(n) ?? this.#copy.hashAt(n);
  }

  status(): ChainStatus {
    const { state, follower, pen, counts } = this.#node;
    const { applied, hash } = state;
    const lag = follower.known - applied;
    const warnings = [...this.#warnings(), ...this.#copy.warnings];
    const maxBytes = this.#maxBytes;
    return { applied, hash, lag, pen: pen.holder, maxBytes, warnings, counts: { ...counts } };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await this.#drain();
    this.#node.close(closed(this.#copy.path));
    try {
      await this.#copy.close();
    } catch (error) {
      if (error instanceof LogFault) this.#stopped.resolve(error);
    }
    await this.#release();
    this.#stopped.resolve(undefined);
  }

  /** Finishes what was accepted; what nobody can acknowledge is not waited for without end. */
  async #drain(): Promise<void> {
    const drained = this.#node.drained().then(
      () => true,
      () => true,
    );
    for (;;) {
      const patience = pause(this.#clock, PATIENCE_MS).then(() => false);
      if ((await Promise.race([drained, patience])) || this.trouble !== undefined) return;
    }
  }

  #onCommit(links: readonly CopyLink[]): void {
    const hasErased = links.some(
      ({ message }) => message.body.kind === "erase" && message.author.life !== this.node.life,
    );
    if (hasErased) for (const listener of this.#eraseListeners) listener();
  }

  #stop(fault: LogFault): void {
    this.#fault ??= fault;
    this.#node.halt(this.#fault);
  }

  /** Of one append: another server may take more or less than the one before. */
  get #maxBytes(): number {
    return Math.min(this.#maxPendingBytes, this.#chain.maxBytes - MESSAGE_BYTES);
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
