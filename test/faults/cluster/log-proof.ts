/** What every test of a log under faults begins and ends with. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { checkHistory, describeVerdict } from "../../kit/history/check-history.ts";
import { chooseSeed } from "../../kit/random.ts";
import type { FaultTimes } from "./fault-times.ts";
import type { LogCluster } from "./log-cluster.ts";

/** How often each fault is met. */
export const ROUNDS = Number(process.env["ROUNDS"] ?? 1);

/** How long it took is for `times`. */
export async function prove(
  cluster: LogCluster,
  t: TestContext,
  times?: FaultTimes,
): Promise<void> {
  const verdict = checkHistory(await cluster.history());
  t.diagnostic(describeVerdict(verdict));
  times?.replace(
    verdict.gaps.map(({ disturbance, ms, maxMs }) => ({ fault: disturbance, ms, goalMs: maxMs })),
  );
  const problems = verdict.problems.filter(({ kind }) => kind !== "too-long");
  assert.deepEqual(problems, [], describeVerdict(verdict));
}

export async function during(name: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (cause) {
    throw new Error(`while or after ${name}: ${String(cause)}`, { cause });
  }
}

export function announceSeed(t: TestContext): number {
  const seed = chooseSeed();
  t.diagnostic(`SEED=${seed}`);
  return seed;
}
