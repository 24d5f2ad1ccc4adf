import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { LogFault, type Entry, type LogFaultCode } from "../log.ts";
import { openSqliteLog } from "./log-sqlite.ts";

const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-log-"));
after(() => folder.remove());
let files = 0;

test("[LOG-24] refuses a second log on the same file until the first is closed", async () => {
  const file = await makeLog();
  const alias = join(newFolder(), "alias.db");
  symlinkSync(file, alias);
  const first = await openSqliteLog({ file });
  await refuses(file, "locked");
  await refuses(alias, "locked", file);
  assert.equal(openElsewhere(file), "locked");
  await refuses(file, "locked");
  const answer = await first.append("desk", "any", [{ type: "t", at: 1, data: 1 }]);
  assert.equal(answer.ok, true);
  await first.close();
  assert.equal(openElsewhere(file), "opened");
  await using again = await openSqliteLog({ file });
  assert.equal(again.head, 201);
});

test("[LOG-24] gives up on a file that another program keeps locked", async () => {
  const file = await makeLog();
  const other = new DatabaseSync(file);
  other.exec("begin exclusive");
  await refuses(file, "locked");
  other.exec("rollback");
  other.close();
  await using log = await openSqliteLog({ file });
  assert.equal(log.head, 200);
});

test("[LOG-25] refuses a file that is not a database", async () => {
  for (const text of ["hello", "no database ".repeat(1000)]) {
    const file = join(newFolder(), "notes.txt");
    writeFileSync(file, text);
    await refuses(file, "foreign");
    assert.equal(readFileSync(file, "utf8"), text);
  }
});

test("[LOG-25] refuses a database of another program", async () => {
  const file = join(newFolder(), "other.db");
  const other = new DatabaseSync(file);
  other.exec("create table entries (seq integer primary key)");
  other.close();
  await staysWhenRefused(file, "foreign");
});

test("[LOG-25] refuses a log of a newer version", async () => {
  const file = await makeLog();
  const newer = new DatabaseSync(file);
  newer.exec("pragma user_version = 99; pragma wal_checkpoint(truncate)");
  newer.close();
  await staysWhenRefused(file, "foreign");
});

test("[LOG-25] refuses a lock file that is something else", async () => {
  const file = join(newFolder(), "log.db");
  writeFileSync(`${file}.lock`, "held since Tuesday by somebody".repeat(100));
  await refuses(file, "foreign", `${file}.lock`);
  assert.equal(existsSync(file), false);
});

test("[LOG-25] refuses a log that was cut off", async () => {
  for (const keep of [0.9, 0.5, 0.1]) {
    const file = await makeLog();
    truncateSync(file, Math.floor(statSync(file).size * keep));
    await staysWhenRefused(file, "corrupt");
  }
});

test("[LOG-25] refuses an empty file rather than begin anew in it", async () => {
  const file = await makeLog();
  truncateSync(file, 0);
  await staysWhenRefused(file, "corrupt");
});

test("[LOG-25] refuses a write-ahead log without its file", async () => {
  const file = join(newFolder(), "log.db");
  const orphan = `${file}-wal`;
  writeFileSync(orphan, "what was committed");
  await refuses(file, "corrupt", orphan);
  assert.equal(readFileSync(orphan, "utf8"), "what was committed");
  assert.equal(existsSync(file), false);
});

test("[LOG-25] reports damage when a read meets it", async () => {
  const file = await makeLog(6000);
  const bytes = readFileSync(file);
  bytes.fill(0xff, bytes.length / 4, bytes.length / 2);
  writeFileSync(file, bytes);
  await using log = await openSqliteLog({ file });
  const isCorrupt = faultLike("corrupt", file);
  await assert.rejects(Array.fromAsync(log.read()), isCorrupt);
  await assert.rejects(Array.fromAsync(log.tail(0)), isCorrupt);
});

test("[LOG-15] hands out an entry whose data is damaged without it, and all others as they are", async () => {
  const file = await makeLog();
  const whole = await readAll(file);
  const vandal = new DatabaseSync(file);
  vandal.exec(`
    update entries set data = '{' where seq = 7;
    update entries set data = x'ff00' where seq = 8;
    update entries set data = '' where seq = 9`);
  vandal.close();
  const damaged = new Set([7, 8, 9]);
  const expected = whole.map((entry) =>
    damaged.has(entry.seq) ? { ...entry, data: undefined } : entry,
  );
  assert.deepEqual(await readAll(file), expected);
});

