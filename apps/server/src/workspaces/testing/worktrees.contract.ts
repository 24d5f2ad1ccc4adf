/** Worktrees: one for each task, made and removed without disturbing the others. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { AT, codeOf, FILES, openBenchTop, value, type OpenTested } from "./bench-top.ts";
import { git, makeRepository, write } from "./user-repository.ts";

export function describeWorktrees(open: OpenTested): void {
  describe("worktrees", () => {
    test("[SPACE-7] have the files of the base, and git works in them for reading", async () => {
      await using top = await openBenchTop(open);
      const worktree = await top.worktree("one");
      assert.equal(readFileSync(join(worktree.folder, "src/a.ts"), "utf8"), FILES["src/a.ts"]);
      assert.ok(readFileSync(worktree.gitFile, "utf8").includes(worktree.store));
      assert.equal(git(worktree.folder, "status", "--porcelain"), "");
      write(worktree.folder, { "src/a.ts": "changed\n" });
      assert.equal(git(worktree.folder, "status", "--porcelain"), "M src/a.ts");
      assert.equal(git(worktree.folder, "log", "--format=%s"), "First");
    });

    test("[SPACE-7] are one for each id, also for a later life", async () => {
      await using top = await openBenchTop(open);
      const first = await top.worktree("one");
      write(first.folder, { "src/a.ts": "changed\n" });
      assert.deepEqual(await top.worktree("one"), first);
      assert.equal(readFileSync(join(first.folder, "src/a.ts"), "utf8"), "changed\n");
      await using later = open(top.root);
      value(await later.recover());
      assert.deepEqual(value(await later.findWorktree("one")), first);
      const moment = value(await later.recordMoment("one", { label: "later", at: AT }));
      assert.equal(moment.isNew, true);
    });

    test("[SPACE-7] are made and recorded eight at once without disturbing one another", async () => {
      await using top = await openBenchTop(open);
      value(await top.spaces.openRepository({ id: "shop", path: top.repository }));
      const ids = Array.from({ length: 8 }, (_, index) => `task-${index}`);
      const trees = await Promise.all(
        ids.map(async (workspaceId) => {
          const { folder } = value(
            await top.spaces.openWorktree({ repositoryId: "shop", workspaceId, at: AT }),
          );
          let tree = "";
          for (let step = 0; step < 5; step++) {
            write(folder, { "mine.txt": `${workspaceId} ${step}\n` });
            const label = `step ${step}`;
            ({ tree } = value(await top.spaces.recordMoment(workspaceId, { label, at: AT })));
          }
          return tree;
        }),
      );
      for (const [index, tree] of trees.entries()) {
        const file = value(await top.spaces.readFile("shop", tree, "mine.txt", 100));
        assert.equal(file.content?.toString(), `${ids[index]} 4\n`);
      }
    });

    test("[SPACE-8] leave nothing behind when they are removed, but their moments", async () => {
      await using top = await openBenchTop(open);
      const worktree = await top.worktree("one");
      write(worktree.folder, { "made.txt": "made\n" });
      write(worktree.programs, { "claude/session.json": "{}\n" });
      const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      value(await top.spaces.removeWorktree("one"));
      value(await top.spaces.removeWorktree("one"));
      assert.equal(existsSync(worktree.folder), false);
      assert.deepEqual(readdirSync(join(top.root, "programs")), []);
      assert.deepEqual(readdirSync(join(top.root, "worktrees")), []);
      assert.deepEqual(readdirSync(join(top.root, "trash")), []);
      assert.equal(git(worktree.store, "for-each-ref", "refs/heads"), "");
      assert.equal(git(worktree.store, "worktree", "list").split("\n").length, 1);
      assert.equal(codeOf(await top.spaces.findWorktree("one")), "workspace.missing");
      const made = value(await top.spaces.readFile("shop", tree, "made.txt", 100));
      assert.equal(made.content?.toString(), "made\n");
    });

    test("[SPACE-8] leave a store packed where there are many objects", async () => {
      const files = Array.from({ length: 2_500 }, (_, index) => [
        `many/${index}.txt`,
        `${index}\n`,
      ]);
      await using top = await openBenchTop(open, Object.fromEntries(files));
      const { folder, store } = await top.worktree("one");
      write(folder, { "many/7.txt": "changed\n" });
      const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      value(await top.spaces.removeWorktree("one"));
      // Whoever asks for the repository comes after it.
      value(await top.spaces.syncBase("shop"));
      assert.match(git(store, "count-objects", "-v"), /^count: \d{1,2}$/m);
      const file = value(await top.spaces.readFile("shop", tree, "many/7.txt", 100));
      assert.equal(file.content?.toString(), "changed\n");
      git(store, "fsck", "--strict", "--no-dangling");
    });

    test("[SPACE-8] are removed whatever was left in them, and links are not followed", async () => {
      await using top = await openBenchTop(open);
      const { folder } = await top.worktree("one");
      const outside = join(top.folder, "outside");
      write(outside, { "kept.txt": "kept\n" });
      symlinkSync(outside, join(folder, "way-out"));
      rmSync(join(folder, ".git"));
      makeRepository(folder, { "mine.txt": "mine\n" });
      mkdirSync(join(folder, "closed/inner"), { recursive: true });
      chmodSync(join(folder, "closed"), 0);
      const deep =
        'i=0; while [ $i -lt 40 ]; do mkdir "$D" && cd -P "$D" || exit 1; i=$((i+1)); done; touch end';
      const made = spawnSync("sh", ["-c", deep], {
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", D: "d".repeat(200) },
        encoding: "utf8",
      });
      assert.equal(made.status, 0, made.stderr);
      value(await top.spaces.removeWorktree("one"));
      assert.equal(existsSync(folder), false);
      assert.deepEqual(readdirSync(join(top.root, "trash")), []);
      assert.equal(readFileSync(join(outside, "kept.txt"), "utf8"), "kept\n");
    });

    test("[SPACE-9] are made again from their last moment when somebody deletes the folder", async () => {
      await using top = await openBenchTop(open);
      const first = await top.worktree("one");
      write(first.folder, { "made.txt": "made\n" });
      value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      rmSync(first.folder, { recursive: true });
      const lost = await top.spaces.recordMoment("one", { label: "x", at: AT });
      assert.equal(codeOf(lost), "workspace.missing");
      const again = await top.worktree("one");
      assert.notEqual(again.folder, first.folder);
      assert.equal(again.commit, first.commit);
      assert.equal(readFileSync(join(again.folder, "made.txt"), "utf8"), "made\n");
      assert.equal(git(again.folder, "status", "--porcelain"), "?? made.txt");
      const moment = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      assert.equal(moment.isNew, false);
    });

    test("[SPACE-9] start from a moment of another, as a fork", async () => {
      await using top = await openBenchTop(open);
      const one = await top.worktree("one");
      write(one.folder, { "src/a.ts": "as it was\n" });
      const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      write(one.folder, { "src/a.ts": "later\n" });
      value(await top.spaces.recordMoment("one", { label: "y", at: AT }));
      const fork = { tree, label: "From one" };
      const request = { repositoryId: "shop", workspaceId: "two", fork, at: AT };
      const two = value(await top.spaces.openWorktree(request));
      assert.equal(two.tree, tree);
      assert.equal(readFileSync(join(two.folder, "src/a.ts"), "utf8"), "as it was\n");
      assert.equal(readFileSync(join(one.folder, "src/a.ts"), "utf8"), "later\n");
      const unknown = { ...request, workspaceId: "three", fork: { ...fork, tree: "1".repeat(40) } };
      assert.equal(codeOf(await top.spaces.openWorktree(unknown)), "moment.missing");
    });

    test("[SPACE-9] of a repository that nobody opened are refused, as are ids that are none", async () => {
      await using top = await openBenchTop(open);
      const ask = (repositoryId: string, workspaceId: string): Promise<string> =>
        top.spaces.openWorktree({ repositoryId, workspaceId, at: AT }).then(codeOf);
      assert.equal(await ask("nobody", "one"), "repository.missing");
      await top.worktree("one");
      value(await top.spaces.openRepository({ id: "other", path: null }));
      assert.equal(await ask("other", "one"), "workspace.taken");
      for (const id of ["../x", "a/b", "__proto__", "", "-x"]) {
        assert.equal(await ask("shop", id), "workspace.missing", id);
      }
    });
  });
}
