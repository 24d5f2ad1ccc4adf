/** Runs schedules in a thread of their own, where the test runner does not follow every promise. */
import { parentPort, workerData } from "node:worker_threads";
import { runSchedule, type ScheduleVerdict } from "./run-schedule.ts";

export interface ScheduleRange {
  readonly first: number;
  readonly count: number;
}

export interface RangeVerdict extends ScheduleVerdict {
  /** The last one that was run: the one with the problems, if there are any. */
  readonly seed: number;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await runRange(workerData as ScheduleRange));

async function runRange({ first, count }: ScheduleRange): Promise<RangeVerdict> {
  const sums = new Map<string, number>();
  let sum: RangeVerdict = {
    seed: first,
    problems: [],
    steps: 0,
    attempts: 0,
    entries: 0,
    counts: sums,
  };
  for (let seed = first; seed < first + count && sum.problems.length === 0; seed++) {
    const { problems, steps, attempts, entries, counts } = await runSchedule(seed);
    for (const [what, times] of counts) sums.set(what, (sums.get(what) ?? 0) + times);
    sum = {
      seed,
      problems,
      steps: sum.steps + steps,
      attempts: sum.attempts + attempts,
      entries: sum.entries + entries,
      counts: sums,
    };
  }
  return sum;
}
