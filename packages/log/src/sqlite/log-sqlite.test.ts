import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { describeLog } from "../log.contract.ts";
import { LogFault, type Draft, type Log } from "../log.ts";
import { openSqliteLog } from "./log-sqlite.ts";

const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-log-"));
after(() => folder.remove());
let files = 0;
const nextFile = (): string => join(folder.path, `${++files}`, "log.db");

describeLog("sqlite, full", () => openSqliteLog({ file: nextFile() }));
describeLog("sqlite, normal", () => openSqliteLog({ file: nextFile(), durability: "normal" }));

/** Everything that lies in the folder of a log, as one text. */
function bytesBeside(file: string): string {
  const beside = dirname(file);
  return readdirSync(beside)
    .map((name) => readFileSync(join(beside, name), "latin1"))
    .join("\n");
}

test("[LOG-17] what was erased is in no file, however it came to lie there, and stays erased", async () => {
  const file = nextFile();
  const long = "the-marker ".repeat(2_000);
  const before = await openSqliteLog({ file });
  for (let n = 0; n < 50; n++) {
    await before.append(`s${n % 3}`, "any", [{ type: "t", at: n, data: { n, text: long } }]);
    await before.snapshots.save("board", { version: 1, seq: n, text: `${n} ${long}` });
  }
  await before.close();
  // As a version before left it: freed pages are not overwritten, and nobody wrote the file anew.
  const old = new DatabaseSync(file);
  old.exec(
    "pragma secure_delete = off; delete from snapshots; delete from meta where name = 'scrubbed'",
  );
  old.close();
  assert.ok(bytesBeside(file).includes("the-marker"));
  const log = await openSqliteLog({ file });
  await log.append("s0", "any", [{ type: "t", at: 51, data: { text: long } }]);
  const all = await Array.fromAsync(log.read());
  await log.erase(all.map(({ seq }) => ({ seq, data: { text: "" } })));
  assert.ok(!bytesBeside(file).includes("the-marker"), "while it is open");
  await log.append("s0", "any", [{ type: "t", at: 52, data: { text: "after" } }]);
  await log.close();
  assert.ok(!bytesBeside(file).includes("the-marker"), "once it is closed");
  await using again = await openSqliteLog({ file });
  const kept = await Array.fromAsync(again.read());
  assert.deepEqual(
    kept.slice(0, -1).map(({ seq, stream, type, at }) => ({ seq, stream, type, at })),
    all.map(({ seq, stream, type, at }) => ({ seq, stream, type, at })),
  );
});

test("[LOG-20] has everything after a restart", async () => {
  const file = nextFile();
  const key = { id: "k", digest: "d" };
  const empty = { id: "empty", digest: "e" };
  const snapshot = { version: 3, seq: 2, text: "state" };
  const before = await openSqliteLog({ file });
  const first = await before.append("desk", 0, [draft("a"), draft("b")], { key });
  const second = await before.append("wall", 0, [draft("c")]);
  const third = await before.append("wall", "any", [], { key: empty });
  await before.snapshots.save("board", snapshot);
  const all = await Array.fromAsync(before.read());
  const record = await before.findKey("k");
  await before.close();

  await using log = await openSqliteLog({ file });
  assert.equal(log.head, 3);
  assert.deepEqual(await Array.fromAsync(log.read()), all);
  assert.deepEqual(await log.findKey("k"), record);
  assert.deepEqual(await log.snapshots.load("board"), snapshot);
  assert.deepEqual(await log.append("desk", 0, [draft("a"), draft("b")], { key }), {
    ...first,
    repeated: true,
  });
  assert.deepEqual(await log.append("wall", "any", [], { key: empty }), {
    ...third,
    repeated: true,
  });
  assert.deepEqual(await log.append("desk", 0, [draft("x")]), {
    ok: false,
    reason: "conflict",
    head: 2,
  });
  assert.ok(second.ok);
  const next = await log.append("wall", second.position.seq, [draft("d")]);
  assert.equal(next.ok && next.position.seq, 4);
});

test("commits appends that wait together once, and refuses each for itself", async () => {
  const file = nextFile();
  await using log = await openSqliteLog({ file });
  const before = commitsIn(file);
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      log.append(`s${n % 100}`, n < 100 || n % 2 === 0 ? "any" : 0, [draft(`n${n}`)]),
    ),
  );
  const later = commitsIn(file);
  assert.equal(later.count - (later.salt === before.salt ? before.count : 0), 1);
  assert.equal(answers.filter((answer) => answer.ok).length, 300);
  assert.equal(log.head, 300);
});

