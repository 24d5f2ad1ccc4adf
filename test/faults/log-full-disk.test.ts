import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqliteLog } from "@atrium/log";
import { LogHistory } from "./log-history.ts";
import { LogWriterProcess } from "./log-writer-process.ts";

const MIB = 1024 * 1024;
const STREAMS = ["w0", "w1", "w2"];
/** In half KiB, as POSIX counts them: no file may grow beyond this. */
const FILE_LIMIT = ["sh", "-c", 'ulimit -f 6000; exec "$@"', "sh"];

test("[LOG-23] keeps what it acknowledged when a file may not grow", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-full-"));
  const file = join(folder.path, "log.db");
  const history = await writeUntilFault(file, FILE_LIMIT, ["full", "failed"]);
  await using log = await openSqliteLog({ file });
  await history.check(log);
  const answer = await log.append("w0", "any", [{ type: "after", at: 1, data: null }]);
  assert.equal(answer.ok, true);
});

test("[LOG-23] keeps what it acknowledged when the disk is full, and can still be read", async (t) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-full-"));
  using stack = new DisposableStack();
  const options = ["-t", "tmpfs", "-o", "size=16m", "tmpfs", folder.path];
  if (spawnSync("mount", options).status !== 0) {
    assert.notEqual(process.env["CI"], "true", "CI must be able to mount a small disk");
    return t.skip("may not mount a small disk here");
  }
  stack.defer(() => spawnSync("umount", ["--lazy", folder.path]));
  const file = join(folder.path, "log.db");
  const ballast = join(folder.path, "ballast");
  writeFileSync(ballast, Buffer.alloc(4 * MIB));
  const history = await writeUntilFault(file, [], ["full"]);
  {
    await using log = await openSqliteLog({ file });
    await history.check(log);
  }
  rmSync(ballast);
  await using log = await openSqliteLog({ file });
  const answer = await log.append("w0", "any", [{ type: "after", at: 1, data: null }]);
  assert.equal(answer.ok, true);
});

async function writeUntilFault(
  file: string,
  limit: readonly string[],
  codes: readonly string[],
): Promise<LogHistory> {
  const history = new LogHistory(STREAMS);
  await using writer = new LogWriterProcess(
    { file, streams: history.streams, bytes: 10_000 },
    limit,
  );
  await writer.ended;
  history.record(writer.lines);
  const last = writer.lines.at(-1);
  assert.equal(last?.type, "fault");
  assert.ok(codes.includes(last.code), `${last.code}: ${last.message}`);
  assert.ok(last.message.includes(file), last.message);
  assert.ok(history.size > 10, "hardly anything was written");
  return history;
}
