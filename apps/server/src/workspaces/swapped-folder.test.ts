/** Processes of an agent's that still run, while the server's git reads and writes files beside them. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { openSandbox, skipWithoutSandbox } from "../confinement/testing/sandbox.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import type { Workspaces, Worktree } from "./port/workspaces.ts";
import { AT, openBenchTop, value } from "./testing/bench-top.ts";
import { contentsOf, git } from "./testing/user-repository.ts";

const PATH = process.env["PATH"] ?? "";
const FILES = 200;
const ROUNDS = 4;
const SECRET = "a file of the server's";
const DOUBLE = join(import.meta.dirname, "testing/swapping-double.ts");

function open(root: string, program = "git"): Workspaces {
  const confinement = openSandbox([]);
  return openWorkspaces({ root, path: PATH, timers: systemTimers, program, confinement });
}

const skip = skipWithout("git") || skipWithoutSandbox();

describe("a folder that is swapped for a link", { skip }, () => {
  test("[SPACE-19] nothing outside of the worktree gets into a moment", async () => {
    await using top = await openBenchTop(open);
    const worktree = await top.worktree("one");
    const src = join(worktree.folder, "src");
    const outside = fill(join(top.folder, "outside"), SECRET);
    await using swapping = await swap(src, outside, lockOf(worktree));
    for (let round = 0; round < ROUNDS; round++) {
      fill(src, `round ${round}`);
      // It may be refused: the files do not stay as they are.
      await top.spaces.recordMoment("one", { label: "x", at: AT });
    }
    assert.equal(swapping.exitCode, null);
    assert.equal(objectsWith(worktree.store, SECRET), 0);
  });

  test("[SPACE-19] git that is led outside finds nothing there, and its store under no known name", async () => {
    await using top = await openBenchTop(open);
    const { folder, store } = await top.worktree("one");
    const outside = fill(join(top.folder, "outside"), SECRET);
    const before = contentsOf(outside);
    // As if it had followed a link: to a file of the server's, to another folder, and to its own settings.
    const program = join(top.folder, "led-git");
    const led = [
      `cat "${outside}/f0.txt" >> "${folder}/read.log"`,
      `echo x > "${outside}/written"`,
      `echo x >> "${store}/config"`,
      `echo led >> "${folder}/led.log"`,
    ];
    const script = `case "$*" in *"--add "*|*read-tree*-u*) ${led.join("; ")};; esac 2> /dev/null`;
    writeFileSync(program, `#!/bin/sh\n${script}\nexec git "$@"\n`, { mode: 0o755 });
    const config = readFileSync(join(store, "config"), "utf8");
    await using spaces = open(top.root, program);
    fill(join(folder, "src"), "first");
    const { tree } = value(await spaces.recordMoment("one", { label: "first", at: AT }));
    fill(join(folder, "src"), "second");
    value(await spaces.restoreMoment("one", tree, { label: "back", at: AT }));
    assert.equal(readFileSync(join(folder, "src/f1.txt"), "utf8"), "first 1\n");
    // Twice when moments were recorded, and once when files were put back.
    assert.equal(readFileSync(join(folder, "led.log"), "utf8"), "led\nled\nled\n");
    assert.equal(readFileSync(join(folder, "read.log"), "utf8"), "");
    assert.deepEqual(contentsOf(outside), before);
    assert.equal(readFileSync(join(store, "config"), "utf8"), config);
  });
});

function fill(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < FILES; at++) writeFileSync(join(folder, `f${at}.txt`), `${text} ${at}\n`);
  return folder;
}

/** By which it is known that git has begun. */
function lockOf({ gitFile }: Worktree): string {
  const gitDir = readFileSync(gitFile, "utf8").slice("gitdir: ".length).trim();
  return join(gitDir, "atrium.index.lock");
}

async function swap(
  folder: string,
  other: string,
  lock: string,
): Promise<ChildProcess & AsyncDisposable> {
  const child = spawn(process.execPath, [DOUBLE, folder, other, lock]);
  await once(child.stdout, "data");
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  });
}

/** How many objects of the store have this text in them. */
function objectsWith(store: string, text: string): number {
  const args = ["cat-file", "--batch", "--batch-all-objects", "--buffer"];
  const { stdout } = spawnSync("git", args, { cwd: store, maxBuffer: 2 ** 30 });
  assert.ok(stdout.length > 0, git(store, "count-objects", "-v"));
  return stdout.toString("latin1").split(text).length - 1;
}
