/** How long appends to a shared log take and how they are refused: counted beside the log, shown in `/metrics`. */
import type { AppendResult, Log } from "@atrium/log";

/** In seconds: from a commit on one machine to the election of another server. */
export const LATENCY_BOUNDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export interface AppendCounts {
  /** How many took at most as long as the bound of the same place, and no bound before it; the last took longer. */
  readonly latencies: readonly number[];
  readonly seconds: number;
  readonly refusals: ReadonlyMap<string, number>;
}

export type WrittenLog = Pick<Log, "append" | "findKey" | "read" | "epoch">;

export class AppendTally {
  readonly #latencies: number[] = Array.from({ length: LATENCY_BOUNDS.length + 1 }, () => 0);
  readonly #refusals = new Map<string, number>();
  readonly #now: () => number;
  #seconds = 0;

  /** `now` in milliseconds, by a clock that never jumps. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The same log for whoever writes, with its appends counted. */
  over(log: WrittenLog): WrittenLog {
    return {
      epoch: log.epoch,
      findKey: (id) => log.findKey(id),
      read: (options) => log.read(options),
      append: async (...args) => {
        const started = this.#now();
        const result = await log.append(...args);
        this.#add(result, (this.#now() - started) / 1000);
        return result;
      },
    };
  }

  read(): AppendCounts {
    return { latencies: this.#latencies, seconds: this.#seconds, refusals: this.#refusals };
  }

  #add(result: AppendResult, seconds: number): void {
    if (!result.ok) {
      this.#refusals.set(result.reason, (this.#refusals.get(result.reason) ?? 0) + 1);
      return;
    }
    const within = LATENCY_BOUNDS.findIndex((bound) => seconds <= bound);
    const at = within === -1 ? LATENCY_BOUNDS.length : within;
    this.#latencies[at] = (this.#latencies[at] ?? 0) + 1;
    this.#seconds += seconds;
  }
}
