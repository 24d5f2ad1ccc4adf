import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createJournalTail, type ReadTail } from "./journal-tail.ts";

async function withJournal(use: (file: string, read: ReadTail) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-"));
  const file = join(folder, "atrium.log");
  try {
    await use(file, createJournalTail(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("[GW-59] a cursor gives what was written since, in whole lines", async () => {
  await withJournal(async (file, read) => {
    assert.deepEqual(await read({}), {
      file,
      cursor: 0,
      size: 0,
      lines: [],
      truncated: false,
      reset: false,
    });
    await writeFile(file, "one\ntwo\nthr");
    const first = await read({});
    assert.deepEqual([first.lines, first.cursor, first.size], [["one", "two"], 8, 11]);
    const same = await read({ cursor: first.cursor });
    assert.deepEqual([same.lines, same.cursor], [[], 8]);
    await appendFile(file, "ee\nför\n");
    const rest = await read({ cursor: same.cursor });
    assert.deepEqual([rest.lines, rest.cursor], [["three", "för"], rest.size]);
    assert.deepEqual((await read({ cursor: rest.cursor })).lines, []);
    assert.deepEqual([rest.truncated, rest.reset, rest.skippedBytes], [false, false, undefined]);
  });
});

test("[GW-59] no more is read than asked for, and what was left out is said", async () => {
  await withJournal(async (file, read) => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${String(n).padStart(3, "0")}`);
    await writeFile(file, `${lines.join("\n")}\n`);
    const limited = await read({ limit: 3 });
    assert.deepEqual([limited.lines, limited.truncated], [lines.slice(-3), true]);
    const small = await read({ maxBytes: 30 });
    assert.deepEqual([small.lines, small.truncated], [lines.slice(-3), true]);
    const late = await read({ cursor: 0, maxBytes: 30 });
    assert.deepEqual([late.lines, late.reset, late.skippedBytes], [lines.slice(-3), true, 870]);
    const exact = await read({ maxBytes: 27 });
    assert.deepEqual(exact.lines, lines.slice(-3));
  });
});

test("[GW-59] a file that was replaced is read from its end, and the cursor is said to be of no use", async () => {
  await withJournal(async (file, read) => {
    await writeFile(file, "a long line that will be gone\n");
    const { cursor } = await read({});
    await writeFile(file, "new\n");
    const fresh = await read({ cursor });
    assert.deepEqual([fresh.lines, fresh.reset, fresh.cursor], [["new"], true, 4]);
  });
});

test("[GW-59] a line longer than what may be read does not stop the tail", async () => {
  await withJournal(async (file, read) => {
    await writeFile(file, "x".repeat(100));
    const inside = await read({ maxBytes: 10 });
    assert.deepEqual(inside.lines, []);
    await appendFile(file, "\nafter\n");
    const next = await read({ cursor: inside.cursor, maxBytes: 20 });
    assert.deepEqual(next.lines, ["after"]);
    const last = await read({ cursor: next.cursor, maxBytes: 20 });
    assert.deepEqual([last.lines, last.cursor], [[], last.size]);
  });
});
