/** What a life that was killed leaves, and what the next one makes of it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import { AT, openBenchTop, value, type BenchTop, type OpenTested } from "./testing/bench-top.ts";
import { createRandom } from "./testing/random.ts";
import { contentsOf, git, write } from "./testing/user-repository.ts";

const KILLS = 40;
/** Most deaths are found by the next life; now and then we look ourselves. */
const LOOK_EVERY = 5;
/** It dies after so many lines at most, and a moment. */
const MAX_LINES = 16;
const MAX_PAUSE_MS = 60;
const PATH = process.env["PATH"] ?? "";
const skip = skipWithout("git");
const open: OpenTested = (root) => openWorkspaces({ root, path: PATH, timers: systemTimers });

interface ToldMoment {
  readonly type: string;
  readonly workspaceId: string;
  readonly tree: string;
  readonly commit: string;
  readonly content: string;
}

test(
  "[SPACE-18] a life that is killed at any moment loses nothing it told, and leaves nothing behind",
  { skip },
  async (t) => {
    const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`SEED=${seed}`);
    const random = createRandom(seed);
    await using top = await openBenchTop(open);
    const before = contentsOf(top.repository);
    const told: ToldMoment[] = [];
    for (let life = 1; life <= KILLS; life++) {
      told.push(...(await liveAndDie(top, life, random)));
      if (life % LOOK_EVERY !== 0) continue;
      await using later = open(top.root);
      value(await later.recover());
      checkNothingLeft(top);
      await checkMoments(later, top, told);
    }
    t.diagnostic(`${told.length} moments told, ${KILLS} deaths`);
    assert.ok(told.length > KILLS / 2, "hardly anything was recorded");
    assert.deepEqual(contentsOf(top.repository), before);
  },
);

