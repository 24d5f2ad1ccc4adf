/**
 * Group commit: what arrives while one commit is under way shares the next.
 *
 *   offer -> queue -> send (one at a time) -> settle
 *                        \-> fail, for good
 *
 * The cost of making a batch durable is nearly the same for one item and for a thousand, so
 * the rate grows with the number of writers. Bounded: what does not fit is turned away.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

const MAX_BATCH_ITEMS = 2000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

interface GroupCommitSteps<Item, Result> {
  /** Makes the items durable together; rejects when nothing can be written any more. */
  send(items: readonly Item[]): Promise<Result>;
  settle(items: readonly Item[], result: Result): void;
  /** Called once, with everything that waits. */
  fail(items: readonly Item[], reason: unknown): void;
}

interface Limits {
  readonly maxItems: number;
  readonly maxBytes: number;
}

export class GroupCommit<Item extends { readonly bytes: number }, Result> {
  readonly #steps: GroupCommitSteps<Item, Result>;
  readonly #limits: Limits;
  readonly #queue: Item[] = [];
  #items = 0;
  #bytes = 0;
  #running: Promise<void> | undefined;

  constructor(limits: Limits, steps: GroupCommitSteps<Item, Result>) {
    this.#limits = limits;
    this.#steps = steps;
  }

  /** False when too much is waiting already; then nothing was taken. */
  offer(item: Item): boolean {
    const items = this.#items + 1;
    const bytes = this.#bytes + item.bytes;
    if (items > this.#limits.maxItems || bytes > this.#limits.maxBytes) return false;
    this.#items = items;
    this.#bytes = bytes;
    this.#queue.push(item);
    this.#running ??= this.#run();
    return true;
  }

  /** Resolves once everything that was taken is settled or has failed. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    // Whatever else this turn of the event loop brings belongs in the same commit.
    await nextTurn();
    let batch = this.#takeBatch();
    try {
      let sent = this.#steps.send(batch);
      while (batch.length > 0) {
        const result = await sent;
        const next = this.#takeBatch();
        // The next commit begins before this one's writers are told: the disk need not wait.
        if (next.length > 0) sent = this.#steps.send(next);
        this.#release(batch);
        const settled = batch;
        batch = next;
        this.#steps.settle(settled, result);
      }
      this.#running = undefined;
      if (this.#queue.length > 0) this.#running = this.#run();
    } catch (error) {
      this.#steps.fail([...batch, ...this.#queue.splice(0)], error);
      this.#running = undefined;
    }
  }

  #takeBatch(): readonly Item[] {
    let bytes = 0;
    let count = 0;
    for (const item of this.#queue) {
      bytes += item.bytes;
      if (count === MAX_BATCH_ITEMS || (count > 0 && bytes > MAX_BATCH_BYTES)) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  #release(batch: readonly Item[]): void {
    this.#items -= batch.length;
    for (const item of batch) this.#bytes -= item.bytes;
  }
}
