/**
 * What one source sends, on its way into the log, in order.
 *
 *   signals -> the batch that is gathering -> one command, one entry -> everyone who waited is answered
 *
 * While one batch is being written the next gathers, so that a busy source costs few entries. Words on their way are
 * told at once and wait a moment for more of them, so that they are not kept one by one. Nobody is
 * answered before what they sent is durable.
 */
import {
  coalesce,
  isPassing,
  isRecent,
  noIds,
  remember,
  type Outcome,
  type RecentIds,
  type Signal,
} from "@atrium/core";
import type { Timers } from "../../asking/timers.ts";
import type { CallKey } from "../idempotency.ts";

export interface SourceLineDeps {
  /** Resolves when they are in the log. */
  readonly write: (
    source: string,
    signals: readonly Signal[],
    key: CallKey | undefined,
  ) => Promise<Outcome<unknown>>;
  /** Tells something that is not in the log yet. */
  readonly pass: (signal: Signal) => void;
  readonly timers: Timers;
}

interface Batch {
  readonly signals: Signal[];
  size: number;
  readonly key: CallKey | undefined;
  readonly written: PromiseWithResolvers<Outcome<unknown>>;
  /** Has something that need not wait for more. */
  isDue: boolean;
}

/** How long words wait for more of them. */
const GATHER_MS = 100;
/** So many need not wait. */
const ENOUGH_WORDS = 64;
const MOST_PER_ENTRY = 500;
const LARGEST_GATHERED = 1024 * 1024;

export class SourceLine {
  readonly #source: string;
  readonly #deps: SourceLineDeps;
  readonly #batches: Batch[] = [];
  #passed: RecentIds = noIds;
  #isWriting = false;
  #stopWaiting: (() => void) | undefined;

  constructor(source: string, deps: SourceLineDeps) {
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
    for (const { signals } of this.#batches) yield* coalesce(signals.filter(isPassing));
  }

  #batchFor(count: number, size: number, key: CallKey | undefined): Batch {
    const last = this.#batches.at(-1);
    // The first is on its way as long as something is being written.
    const isOpen = last?.key === undefined && !(this.#isWriting && this.#batches.length === 1);
    const fits = (batch: Batch): boolean =>
      batch.signals.length + count <= MOST_PER_ENTRY && batch.size + size <= LARGEST_GATHERED;
    if (last !== undefined && key === undefined && isOpen && fits(last)) return last;
    if (last !== undefined) last.isDue = true;
    const written = Promise.withResolvers<Outcome<unknown>>();
    const batch = { signals: [], size: 0, key, written, isDue: false };
    this.#batches.push(batch);
    return batch;
  }

  #add(batch: Batch, signal: Signal): void {
    batch.signals.push(signal);
    if (!isPassing(signal)) {
      batch.isDue = true;
      return;
    }
    // Sent again: whoever listens has heard it, and the log will know it.
    if (signal.id !== "" && isRecent(this.#passed, signal.id)) return;
    this.#passed = remember(this.#passed, [signal.id]);
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
    await write(this.#source, batch.signals, batch.key).then(resolve, reject);
    this.#isWriting = false;
    this.#batches.shift();
    this.#writeNext();
  }
}
