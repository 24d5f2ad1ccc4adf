/**
 * Several nodes over a chain that keeps its two promises and nothing else, in thousands of schedules.
 *
 *   SEED=123 node --test test/faults/chain-nemesis.test.ts      repeats one schedule
 *   SCHEDULES=20000 node --test …                               runs more of them
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { NO_FAULTS } from "../kit/nemesis/faults.ts";
import type { RangeVerdict } from "../kit/nemesis/schedule-worker.ts";

const SCHEDULES = 2000;
/** What so many schedules all meet: one that never comes up is not proven to be survived. */
const EXPECTED = [
  ...Object.keys(NO_FAULTS),
  "paused",
  "cut off",
  "killed",
  "killed without its copy",
  "lost at the servers",
  "damaged at the servers",
  "arrived twice",
  "written late",
  "published",
  "taken",
  "unknown",
  "forwarded",
  "penChanges",
  "unavailable",
  "fetched",
  "repaired",
  "watchRestarts",
  "written",
  "repeated",
  "conflict",
  "fenced",
  "key-reused",
  "erased",
];

test("[CHAIN-15] every schedule leaves one log, and every answer true", async (t) => {
  const seed = process.env["SEED"];
  const first = seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(seed);
  const count = seed === undefined ? Number(process.env["SCHEDULES"] ?? SCHEDULES) : 1;
  const thread = new Worker(new URL("../kit/nemesis/schedule-worker.ts", import.meta.url), {
    workerData: { first, count },
  });
  const [verdict] = (await once(thread, "message")) as [RangeVerdict];
  const { problems, steps, attempts, entries } = verdict;
  assert.deepEqual(problems, [], `SEED=${verdict.seed} shows it again`);
  const counts = `${steps} steps, ${attempts} attempts, ${entries} entries`;
  t.diagnostic(`${count} schedules from SEED=${first}: ${counts}`);
  assert.ok(entries > 0);
  if (count < SCHEDULES) return;
  t.diagnostic(EXPECTED.map((what) => `${what} ${verdict.counts.get(what) ?? 0}`).join(", "));
  assert.deepEqual(
    EXPECTED.filter((what) => (verdict.counts.get(what) ?? 0) === 0),
    [],
  );
});