test("[LOG-25] reports an entry that is missing", async () => {
  const file = await makeLog();
  const vandal = new DatabaseSync(file);
  vandal.exec("delete from entries where seq = 1");
  vandal.close();
  await using log = await openSqliteLog({ file });
  await assert.rejects(Array.fromAsync(log.tail(0)), faultLike("corrupt", file));
});

test("[LOG-26] begins anew over a file that a crash left half made", async () => {
  const file = join(newFolder(), "log.db");
  for (const end of ["", "-wal", "-shm", "-journal"]) writeFileSync(`${file}.new${end}`, "half");
  await using log = await openSqliteLog({ file });
  assert.equal(log.head, 0);
  assert.equal(existsSync(`${file}.new`), false);
});

test("[LOG-25] refuses a folder, and a path through a file", async () => {
  const parent = newFolder();
  await refuses(parent, "unreadable");
  const file = join(parent, "plain");
  writeFileSync(file, "");
  await refuses(join(file, "log.db"), "unreadable", file);
});

test("[LOG-25] refuses a read-only file and a read-only folder", async (t) => {
  const file = await makeLog();
  const parent = newFolder();
  chmodSync(folder.path, 0o755);
  chmodSync(parent, 0o555);
  chmodSync(dirname(file), 0o777);
  chmodSync(`${file}.lock`, 0o666);
  chmodSync(file, 0o444);
  using stack = new DisposableStack();
  // Root may write anywhere, so it plays someone who may not.
  if (process.geteuid?.() === 0) {
    process.seteuid?.(65_534);
    stack.defer(() => process.seteuid?.(0));
    if (!canRead(import.meta.filename)) return t.skip("nobody else may read this folder");
  }
  await refuses(file, "unreadable");
  await refuses(join(parent, "log.db"), "unreadable", parent);
  await refuses(join(parent, "deeper", "log.db"), "unreadable", parent);
});

test("[LOG-27] makes missing folders, and everything for this user only", async () => {
  const file = join(newFolder(), "a", "b", "log.db");
  await using log = await openSqliteLog({ file });
  await log.append("desk", "any", [{ type: "t", at: 1, data: 1 }]);
  const names = readdirSync(dirname(file)).toSorted();
  assert.deepEqual(names, ["log.db", "log.db-shm", "log.db-wal", "log.db.lock"]);
  for (const name of names) assert.equal(modeOf(join(dirname(file), name)), 0o600, name);
  assert.equal(modeOf(dirname(file)), 0o700);
  assert.equal(modeOf(dirname(dirname(file))), 0o700);
});

function newFolder(): string {
  const path = join(folder.path, `${++files}`);
  mkdirSync(path);
  return path;
}

async function makeLog(entries = 200): Promise<string> {
  const file = join(newFolder(), "log.db");
  await using log = await openSqliteLog({ file });
  const data = { text: "x".repeat(200) };
  const drafts = Array.from({ length: entries }, (_, n) => ({ type: `n${n}`, at: n, data }));
  await log.append("desk", 0, drafts);
  return file;
}

async function refuses(file: string, code: LogFaultCode, named = file): Promise<void> {
  await assert.rejects(openSqliteLog({ file }), faultLike(code, named));
}

async function staysWhenRefused(file: string, code: LogFaultCode): Promise<void> {
  const before = readFileSync(file);
  await refuses(file, code);
  assert.ok(before.equals(readFileSync(file)), "the file was changed");
}

function faultLike(code: LogFaultCode, named: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof LogFault, String(error));
    assert.equal(error.code, code, error.message);
    assert.ok(error.message.includes(named), error.message);
    return true;
  };
}

/** Opens and closes the log in another process, and tells how that went. */
function openElsewhere(file: string): string {
  const program = `
    import { openSqliteLog } from ${JSON.stringify(new URL("./log-sqlite.ts", import.meta.url).href)};
    try {
      await (await openSqliteLog({ file: ${JSON.stringify(file)} })).close();
      process.stdout.write("opened");
    } catch (error) {
      process.stdout.write(error.code);
    }`;
  const args = ["--input-type=module", "--eval", program];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

function canRead(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

async function readAll(file: string): Promise<readonly Entry[]> {
  await using log = await openSqliteLog({ file });
  return await Array.fromAsync(log.read());
}
