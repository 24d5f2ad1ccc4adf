/**
 * How long it took after each fault, as one table at the end of a test, also of one that failed. It is printed and not
 * asserted: on a busy machine everything takes longer.
 */
import { loadavg } from "node:os";
import type { TestContext } from "node:test";

export interface FaultTime {
  readonly fault: string;
  readonly ms: number;
  readonly goalMs: number;
}

export class FaultTimes implements Disposable {
  readonly #t: TestContext;
  #times: readonly FaultTime[] = [];

  constructor(t: TestContext) {
    this.#t = t;
  }

  add(...times: readonly FaultTime[]): void {
    this.#times = [...this.#times, ...times];
  }

  /** All that there were until now, measured anew. */
  replace(times: readonly FaultTime[]): void {
    this.#times = times;
  }

  [Symbol.dispose](): void {
    if (this.#times.length === 0) return;
    const load = loadavg().map((average) => average.toFixed(1));
    this.#t.diagnostic(`load average ${load.join(", ")}\n${tabulate(this.#times)}`);
  }
}

/** A row for each fault, as docs/perf.md has them. */
export function tabulate(times: readonly FaultTime[]): string {
  const rows = Array.from(
    Map.groupBy(times, ({ fault }) => fault),
    ([fault, group]) => {
      const sorted = group.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const goalMs = group[0]?.goalMs ?? 0;
      const above = sorted.filter((ms) => ms > goalMs).length;
      const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
      const [median, longest, goal] = [middle, sorted.at(-1) ?? 0, goalMs].map(seconds);
      return `| ${fault} | ${sorted.length} | ${median} | ${longest} | ${goal} | ${above} |`;
    },
  );
  const head = "| what happens | times | median | longest | goal | above |";
  return [head, "| --- | --- | --- | --- | --- | --- |", ...rows].join("\n");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
