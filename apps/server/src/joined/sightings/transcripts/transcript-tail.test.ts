import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createTranscriptTail, MAX_LOOK_BYTES, type TranscriptTail } from "./transcript-tail.ts";

interface Stage extends AsyncDisposable {
  readonly root: string;
  readonly path: string;
  readonly tail: TranscriptTail<readonly unknown[]>;
  /** The numbers of the lines that were read so far. */
  readonly lines: () => Promise<readonly unknown[] | undefined>;
}

async function openStage(name = "s.jsonl"): Promise<Stage> {
  const base = await mkdtemp(join(tmpdir(), "atrium-tail-"));
  const root = join(base, "program");
  await mkdir(root);
  const path = join(root, name);
  const tail = createTranscriptTail<readonly unknown[]>({ root, path }, [], (all, line) => [
    ...all,
    line["n"],
  ]);
  return {
    root,
    path,
    tail,
    lines: async () => (await tail.look())?.state,
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  };
}

const line = (n: number, filling = 0): string =>
  `${JSON.stringify({ n, filling: "x".repeat(filling) })}\n`;

test("[SIGHT-5] a transcript is read on from where it was left, whole lines only", async () => {
  await using stage = await openStage();
  assert.equal(await stage.lines(), undefined);
  await writeFile(stage.path, line(1) + line(2).slice(0, 4));
  assert.deepEqual(await stage.lines(), [1]);
  await appendFile(stage.path, line(2).slice(4) + line(3));
  assert.deepEqual(await stage.lines(), [1, 2, 3]);
  assert.deepEqual(await stage.lines(), [1, 2, 3]);
  await appendFile(stage.path, `garbage\n[1]\n\u0000\u001B[31m\n${line(4)}`);
  assert.deepEqual(await stage.lines(), [1, 2, 3, 4]);
});

test("[SIGHT-5] of a long transcript the beginning and the end are read", async () => {
  await using stage = await openStage();
  const most = 40;
  const part = MAX_LOOK_BYTES / 8;
  const all = Array.from({ length: most }, (_, n) => line(n, part));
  await writeFile(stage.path, all.join(""));
  const read = (await stage.lines()) as readonly number[];
  assert.equal(read[0], 0);
  assert.equal(read.at(-1), most - 1);
  assert.ok(read.length < 18, String(read));
  await appendFile(stage.path, line(99, 10));
  assert.equal((await stage.lines())?.at(-1), 99);
});

test("[SIGHT-5] a line of megabytes is passed over, and the next one is read", async () => {
  await using stage = await openStage();
  await writeFile(stage.path, line(1, 5 * MAX_LOOK_BYTES));
  assert.deepEqual(await stage.lines(), []);
  await appendFile(stage.path, line(2));
  assert.deepEqual(await stage.lines(), [2]);
  // One that is still being written.
  await appendFile(stage.path, "y".repeat(2 * MAX_LOOK_BYTES));
  assert.deepEqual(await stage.lines(), [2]);
  await appendFile(stage.path, `\n${line(3)}`);
  await stage.lines();
  await appendFile(stage.path, line(4));
  assert.equal((await stage.lines())?.at(-1), 4);
});

test("[SIGHT-5] a file that is cut off, replaced or gone is begun anew", async () => {
  await using stage = await openStage();
  await writeFile(stage.path, line(1) + line(2));
  assert.deepEqual(await stage.lines(), [1, 2]);
  await truncate(stage.path, 0);
  assert.deepEqual(await stage.lines(), []);
  await appendFile(stage.path, line(3));
  assert.deepEqual(await stage.lines(), [3]);
  await rm(stage.path);
  assert.equal(await stage.lines(), undefined);
  await mkdir(stage.path);
  assert.equal(await stage.lines(), undefined);
});

test("[SIGHT-5] no link leads out of the program's folder", async () => {
  await using stage = await openStage("linked/s.jsonl");
  const outside = join(stage.root, "..", "outside");
  await mkdir(outside);
  await writeFile(join(outside, "s.jsonl"), line(1));
  await symlink(outside, join(stage.root, "linked"));
  assert.equal(await stage.lines(), undefined);
  await rm(join(stage.root, "linked"));
  await mkdir(join(stage.root, "linked"));
  await symlink(join(outside, "s.jsonl"), stage.path);
  assert.equal(await stage.lines(), undefined);
});
