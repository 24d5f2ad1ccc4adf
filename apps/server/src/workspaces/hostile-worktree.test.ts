/** What an agent leaves in its worktree to have the server run it, or to break it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import type { TreeMoment, Worktree } from "./port/workspaces.ts";
import { AT, openBenchTop, value, type BenchTop, type OpenTested } from "./testing/bench-top.ts";
import { git, makeRepository, write } from "./testing/user-repository.ts";

const PATH = process.env["PATH"] ?? "";
const open: OpenTested = (root) => openWorkspaces({ root, path: PATH, timers: systemTimers });

const record = async (top: BenchTop, paths?: readonly string[]): Promise<TreeMoment> =>
  value(await top.spaces.recordMoment("one", { label: "x", at: AT, paths }));

/** A repository whose settings run a command that leaves a file behind. */
function makeTrap(folder: string, evidence: string): void {
  const command = `sh -c 'touch ${evidence}; cat'`;
  makeRepository(folder, { "trap.txt": "trap\n" });
  git(folder, "config", "core.fsmonitor", `touch ${evidence}; false`);
  git(folder, "config", "filter.x.clean", command);
  git(folder, "config", "filter.x.smudge", command);
  // Of the same length as before, so that git has to look into it.
  write(folder, { ".gitattributes": "* filter=x\n", "trap.txt": "part\n" });
}

/** As a server would that does not know better, with a clean environment all the same. */
function runUnsafe({ folder, store }: Worktree, ...args: readonly string[]): void {
  const env = {
    PATH,
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_INDEX_FILE: join(store, "unsafe.index"),
  };
  spawnSync("git", args, { cwd: folder, env });
}

interface Attack {
  readonly name: string;
  readonly prepare: (worktree: Worktree, evidence: string) => void;
  /** What a careless server runs. */
  readonly unsafe: (worktree: Worktree) => void;
}

const gitDirOf = ({ gitFile }: Worktree): string => readFileSync(gitFile, "utf8").slice(8).trim();

/** Found once: afterwards the file may be a trap itself. */
function inStore(
  worktree: Worktree,
  settings: readonly string[],
): (...args: readonly string[]) => void {
  const at = [`--git-dir=${gitDirOf(worktree)}`, `--work-tree=${worktree.folder}`];
  return (...args) => runUnsafe(worktree, ...settings, ...at, ...args);
}

const ATTACKS: readonly Attack[] = [
  {
    name: "the worktree's .git replaced by a repository with a file monitor",
    prepare({ folder }, evidence) {
      rmSync(join(folder, ".git"));
      makeTrap(folder, evidence);
    },
    unsafe: (worktree) => runUnsafe(worktree, "-C", worktree.folder, "status"),
  },
  {
    name: "a nested repository with a file monitor",
    prepare: ({ folder }, evidence) => makeTrap(join(folder, "nested"), evidence),
    unsafe(worktree) {
      const run = inStore(worktree, []);
      run("add", "-A");
      run("add", "-A");
      run("status");
    },
  },
  {
    name: "a nested repository with a filter",
    prepare({ folder }, evidence) {
      makeTrap(join(folder, "nested"), evidence);
      git(join(folder, "nested"), "config", "--unset", "core.fsmonitor");
    },
    unsafe(worktree) {
      const run = inStore(worktree, ["-c", "core.fsmonitor=false"]);
      run("add", "-A");
      run("add", "-A");
      run("status");
    },
  },
];

