import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteLog } from "@atrium/log";
import { LogHistory } from "./log-history.ts";
import { LogWriterProcess } from "./log-writer-process.ts";

const KILLS = 32;
/** Most deaths are found by the next writer; now and then we look ourselves. */
const LOOK_EVERY = 8;

test("[LOG-21] loses and repeats nothing when its process is killed again and again", async (t) => {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`SEED=${seed}`);
  const random = createRandom(seed);
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-kill-"));
  const file = join(folder.path, "log.db");
  const history = new LogHistory(["w0", "w1", "w2", "w3", "w4"]);
  const epochs = new Set<string>();

  for (let kill = 1; kill <= KILLS; kill++) {
    await using writer = new LogWriterProcess({ file, streams: history.streams, bytes: 100 });
    // One in four dies while it starts, opens the file or recovers it; the others while they write.
    if (random(4) > 0) await writer.wrote;
    await sleep(random(150));
    await writer.kill();
    history.record(writer.lines);
    for (const line of writer.lines) if (line.type === "opened") epochs.add(line.epoch);
    if (kill % LOOK_EVERY === 0) {
      await using log = await openSqliteLog({ file });
      epochs.add(log.epoch);
      await history.check(log);
    }
  }
  t.diagnostic(`${history.size} appends, ${history.repeats} asked for again, ${KILLS} deaths`);
  assert.ok(history.size > KILLS, "hardly anything was written");
  assert.equal(epochs.size, 1, "the epoch changed");
});

test("[LOG-24] frees the file when its holder is killed", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-kill-"));
  const file = join(folder.path, "log.db");
  await using writer = new LogWriterProcess({ file, streams: { w0: 0 }, bytes: 100 });
  await writer.wrote;
  await assert.rejects(openSqliteLog({ file }), { code: "locked" });
  await writer.kill();
  await using log = await openSqliteLog({ file });
  assert.ok(log.head > 0);
});

/** Xorshift: the same moments on every machine, as far as a scheduler allows. */
function createRandom(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
