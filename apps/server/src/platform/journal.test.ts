import assert from "node:assert/strict";
import { closeSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Fault } from "@atrium/core";
import { HomeError } from "./home.ts";
import { openJournal } from "./journal.ts";

async function withFolder(use: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-journal-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("[SERVER-12] lines are in the file as soon as they are said", async () => {
  await withFolder((folder) => {
    const file = join(folder, "atrium.log");
    const journal = openJournal(file);
    journal.info("open", { url: "here" });
    journal.fault(new Fault("broken", { seq: 7 }));
    const [first = "", second = ""] = readFileSync(file, "utf8").split("\n");
    assert.match(first, /^\{"level":30,"at":\d+,"url":"here","msg":"open"\}$/);
    assert.match(second, /"seq":7,"msg":"broken"/);
    journal.close();
    journal.close();
    journal.info("after the end");
  });
});

test("[SERVER-12] a fault is told with its cause, and what has no JSON costs only itself", async () => {
  await withFolder((folder) => {
    const file = join(folder, "atrium.log");
    const journal = openJournal(file);
    journal.fault(new Fault("broken", { seq: 7n }, new TypeError("no room")));
    const round: { self?: unknown } = {};
    round.self = round;
    journal.info("round", { round });
    journal.fault("a word");
    const [first, second, third] = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual([first.level, first.seq, first.msg], [50, "7", "broken"]);
    assert.deepEqual([first.err.type, first.err.cause.type], ["Fault", "TypeError"]);
    assert.match(first.err.cause.stack, /no room/);
    assert.deepEqual([second.level, second.msg], [30, "round"]);
    assert.match(second.unwritten, /circular/);
    assert.deepEqual([third.err, third.msg], ["a word", "a word"]);
    journal.close();
  });
});

test("[SERVER-12] without room it complains once and goes on", async () => {
  await withFolder((folder) => {
    const file = join(folder, "atrium.log");
    symlinkSync("/dev/full", file);
    const complaints: string[] = [];
    const journal = openJournal(file, (problem) => complaints.push(problem));
    for (let n = 0; n < 100; n++) journal.info("still here", { n });
    assert.equal(complaints.length, 1);
    assert.match(complaints[0] ?? "", /^cannot write .*atrium\.log: ENOSPC/);
    journal.close();
  });
});

test("[SERVER-12] a descriptor that someone closed, and a folder that is gone, stop nothing", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, "atrium.log");
    const complaints: string[] = [];
    const journal = openJournal(file, (problem) => complaints.push(problem));
    journal.info("one");
    await rm(folder, { recursive: true });
    journal.info("two");
    assert.deepEqual(complaints, []);
    closeSync(descriptorOf(file));
    journal.info("three");
    journal.info("four");
    assert.equal(complaints.length, 1);
    assert.match(complaints[0] ?? "", /EBADF/);
    journal.close();
  });
});

test("[SERVER-12] one that cannot be opened is a problem of the home, said in a sentence", async () => {
  await withFolder((folder) => {
    assert.throws(
      () => openJournal(join(folder, "no", "such", "atrium.log")),
      (cause) => cause instanceof HomeError && /^cannot write .*: ENOENT/.test(cause.message),
    );
  });
});

function descriptorOf(file: string): number {
  const found = readdirSync("/proc/self/fd").find((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(file);
    } catch {
      // The one this folder is listed by is gone again.
      return false;
    }
  });
  return Number(found);
}
