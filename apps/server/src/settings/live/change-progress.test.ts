import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Fault } from "@atrium/core";
import type { LoggedChange } from "./change-progress.ts";
import { SharedChanges } from "./shared-changes.ts";

const LOG = { epoch: "first", head: 9 };
const LOGGED: readonly LoggedChange[] = [
  { seq: 2, changeId: "c1" },
  { seq: 4, changeId: "c2" },
  { seq: 6, changeId: "c3" },
];

/** A home with that text as its progress, and a shared folder that has the second change and the third. */
function makeNode(kept: string | undefined) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-progress-"));
  const [home, shared] = [join(folder.path, "home"), join(folder.path, "shared")];
  const changes = join(shared, "settings");
  for (const each of [home, changes]) mkdirSync(each, { recursive: true });
  for (const id of ["c2", "c3"]) {
    writeFileSync(join(changes, `${id}.json`), '{"patch": {}, "unitePaths": []}');
  }
  const file = join(home, "settings-progress.json");
  if (kept !== undefined) writeFileSync(file, kept);
  const faults: Fault[] = [];
  const newHomeFile = join(home, "new-home");
  const open = async (log = LOG, logged = LOGGED): Promise<readonly string[]> => {
    const opened = new SharedChanges({
      log,
      home,
      shared,
      newHomeFile,
      loggedAfter: async (seq) => logged.filter((each) => each.seq > seq),
      now: () => Date.now(),
      report: (fault) => void faults.push(fault),
    });
    await opened.open();
    return (await opened.missed()).map(({ changeId }) => changeId);
  };
  const dispose = (): void => folder[Symbol.dispose]();
  return { open, file, newHomeFile, faults, [Symbol.dispose]: dispose };
}

const placed = (epoch: string, seq: number, changeId: string | null): string =>
  JSON.stringify({ epoch, seq, changeId });

test("[NODE-65] a node goes on where it was in this log", async () => {
  using node = makeNode(placed("first", 4, "c2"));
  assert.deepEqual(await node.open(), ["c3"]);
  assert.deepEqual(await node.open(), ["c3"], "and says the same again");
});

test("[NODE-65] a place of another log is none, nor is one beyond the end of this", async () => {
  for (const [epoch, seq] of [
    ["other", 400],
    ["other", 4],
    ["first", 400],
  ] as const) {
    using node = makeNode(placed(epoch, seq, "lost-with-it"));
    assert.deepEqual(await node.open(), ["c2", "c3"], `${epoch} ${seq}`);
    assert.deepEqual(node.faults, []);
    assert.equal(JSON.parse(readFileSync(node.file, "utf8")).epoch, "first");
  }
});

test("[NODE-65] a restored log is gone on with after the change that it still has", async () => {
  using node = makeNode(placed("before", 400, "c2"));
  assert.deepEqual(await node.open(), ["c3"]);
});

test("[NODE-65] a damaged place is reported, and everything is taken over that still can be", async () => {
  for (const text of ["", "{", "[]", '{"seq": "4", "epoch": "first", "changeId": null}']) {
    using node = makeNode(text);
    assert.deepEqual(await node.open(), ["c2", "c3"], text);
    assert.match(node.faults[0]?.message ?? "", /cannot be read/);
  }
});

test("[NODE-65] a place that cannot be read at all is an error, and no first start", async () => {
  using node = makeNode(undefined);
  writeFileSync(node.newHomeFile, "");
  mkdirSync(node.file);
  await assert.rejects(node.open(), { code: "EISDIR" });
  rmSync(node.file, { recursive: true });
  assert.deepEqual(await node.open(), []);
});

test("[NODE-65] only a home that was made for it has the newest change; one of an earlier release takes over", async () => {
  using fresh = makeNode(undefined);
  writeFileSync(fresh.newHomeFile, "");
  assert.deepEqual(await fresh.open(), []);
  assert.deepEqual(await fresh.open(LOG, [...LOGGED, { seq: 8, changeId: "c4" }]), ["c4"]);
  using used = makeNode(undefined);
  assert.deepEqual(await used.open(), ["c2", "c3"]);
  using early = makeNode(undefined);
  assert.deepEqual(await early.open(LOG, []), []);
  assert.deepEqual(await early.open(), ["c1", "c2", "c3"], "what came after it started");
});
