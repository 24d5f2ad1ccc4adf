/**
 * Reads what a command writes no faster than the server can bear beside everything else: a command that
 * writes more than is kept waits. What is kept is read at once.
 */
import type { Readable } from "node:stream";
import { MAX_KEPT_BYTES } from "../platform/long-text.ts";
import type { Timers } from "../platform/timers.ts";

const PAUSE_MS = 50;
const BYTES_BETWEEN_PAUSES = 1024 * 1024;

export class OutputPace {
  readonly #pipes: readonly Readable[];
  readonly #timers: Timers;
  #left = MAX_KEPT_BYTES;

  constructor(pipes: readonly Readable[], timers: Timers) {
    this.#pipes = pipes;
    this.#timers = timers;
  }

  count(bytes: number): void {
    this.#left -= bytes;
    if (this.#left > 0) return;
    this.#left = BYTES_BETWEEN_PAUSES;
    for (const pipe of this.#pipes) pipe.pause();
    this.#timers.after(PAUSE_MS, () => {
      for (const pipe of this.#pipes) pipe.resume();
    });
  }
}
