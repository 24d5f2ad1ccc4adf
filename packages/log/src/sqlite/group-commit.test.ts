import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { GroupCommit } from "./group-commit.ts";

test("sends what arrived during a commit as the next one", async () => {
  const disk = openDisk();
  const commits = new GroupCommit(NO_LIMITS, disk.steps);
  commits.offer(item("a"));
  commits.offer(item("b"));
  await nextTurn();
  for (const name of ["c", "d", "e"]) commits.offer(item(name));
  await nextTurn();
  assert.deepEqual(disk.sent, ["ab"]);
  disk.finish();
  await nextTurn();
  assert.deepEqual(disk.sent, ["ab", "cde"]);
  assert.deepEqual(disk.settled, ["ab"]);
  disk.finish();
  await commits.drained();
  assert.deepEqual(disk.settled, ["ab", "cde"]);
});

test("starts again after a pause", async () => {
  const disk = openDisk();
  const commits = new GroupCommit(NO_LIMITS, disk.steps);
  for (const name of ["a", "b"]) {
    commits.offer(item(name));
    await nextTurn();
    disk.finish();
    await commits.drained();
  }
  assert.deepEqual(disk.settled, ["a", "b"]);
});

test("bounds a commit in items and bytes", async () => {
  const disk = openDisk();
  const commits = new GroupCommit(NO_LIMITS, disk.steps);
  for (let n = 0; n < 2001; n++) commits.offer(item("x"));
  commits.offer(item("B", 9 * 1024 * 1024));
  commits.offer(item("C", 9 * 1024 * 1024));
  const drained = commits.drained();
  for (let n = 0; n < 5; n++) {
    await nextTurn();
    disk.finish();
  }
  await drained;
  assert.deepEqual(disk.settled, ["x".repeat(2000), "x", "B", "C"]);
});

test("[LOG-22] turns away what does not fit until something is settled", async () => {
  const disk = openDisk();
  const commits = new GroupCommit({ maxItems: 3, maxBytes: 10 }, disk.steps);
  assert.equal(commits.offer(item("a", 6)), true);
  assert.equal(commits.offer(item("b", 5)), false);
  assert.equal(commits.offer(item("c", 2)), true);
  assert.equal(commits.offer(item("d", 2)), true);
  assert.equal(commits.offer(item("e", 0)), false);
  await nextTurn();
  assert.equal(commits.offer(item("f", 0)), false);
  disk.finish();
  await commits.drained();
  assert.equal(commits.offer(item("g", 10)), true);
});

test("[LOG-23] fails everything that waits when a commit fails", async () => {
  const disk = openDisk();
  const commits = new GroupCommit(NO_LIMITS, disk.steps);
  commits.offer(item("a"));
  await nextTurn();
  commits.offer(item("b"));
  disk.finish();
  await nextTurn();
  commits.offer(item("c"));
  disk.breakDown();
  await commits.drained();
  assert.deepEqual(disk.settled, ["a"]);
  assert.deepEqual(disk.failed, ["bc"]);
});

interface Item {
  readonly name: string;
  readonly bytes: number;
}

const NO_LIMITS = { maxItems: Infinity, maxBytes: Infinity };

function named(items: readonly Item[]): string {
  return items.map(({ name }) => name).join("");
}

function item(name: string, bytes = 1): Item {
  return { name, bytes };
}

/** A disk whose commits take as long as the test likes. */
function openDisk() {
  const sent: string[] = [];
  const settled: string[] = [];
  const failed: string[] = [];
  let current = Promise.withResolvers<void>();
  return {
    sent,
    settled,
    failed,
    steps: {
      send(items: readonly Item[]): Promise<void> {
        sent.push(named(items));
        current = Promise.withResolvers();
        return current.promise;
      },
      settle: (items: readonly Item[]): number => settled.push(named(items)),
      fail: (items: readonly Item[]): number => failed.push(named(items)),
    },
    finish: (): void => current.resolve(),
    breakDown: (): void => current.reject(new RangeError("no more room")),
  };
}