describe("hostile worktrees", { skip: skipWithout("git") }, () => {
  for (const { name, prepare, unsafe } of ATTACKS) {
    test(`[SPACE-12] nothing that an agent wrote is run: ${name}`, async () => {
      await using top = await openBenchTop(open);
      const evidence = join(top.folder, "it-ran");
      const careless = await top.worktree("careless");
      prepare(careless, evidence);
      rmSync(evidence, { force: true });
      unsafe(careless);
      assert.ok(existsSync(evidence), "the trap works");
      const worktree = await top.worktree("one");
      prepare(worktree, evidence);
      rmSync(evidence, { force: true });
      write(worktree.folder, { "src/a.ts": "changed\n", "new.txt": "new\n" });
      await record(top);
      write(worktree.folder, { "src/a.ts": "changed again\n", "nested/trap.txt": "prat\n" });
      const { tree } = await record(top);
      value(await top.spaces.compareTrees("shop", worktree.tree, tree));
      value(await top.spaces.restoreMoment("one", worktree.tree, { label: "back", at: AT }));
      await record(top, ["src/a.ts", "nested", "nested/trap.txt"]);
      value(await top.spaces.removeWorktree("one"));
      assert.equal(existsSync(evidence), false);
    });
  }

  test("[SPACE-12] a tracked folder, or a submodule's, that becomes a repository runs nothing either", async () => {
    await using top = await openBenchTop(open);
    const inner = makeRepository(join(top.folder, "inner"), { "x.txt": "x\n" });
    git(top.repository, "submodule", "--quiet", "add", inner, "sub");
    git(top.repository, "commit", "--quiet", "--message", "With a submodule");
    const worktree = await top.worktree("one");
    const evidence = join(top.folder, "it-ran");
    makeTrap(join(worktree.folder, "src"), evidence);
    makeTrap(join(worktree.folder, "sub"), evidence);
    rmSync(evidence, { force: true });
    for (const text of ["once\n", "twice\n"]) {
      write(worktree.folder, { "src/a.ts": text, "sub/trap.txt": text });
      await record(top);
    }
    const { tree } = await record(top, ["src/a.ts", "src", "sub"]);
    const listed = git(worktree.store, "ls-tree", "-r", tree);
    assert.equal(
      listed.match(/^160000/gm)?.length,
      1,
      "the submodule that was there, and no other",
    );
    value(await top.spaces.restoreMoment("one", worktree.tree, { label: "back", at: AT }));
    assert.equal(existsSync(evidence), false);
  });

  test("[SPACE-12] a repository that takes the place of a file while it is recorded is left out", async () => {
    await using top = await openBenchTop(open);
    const worktree = await top.worktree("one");
    const { folder } = worktree;
    makeRepository(join(folder, "known"), { "x.txt": "x\n" });
    const known = await record(top, ["known"]);
    assert.deepEqual(
      [known.tree, known.omitted],
      [worktree.tree, [{ path: "known", why: "nested" }]],
    );
    rmSync(join(folder, "known"), { recursive: true });
    // In the middle of it, as a program of the agent's would.
    const made = makeRepository(join(top.folder, "made"), { "x.txt": "x\n" });
    write(folder, { swapped: "a file\n" });
    const program = join(top.folder, "swapping-git");
    const swap = `rm -f "${folder}/swapped"; mv "${made}" "${folder}/swapped"`;
    const script = `case "$*" in *update-index*) [ ! -e "${made}" ] || { ${swap}; } ;; esac`;
    writeFileSync(program, `#!/bin/sh\n${script}\nexec git "$@"\n`, { mode: 0o755 });
    await using spaces = openWorkspaces({
      root: top.root,
      path: PATH,
      timers: systemTimers,
      program,
    });
    const moment = value(await spaces.recordMoment("one", { label: "x", at: AT }));
    assert.ok(existsSync(join(folder, "swapped/.git")), "it was swapped");
    assert.deepEqual(
      [moment.tree, moment.omitted],
      [worktree.tree, [{ path: "swapped", why: "nested" }]],
    );
    // A life that ended before it could be taken out again.
    const gitDir = gitDirOf(worktree);
    const at = [`--git-dir=${gitDir}`, `--work-tree=${folder}`];
    const env = { PATH, GIT_INDEX_FILE: join(gitDir, "atrium.index") };
    const added = spawnSync("git", [...at, "update-index", "--add", "swapped"], {
      cwd: folder,
      env,
    });
    assert.equal(added.status, 0);
    await using later = open(top.root);
    const same = value(await later.recordMoment("one", { label: "x", at: AT }));
    assert.equal(same.tree, worktree.tree);
  });

  test("[SPACE-12] an encoding that does not exist, hooks and drivers change nothing", async () => {
    await using top = await openBenchTop(open);
    const worktree = await top.worktree("one");
    const evidence = join(top.folder, "it-ran");
    write(worktree.folder, {
      ".gitattributes": "* working-tree-encoding=NO-SUCH filter=lfs diff=x merge=x textconv=x\n",
      ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c 'touch ${evidence}'\n\tupdate = !touch ${evidence}\n`,
      ".githooks/post-checkout": `#!/bin/sh\ntouch ${evidence}\n`,
      "src/a.ts": "changed\n",
    });
    const { tree } = await record(top);
    const file = value(await top.spaces.readFile("shop", tree, "src/a.ts", 100));
    assert.equal(file.content?.toString(), "changed\n");
    value(await top.spaces.readPatch("shop", { from: worktree.tree, to: tree, path: "src/a.ts" }));
    value(await top.spaces.restoreMoment("one", worktree.tree, { label: "back", at: AT }));
    assert.equal(existsSync(evidence), false);
  });

  test("[SPACE-13] names of all kinds are kept as they are", async () => {
    await using top = await openBenchTop(open);
    const worktree = await top.worktree("one");
    const names = [
      "line\nbreak",
      "tab\there",
      "-rf",
      "--output=x",
      ":(glob)**",
      ":!x",
      "quote\"'",
      "back\\slash",
      "__proto__",
      "constructor",
      " space ",
      "ümlaut",
      "日本",
      "*",
      "a b/c d",
      "\u0001",
      "%2e%2e",
      "HEAD",
      "@{-1}",
      "n".repeat(255),
    ];
    for (const name of names) write(worktree.folder, { [name]: `${name}\n` });
    const raw = Buffer.concat([
      Buffer.from(`${worktree.folder}/`),
      Buffer.from([0x66, 0xff, 0xfe]),
    ]);
    writeFileSync(raw, "no text\n");
    const { tree, omitted } = await record(top);
    assert.deepEqual(omitted, []);
    for (const name of names) {
      const file = value(await top.spaces.readFile("shop", tree, name, 1_000));
      assert.equal(file.content?.toString(), `${name}\n`);
      const patch = { from: worktree.tree, to: tree, path: name };
      assert.equal(value(await top.spaces.readPatch("shop", patch)).type, "patch");
    }
    const { files } = value(await top.spaces.compareTrees("shop", worktree.tree, tree));
    assert.equal(files.length, names.length + 1);
    value(await top.spaces.restoreMoment("one", worktree.tree, { label: "back", at: AT }));
    assert.equal(existsSync(raw), false);
  });

  test("[SPACE-13] .GIT in any case, pipes and sockets are in no moment", async () => {
    await using top = await openBenchTop(open);
    const worktree = await top.worktree("one");
    write(worktree.folder, {
      ".GIT/config": "[core]\n\tfsmonitor = false\n",
      "src/.Git/x": "x\n",
      "ok.txt": "ok\n",
    });
    assert.equal(spawnSync("mkfifo", [join(worktree.folder, "pipe")]).status, 0);
    rmSync(join(worktree.folder, "src/b.ts"));
    assert.equal(spawnSync("mkfifo", [join(worktree.folder, "src/b.ts")]).status, 0);
    const { tree } = await record(top);
    const known = await record(top, ["pipe", ".GIT/config", "src/b.ts"]);
    const listed = git(worktree.store, "ls-tree", "-r", "--name-only", known.tree);
    assert.match(listed, /ok\.txt/);
    assert.doesNotMatch(listed, /\.git\/|pipe/i);
    assert.equal(known.tree, tree);
  });

  test("[SPACE-13] files that become folders, folders that become files or links are told as they are", async () => {
    await using top = await openBenchTop(open);
    const { folder, store } = await top.worktree("one");
    const names = async (): Promise<string[]> =>
      git(store, "ls-tree", "-r", "--name-only", (await record(top)).tree).split("\n");
    rmSync(join(folder, "README.md"));
    write(folder, { "README.md/a.txt": "a\n" });
    renameSync(join(folder, "src"), join(folder, "moved"));
    writeFileSync(join(folder, "src"), "now a file\n");
    assert.deepEqual(await names(), [
      ".gitignore",
      "README.md/a.txt",
      "moved/a.ts",
      "moved/b.ts",
      "src",
    ]);
    rmSync(join(folder, "src"));
    symlinkSync("moved", join(folder, "src"));
    rmSync(join(folder, "README.md"), { recursive: true });
    symlinkSync("/etc", join(folder, "README.md"));
    assert.deepEqual(await names(), [".gitignore", "README.md", "moved/a.ts", "moved/b.ts", "src"]);
    rmSync(join(folder, "moved"), { recursive: true });
    symlinkSync(top.repository, join(folder, "moved"));
    assert.deepEqual(await names(), [".gitignore", "README.md", "moved", "src"]);
    for (const name of ["src", "moved"]) rmSync(join(folder, name));
    write(folder, { "src/a.ts": "a\n" });
    await using later = open(top.root);
    value(await later.recordMoment("one", { label: "x", at: AT }));
    rmSync(join(folder, "src"), { recursive: true });
    symlinkSync("src", join(folder, "src"));
    await using last = open(top.root);
    const { tree } = value(await last.recordMoment("one", { label: "x", at: AT }));
    const listed = git(store, "ls-tree", "-r", "--name-only", tree).split("\n");
    assert.deepEqual(listed, [".gitignore", "README.md", "src"]);
  });

  test("[SPACE-13] paths longer than the system takes neither fail a moment nor stay", async () => {
    await using top = await openBenchTop(open);
    const { folder } = await top.worktree("one");
    const deep =
      'i=0; while [ $i -lt 40 ]; do mkdir "$D" && cd -P "$D" || exit 1; i=$((i+1)); done; echo end > end';
    const env = { PATH, D: "d".repeat(200) };
    assert.equal(spawnSync("sh", ["-c", deep], { cwd: folder, env }).status, 0);
    write(folder, { "ok.txt": "ok\n" });
    const { tree } = await record(top);
    assert.equal(
      value(await top.spaces.readFile("shop", tree, "ok.txt", 9)).content?.toString(),
      "ok\n",
    );
    mkdirSync(join(folder, "e"));
  });
});