/** What it was told before it was killed. */
async function liveAndDie(
  { root, repository }: BenchTop,
  life: number,
  random: (below: number) => number,
): Promise<readonly ToldMoment[]> {
  const program = new URL("testing/worker-double.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, root, repository, String(life)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  const ended = Promise.all([once(child, "close"), once(output, "close")]);
  // Without a line it dies while it starts, recovers or makes the store; with some while it works.
  const wanted = random(MAX_LINES);
  const said = Promise.withResolvers<void>();
  if (wanted === 0) said.resolve();
  output.on("line", (line) => {
    lines.push(line);
    if (lines.length >= wanted) said.resolve();
  });
  await Promise.race([said.promise, ended]);
  await sleep(random(wanted === 0 ? 10 * MAX_PAUSE_MS : MAX_PAUSE_MS));
  assert.equal(child.exitCode, null, "it went on until it was killed");
  child.kill("SIGKILL");
  await ended;
  return lines.flatMap((line) => {
    try {
      const told = JSON.parse(line) as ToldMoment;
      return told.type === "moment" ? [told] : [];
    } catch {
      // The line that its death cut short.
      return [];
    }
  });
}

function checkNothingLeft({ root }: BenchTop): void {
  const namesIn = (folder: string): string[] =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  assert.deepEqual(namesIn("trash"), []);
  assert.deepEqual(
    namesIn("stores").filter((name) => !name.endsWith(".git")),
    [],
  );
  const known = namesIn("stores").flatMap((store) => namesIn(`stores/${store}/worktrees`));
  assert.deepEqual(namesIn("worktrees").toSorted(), known.toSorted());
  const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : [];
  assert.deepEqual(
    files.filter((file) => /\.lock$|\/tmp_/.test(file)),
    [],
  );
  const mark = `GIT_CONFIG_GLOBAL=${join(root, "gitconfig")}`;
  const running = readdirSync("/proc").filter((pid) => environmentOf(pid).includes(mark));
  assert.deepEqual(running, []);
}

function environmentOf(pid: string): string {
  try {
    return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/environ`, "utf8") : "";
  } catch {
    return "";
  }
}

async function checkMoments(
  spaces: ReturnType<OpenTested>,
  top: BenchTop,
  moments: readonly ToldMoment[],
): Promise<void> {
  const store = join(top.root, "stores/shop.git");
  git(store, "fsck", "--strict", "--no-dangling");
  for (const { tree, content } of moments) {
    const file = value(await spaces.readFile("shop", tree, "mine.txt", 1_000));
    assert.equal(file.content?.toString(), content);
  }
  for (const [workspaceId, own] of Map.groupBy(moments, (moment) => moment.workspaceId)) {
    const chain = git(store, "rev-list", `refs/atrium/moments/${workspaceId}`).split("\n");
    // The newest first in the chain, the oldest first in what was told.
    const known = own.map(({ commit }) => commit).toReversed();
    assert.deepEqual(
      chain.filter((commit) => known.includes(commit)),
      known,
    );
  }
}

test(
  "[SPACE-18] locks, drafts and half-made worktrees of an earlier life are cleared, those of people are not",
  { skip },
  async () => {
    await using top = await openBenchTop(open);
    const worktree = await top.worktree("one");
    write(worktree.folder, { "src/a.ts": "changed\n" });
    write(worktree.programs, { "tool/session.json": "{}\n" });
    const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
    const gitDir = readFileSync(worktree.gitFile, "utf8").slice("gitdir: ".length).trim();
    const locks = [
      "HEAD.lock",
      "packed-refs.lock",
      "refs/atrium/base.lock",
      "refs/atrium/moments/one.lock",
    ];
    for (const name of locks) writeFileSync(join(worktree.store, name), "");
    writeFileSync(join(gitDir, "atrium.index.lock"), "");
    write(worktree.store, {
      "objects/aa/tmp_obj_x": "",
      "worktrees/two-1/locked": "initializing\n",
    });
    git(worktree.store, "update-ref", "refs/heads/workspace/two", worktree.commit);
    write(top.root, {
      "stores/draft-1/HEAD": "",
      "worktrees/two-1/half.txt": "half\n",
      "programs/two-1/tool/session.json": "{}\n",
      "trash/x/y": "",
    });
    write(top.repository, { ".git/index.lock": "a person's\n" });
    const before = contentsOf(top.repository);
    await using later = open(top.root);
    const found = value(await later.recover());
    assert.equal(found.locks, locks.length + 2);
    assert.deepEqual([...found.removed].toSorted(), ["draft-1", "two-1"]);
    checkNothingLeft(top);
    assert.deepEqual(readdirSync(join(top.root, "programs")), [basename(worktree.programs)]);
    assert.equal(
      git(worktree.store, "for-each-ref", "--format=%(refname)", "refs/heads"),
      "refs/heads/workspace/one",
    );
    assert.deepEqual(contentsOf(top.repository), before);
    const same = value(await later.recordMoment("one", { label: "x", at: AT }));
    assert.deepEqual([same.tree, same.isNew], [tree, false]);
    value(await later.openWorktree({ repositoryId: "shop", workspaceId: "two", at: AT }));
  },
);

test("[SPACE-18] an index that a killed life left damaged is made anew", { skip }, async () => {
  await using top = await openBenchTop(open);
  const worktree = await top.worktree("one");
  write(worktree.folder, { "src/a.ts": "changed\n" });
  const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
  const gitDir = readFileSync(worktree.gitFile, "utf8").slice("gitdir: ".length).trim();
  writeFileSync(join(gitDir, "atrium.index"), "torn");
  await using later = open(top.root);
  value(await later.recover());
  write(worktree.folder, { "src/b.ts": "changed too\n" });
  utimesSync(join(worktree.folder, "src/a.ts"), 1, 1);
  const moment = value(await later.recordMoment("one", { label: "x", at: AT }));
  const { files } = value(await later.compareTrees("shop", tree, moment.tree));
  assert.deepEqual(
    files.map(({ path }) => path),
    ["src/b.ts"],
  );
});

test("[SPACE-18] a home that was never used is not touched by recovery", { skip }, async () => {
  await using top = await openBenchTop(open);
  const root = join(top.folder, "unused");
  mkdirSync(root);
  await using spaces = open(join(root, "workshop"));
  assert.deepEqual(value(await spaces.recover()), { removed: [], locks: 0, processes: 0 });
  assert.deepEqual(readdirSync(root), []);
});