test("[LOG-22] answers busy when too much waits, and takes more once it is written", async () => {
  await using log = await openSqliteLog({ file: nextFile(), maxPendingAppends: 3 });
  const answers = await Promise.all(Array.from({ length: 5 }, () => write(log, "a")));
  assert.deepEqual(
    answers.map((answer) => (answer.ok ? "written" : answer.reason)),
    ["written", "written", "written", "busy", "busy"],
  );
  assert.equal((await write(log, "b")).ok, true);
  assert.equal(log.head, 4);
});

test("[LOG-22] counts bytes too, and refuses what could never fit", async () => {
  await using log = await openSqliteLog({ file: nextFile(), maxPendingBytes: 1000 });
  const half = draft("half", "x".repeat(600));
  const answers = await Promise.all([
    log.append("desk", "any", [half]),
    log.append("desk", "any", [half]),
  ]);
  assert.deepEqual(
    answers.map((answer) => answer.ok),
    [true, false],
  );
  const never = await log.append("desk", "any", [half, half]);
  assert.deepEqual(never, { ok: false, reason: "oversize", maxBytes: 1000 });
});

test("[LOG-11] forgets a key when it is older than the retention, not before", async () => {
  await using log = await openSqliteLog({ file: nextFile(), keyRetentionMs: 1000 });
  const at = (time: number, id: string) =>
    log.append("desk", "any", [draft(id, {}, time)], { key: { id, digest: "d" } });
  await at(5000, "first");
  await at(4000, "stamped late");
  await at(6000, "at the edge");
  assert.ok(await log.findKey("first"));
  assert.ok(await log.findKey("stamped late"));
  await at(6001, "past it");
  assert.equal(await log.findKey("first"), undefined);
  assert.equal(await log.findKey("stamped late"), undefined);
  assert.ok(await log.findKey("at the edge"));
  const again = await at(6001, "first");
  assert.equal(again.ok && again.repeated, false);
});

test("[LOG-11] counts the age of a key without entries from the next entry on", async () => {
  const file = nextFile();
  const key = { id: "timeless", digest: "d" };
  const later = (log: Log, at: number) =>
    log.append("desk", "any", [draft("t", {}, at)], { key: { id: `at ${at}`, digest: "d" } });
  {
    await using log = await openSqliteLog({ file, keyRetentionMs: 1000 });
    await log.append("desk", "any", [], { key });
  }
  await using log = await openSqliteLog({ file, keyRetentionMs: 1000 });
  await later(log, 50_000);
  await later(log, 51_000);
  assert.ok(await log.findKey("timeless"));
  await later(log, 51_001);
  assert.equal(await log.findKey("timeless"), undefined);
});

test("[LOG-11] clears a great many old keys little by little", async () => {
  const file = nextFile();
  await using log = await openSqliteLog({ file, keyRetentionMs: 10 });
  const keyed = (n: number, time: number) =>
    log.append("desk", "any", [draft("k", {}, time)], { key: { id: `k${n}`, digest: "d" } });
  await Promise.all(Array.from({ length: 1000 }, (_, n) => keyed(n, 0)));
  using look = new DatabaseSync(file, { readOnly: true });
  const count = (): number => Number(look.prepare("select count(*) as n from keys").get()?.["n"]);
  const counts = [count()];
  for (let n = 0; n < 5; n++) {
    await keyed(1000 + n, 100);
    counts.push(count());
  }
  assert.deepEqual(counts, [1000, 744, 488, 232, 4, 5]);
});

test("[LOG-23] stops with a fault that names the file when a commit fails", async () => {
  const file = nextFile();
  const log = await openSqliteLog({ file });
  await write(log, "kept");
  // Someone else writes where our next entry belongs.
  using intruder = new DatabaseSync(file);
  intruder.exec("insert into entries values (2, 'desk', 'intruder', 0, 'null')");
  const isOurs = (error: unknown): boolean =>
    error instanceof LogFault && error.code === "failed" && error.message.includes(file);
  const waiting = [write(log, "lost"), write(log, "lost too")];
  for (const append of waiting) await assert.rejects(append, isOurs);
  await assert.rejects(write(log, "late"), isOurs);
  assert.ok(isOurs(await log.stopped));
  assert.equal(log.head, 1);
  assert.deepEqual(await typesIn(log), ["kept"]);
  await log.close();
  intruder.exec("delete from entries where seq = 2");
  await using again = await openSqliteLog({ file });
  assert.deepEqual(await typesIn(again), ["kept"]);
});

