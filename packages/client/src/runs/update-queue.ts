/**
 * Updates between the socket, which does not wait, and a reader, who may be slow. Text that waits
 * is joined, so that a slow reader costs no more than the answer itself.
 */
import type { RunUpdate } from "./run-update.ts";

export class UpdateQueue {
  readonly #waiting: RunUpdate[] = [];
  #wake = Promise.withResolvers<void>();

  push(update: RunUpdate): void {
    const last = this.#waiting.at(-1);
    if (update.type === "text" && last?.type === "text") {
      this.#waiting.pop();
      this.#waiting.push({ ...update, delta: last.delta + update.delta });
    } else {
      this.#waiting.push(update);
    }
    this.wake();
  }

  take(): RunUpdate | undefined {
    return this.#waiting.shift();
  }

  /** Makes waiting readers look again. */
  wake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Settles with the next push or wake. */
  changed(): Promise<void> {
    return this.#wake.promise;
  }
}
