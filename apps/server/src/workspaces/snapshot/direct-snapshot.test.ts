/** The short way to a tree leads to the same tree as git's own. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../../../scripts/system-programs.ts";
import { systemTimers } from "../../platform/timers.ts";
import { openWorkspaces } from "../open-workspaces.ts";
import { AT, openBenchTop, value } from "../testing/bench-top.ts";
import { createRandom } from "../testing/random.ts";
import { git, write } from "../testing/user-repository.ts";

const PATH = process.env["PATH"] ?? "";
const ROUNDS = 60;
const skip = skipWithout("git");

/** What git makes of a folder that can be trusted, with an index of its own. */
function treeByGit(store: string, folder: string): string {
  const env = { PATH, GIT_INDEX_FILE: join(store, "oracle.index") };
  rmSync(env.GIT_INDEX_FILE, { force: true });
  const at = [`--git-dir=${store}`, `--work-tree=${folder}`];
  const added = spawnSync("git", [...at, "add", "--all"], { cwd: folder, env, encoding: "utf8" });
  assert.equal(added.status, 0, added.stderr);
  const args = [...at, "write-tree"];
  return spawnSync("git", args, { cwd: folder, env, encoding: "utf8" }).stdout.trim();
}

test(
  "[SPACE-10] whatever changes, the tree is the one that git would make",
  { skip },
  async (t) => {
    const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`SEED=${seed}`);
    const random = createRandom(seed);
    const open = (root: string) => openWorkspaces({ root, path: PATH, timers: systemTimers });
    await using top = await openBenchTop(open, {
      "a/b/c.txt": "c\n",
      "a.txt": "a\n",
      "a/x": "x\n",
    });
    const { folder, store } = await top.worktree("one");
    for (let round = 0; round < ROUNDS; round++) {
      const changed = Array.from({ length: 1 + random(3) }, () => change(folder, random));
      // Now and then it is told what has changed, as tools do.
      const paths = random(2) === 0 ? undefined : changed.flat();
      const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT, paths }));
      assert.equal(tree, treeByGit(store, folder), `round ${round}: ${changed.join(", ")}`);
      if (random(10) > 0) continue;
      value(await top.spaces.restoreMoment("one", tree, { label: "x", at: AT }));
    }
    git(store, "fsck", "--strict", "--no-dangling");
  },
);

test("[SPACE-10] attributes count, whichever folder they are in", { skip }, async () => {
  const open = (root: string) => openWorkspaces({ root, path: PATH, timers: systemTimers });
  await using top = await openBenchTop(open, { "dos/a.txt": "a\n", "unix/a.txt": "a\n" });
  const { folder, store } = await top.worktree("one");
  value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
  write(folder, {
    "dos/.gitattributes": "*.txt text\n",
    "dos/a.txt": "b\r\n",
    "unix/a.txt": "b\r\n",
  });
  const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
  assert.equal(tree, treeByGit(store, folder));
  write(folder, { "dos/a.txt": "c\r\n", "unix/a.txt": "c\r\n" });
  const paths = ["dos/a.txt", "unix/a.txt"];
  const known = value(await top.spaces.recordMoment("one", { label: "x", at: AT, paths }));
  assert.equal(known.tree, treeByGit(store, folder));
});

/** Changes something and says which paths may be different. */
function change(folder: string, random: (below: number) => number): string[] {
  const names = ["a", "b", "a.txt", "c.txt", "a-b", "x"];
  const pick = (): string => names[random(names.length)] ?? "a";
  const path = Array.from({ length: 1 + random(3) }, pick).join("/");
  const file = join(folder, path);
  const before = filesUnder(folder, path);
  // A file on the way becomes a folder.
  const parents = path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
  const blocked = parents.find((parent) => parent !== "" && isFile(join(folder, parent)));
  if (blocked !== undefined) rmSync(join(folder, blocked));
  const how = random(5);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (how === 1 && found?.isFile() === true) {
    chmodSync(file, random(2) === 0 ? 0o755 : 0o644);
  } else {
    rmSync(file, { recursive: true, force: true });
    if (how > 0) mkdirSync(dirname(file), { recursive: true });
    if (how === 2) symlinkSync(pick(), file);
    else if (how > 0) writeFileSync(file, `${random(1_000)}\n`);
  }
  return [...before, ...(blocked === undefined ? [] : [blocked]), path];
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

function filesUnder(folder: string, path: string): string[] {
  const found = spawnSync("find", [path, "-not", "-type", "d"], { cwd: folder, encoding: "utf8" });
  return found.stdout.split("\n").filter((line) => line !== "");
}
