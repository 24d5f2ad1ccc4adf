/**
 * What one source sends, on its way into the log, in order.
 *
 *   signals -> the batch that is gathering -> one command, one entry -> everyone who waited is answered
 *
 * While one batch is being written the next gathers, so that a busy source costs few entries. Words on their way are
 * told at once and wait a moment for more of them, so that they are not kept one by one; behind something that is
 * told when it is written, they are told with it, because what a source says is told in order. Nobody is answered
 * before what they sent is durable.
 */
import {
  coalesce,
  isEphemeral,
  isRecent,
  noIds,
  remember,
  type Outcome,
  type RecentIds,
  type Signal,
} from "@atrium/core";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import type { Timers } from "../../../platform/timers.ts";

export interface SourceBatcherDeps {
  readonly write: (source: string, batch: WrittenBatch) => Promise<Outcome<unknown>>;
  readonly pass: (signal: Signal) => void;
  readonly timers: Timers;
}

export interface WrittenBatch {
  readonly signals: readonly Signal[];
  /** Ids of those that were told as they came. */
  readonly passed: readonly string[];
  readonly key: CallKey | undefined;
}

interface Batch extends WrittenBatch {
  readonly signals: Signal[];
  readonly passed: string[];
  size: number;
  readonly written: PromiseWithResolvers<Outcome<unknown>>;
  /** Has something that need not wait for more. */
  isDue: boolean;
  /** Has something that is told when it is written. */
  isUntold: boolean;
}

const GATHER_MS = 100;
/** So many need not wait. */
const ENOUGH_WORDS = 64;
const MAX_PER_ENTRY = 500;
/** In characters: whatever they are, what was gathered here fits into the smallest message of any log. */
const MAX_BATCH_CHARS = 256 * 1024;

export class SourceBatcher {
  readonly #source: string;
  readonly #deps: SourceBatcherDeps;
  readonly #batches: Batch[] = [];
  #passed: RecentIds = noIds;
  #isWriting = false;
  #stopWaiting: (() => void) | undefined;

  constructor(source: string, deps: SourceBatcherDeps) {
    this.#source = source;
    this.#deps = deps;
  }

  get isIdle(): boolean {
    return this.#batches.length === 0;
  }

  /** `size` is about how many characters they are. */
  take(signals: readonly Signal[], size: number, key?: CallKey): Promise<Outcome<unknown>> {
    const batch = this.#batchFor(signals.length, size, key);
    batch.size += size;
    for (const signal of signals) this.#add(batch, signal);
    if (key !== undefined || batch.signals.length >= ENOUGH_WORDS) batch.isDue = true;
    this.#writeNext();
    return batch.written.promise;
  }

  /** What has passed and is not in the log yet, as it will be. */
  *underway(): Iterable<Signal> {
    for (const { signals, passed } of this.#batches) {
      yield* coalesce(signals.filter(({ id }) => passed.includes(id)));
    }
  }

  #batchFor(count: number, size: number, key: CallKey | undefined): Batch {
    const last = this.#batches.at(-1);
    // The first is on its way as long as something is being written.
    const isOpen = last?.key === undefined && !(this.#isWriting && this.#batches.length === 1);
    const fits = (batch: Batch): boolean =>
      batch.signals.length + count <= MAX_PER_ENTRY && batch.size + size <= MAX_BATCH_CHARS;
    if (last !== undefined && key === undefined && isOpen && fits(last)) return last;
    if (last !== undefined) last.isDue = true;
    const written = Promise.withResolvers<Outcome<unknown>>();
    const batch = { signals: [], passed: [], size: 0, key, written, isDue: false, isUntold: false };
    this.#batches.push(batch);
    return batch;
  }

  #add(batch: Batch, signal: Signal): void {
    batch.signals.push(signal);
    const { id } = signal;
    // Sent again: whoever listens has heard it, and the log will know it.
    if (isEphemeral(signal) && isRecent(this.#passed, id)) return;
    const mayPass =
      isEphemeral(signal) && id !== "" && !this.#batches.some(({ isUntold }) => isUntold);
    if (!mayPass) {
      batch.isDue = true;
      batch.isUntold = true;
      return;
    }
    this.#passed = remember(this.#passed, [id]);
    batch.passed.push(id);
    this.#deps.pass(signal);
  }

  #writeNext(): void {
    const [batch] = this.#batches;
    if (batch === undefined || this.#isWriting) return;
    if (batch.isDue) return void this.#write(batch);
    this.#stopWaiting ??= this.#deps.timers.after(GATHER_MS, () => {
      this.#stopWaiting = undefined;
      const [waiting] = this.#batches;
      if (waiting !== undefined) waiting.isDue = true;
      this.#writeNext();
    });
  }

  async #write(batch: Batch): Promise<void> {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#isWriting = true;
    const { write } = this.#deps;
    const { resolve, reject } = batch.written;
    await write(this.#source, batch).then(resolve, reject);
    this.#isWriting = false;
    this.#batches.shift();
    this.#writeNext();
  }
}
