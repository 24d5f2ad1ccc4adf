/** What is forgotten is gone, and nothing else is. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  AT,
  codeOf,
  FILES,
  openBenchTop,
  value,
  type BenchTop,
  type OpenTested,
} from "./bench-top.ts";
import { conflicted, edited, makeBoth, openTrack } from "./track.ts";
import { git, write } from "./user-repository.ts";

const ROUNDS = 8;

export function describeForgetting(open: OpenTested): void {
  describe("forgetting", () => {
    for (const isPacked of [false, true]) {
      test(`[SPACE-20] leaves nothing of a task${isPacked ? ", also where it was packed" : ""}, and all of the others`, async () => {
        await using top = await openBenchTop(open);
        const [one, two] = [await top.worktree("one"), await top.worktree("two")];
        write(one.folder, { "plan.txt": "to be forgotten\n", "same.txt": "of both\n" });
        const gone = await treeOf(top, "one");
        write(two.folder, { "same.txt": "of both\n" });
        const kept = await treeOf(top, "two");
        const fork = { tree: gone, label: "From one" };
        if (isPacked) git(one.store, "repack", "-d", "-l", "--quiet");
        assert.equal(await contentAt(top, gone, "plan.txt"), "to be forgotten\n");
        value(await top.spaces.forgetMoments("shop", "one"));
        assert.equal(existsSync(one.folder), false);
        assert.doesNotMatch(git(one.store, "for-each-ref"), /one$|kept/m);
        assert.equal(codeOf(await top.spaces.listFolder("shop", gone, "")), "moment.missing");
        assert.equal(textsIn(one.store).includes("to be forgotten"), false);
        assert.equal(codeOf(await top.spaces.findWorktree("one")), "workspace.missing");
        const three = { repositoryId: "shop", workspaceId: "three", at: AT };
        assert.equal(codeOf(await top.spaces.openWorktree({ ...three, fork })), "moment.missing");
        assert.equal(await contentAt(top, kept, "same.txt"), "of both\n");
        assert.equal(await contentAt(top, two.tree, "src/a.ts"), FILES["src/a.ts"]);
        git(one.store, "fsck", "--strict", "--no-dangling");
        value(await top.spaces.forgetMoments("shop", "one"));
        // The same id begins anew.
        const again = value(await top.spaces.openWorktree({ ...three, workspaceId: "one" }));
        assert.equal(existsSync(join(again.folder, "plan.txt")), false);
      });
    }

    test("[SPACE-20] takes sealed changes and conflicts along, and what has landed stays", async () => {
      await using top = await openTrack(open);
      const change = await makeBoth(
        top,
        (folder) => write(folder, { "a.txt": edited(5, "has landed") }),
        (folder) => write(folder, { "a.txt": edited(5, "never landed") }),
      );
      const { tree } = await conflicted(top, "second", change);
      assert.equal(await contentAt(top, tree, "b.txt"), "b\n");
      for (const id of ["one", "two"]) value(await top.spaces.forgetMoments("shop", id));
      assert.equal(codeOf(await top.spaces.listFolder("shop", change.tree, "")), "moment.missing");
      assert.equal(textsIn(top.store).includes("never landed"), false);
      assert.equal(textsIn(top.store).includes("has landed"), true);
      const line = value(await top.spaces.openLine("shop", "prj"));
      assert.match((await contentAt(top, line.tree, "a.txt")) ?? "", /has landed/);
      git(top.store, "fsck", "--strict", "--no-dangling");
    });

    test("[SPACE-20] goes on beside work in the same repository, which loses nothing", async () => {
      await using top = await openBenchTop(open);
      const { folder, store } = await top.worktree("busy");
      const work = async (): Promise<string[]> => {
        const trees: string[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          // What is forgotten beside it has the same content.
          write(folder, { "shared.txt": `round ${round}\n` });
          trees.push(await treeOf(top, "busy"));
        }
        return trees;
      };
      const forget = async (): Promise<void> => {
        for (let round = 0; round < ROUNDS; round++) {
          const other = await top.worktree("other");
          write(other.folder, { "shared.txt": `round ${round}\n` });
          await treeOf(top, "other");
          value(await top.spaces.forgetMoments("shop", "other"));
        }
      };
      const [trees] = await Promise.all([work(), forget()]);
      for (const [round, tree] of trees.entries()) {
        assert.equal(await contentAt(top, tree, "shared.txt"), `round ${round}\n`);
      }
      git(store, "fsck", "--strict", "--no-dangling");
    });

    test("[SPACE-20] keeps what was about to become a moment when it was cut short", async () => {
      await using top = await openBenchTop(open);
      await top.worktree("one");
      const { folder, gitFile } = await top.worktree("two");
      const gitDir = readFileSync(gitFile, "utf8").slice("gitdir: ".length).trim();
      write(folder, { "late.txt": "in the index, and in no moment\n" });
      const env = { PATH: process.env["PATH"] ?? "", GIT_INDEX_FILE: join(gitDir, "atrium.index") };
      const args = [
        `--git-dir=${gitDir}`,
        `--work-tree=${folder}`,
        "update-index",
        "--add",
        "late.txt",
      ];
      assert.equal(spawnSync("git", args, { cwd: folder, env }).status, 0);
      value(await top.spaces.forgetMoments("shop", "one"));
      const tree = await treeOf(top, "two");
      assert.equal(await contentAt(top, tree, "late.txt"), "in the index, and in no moment\n");
    });

    test("[SPACE-20] is done already where there is nothing; ids that are none are refused", async () => {
      await using top = await openBenchTop(open);
      await top.worktree("one");
      value(await top.spaces.forgetMoments("shop", "nobody"));
      value(await top.spaces.forgetMoments("nobody", "nobody"));
      value(await top.spaces.openRepository({ id: "other", path: null }));
      value(await top.spaces.forgetMoments("other", "one"));
      value(await top.spaces.findWorktree("one"));
      const bad = await top.spaces.forgetMoments("shop", "../one");
      assert.equal(codeOf(bad), "workspace.missing");
    });
  });
}

async function treeOf(top: BenchTop, workspaceId: string): Promise<string> {
  return value(await top.spaces.recordMoment(workspaceId, { label: "x", at: AT })).tree;
}

async function contentAt(top: BenchTop, tree: string, path: string): Promise<string | undefined> {
  return value(await top.spaces.readFile("shop", tree, path, 1_000)).content?.toString();
}

/** Of all objects. */
function textsIn(store: string): string {
  const args = ["cat-file", "--batch", "--batch-all-objects"];
  return spawnSync("git", args, { cwd: store, maxBuffer: 2 ** 30, encoding: "latin1" }).stdout;
}