test("[LOG-21] recovers every acknowledged entry from what a crash leaves", async () => {
  const file = nextFile();
  await using log = await openSqliteLog({ file });
  await Promise.all(Array.from({ length: 300 }, (_, n) => write(log, `n${n}`)));
  await using copy = await openSqliteLog({ file: asAfterCrash(file) });
  assert.deepEqual(await Array.fromAsync(copy.read()), await Array.fromAsync(log.read()));
  assert.equal((await write(copy, "next")).ok, true);
});

test("[LOG-19] keeps its epoch over restarts, and over a crash with full durability", async () => {
  const file = nextFile();
  const first = await openSqliteLog({ file });
  await first.close();
  const second = await openSqliteLog({ file, durability: "normal" });
  await write(second, "a");
  await second.close();
  await using third = await openSqliteLog({ file });
  await write(third, "b");
  await using crashed = await openSqliteLog({ file: asAfterCrash(file), durability: "normal" });
  assert.deepEqual([second.epoch, third.epoch, crashed.epoch], Array(3).fill(first.epoch));
});

test("[LOG-19] begins a new epoch after a crash with normal durability", async () => {
  const file = nextFile();
  await using log = await openSqliteLog({ file, durability: "normal" });
  await write(log, "a");
  await using crashed = await openSqliteLog({ file: asAfterCrash(file) });
  assert.notEqual(crashed.epoch, log.epoch);
});

test("[LOG-28] leaves the whole log in one file", async () => {
  const file = nextFile();
  const log = await openSqliteLog({ file });
  for (let n = 0; n < 5; n++) await write(log, `n${n}`);
  const all = await Array.fromAsync(log.read());
  await log.close();
  assert.deepEqual(readdirSync(dirname(file)).toSorted(), ["log.db", "log.db.lock"]);
  const moved = nextFile();
  copyFiles([file], dirname(moved));
  await using copy = await openSqliteLog({ file: moved });
  assert.deepEqual(await Array.fromAsync(copy.read()), all);
});

test("[LOG-28] empties the write-ahead log while writers go on", async () => {
  const file = nextFile();
  await using log = await openSqliteLog({ file });
  const page = draft("page", "x".repeat(256 * 1024));
  for (let n = 0; n < 60; n++) await log.append("desk", "any", [page, page, page, page]);
  const size = statSync(`${file}-wal`).size;
  assert.ok(size < 32 * 1024 * 1024, `${size} bytes`);
});

function draft(type: string, data: unknown = { of: type }, at = 1): Draft {
  return { type, at, data };
}

function write(log: Log, type: string): ReturnType<Log["append"]> {
  return log.append("desk", "any", [draft(type)]);
}

async function typesIn(log: Log): Promise<string[]> {
  return (await Array.fromAsync(log.read())).map(({ type }) => type);
}

/** What would be on the disk if the process had died just now. */
function asAfterCrash(file: string): string {
  const copy = nextFile();
  copyFiles([file, `${file}-wal`], dirname(copy));
  return copy;
}

/** By another process: reading the file in this one would end the locks that SQLite holds on it. */
function copyFiles(from: string[], to: string): void {
  mkdirSync(to);
  execFileSync("cp", [...from, to]);
}

/** Counts commits where they leave a mark: https://www.sqlite.org/fileformat.html#walformat */
function commitsIn(file: string): { salt: string; count: number } {
  const journal = readFileSync(`${file}-wal`);
  const pageSize = journal.readUInt32BE(8);
  const salt = journal.toString("hex", 16, 24);
  let count = 0;
  for (let at = 32; at + 24 <= journal.length; at += 24 + pageSize) {
    const isCurrent = journal.toString("hex", at + 8, at + 16) === salt;
    const isCommit = journal.readUInt32BE(at + 4) > 0;
    if (isCurrent && isCommit) count++;
  }
  return { salt, count };
}
