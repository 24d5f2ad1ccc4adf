/** Lines whose repository moves on, and clean folders of what is on them. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { AT, codeOf, openBenchTop, value, type OpenTested } from "./bench-top.ts";
import { edited, landed, openTrack, seal, start, TEXT } from "./track.ts";
import { contentsOf, git, write } from "./user-repository.ts";

export function describeLineUpdates(open: OpenTested): void {
  describe("lines whose repository moves on", () => {
    const UPDATE = { landingId: "up", message: "Bring up to date", at: AT };
    const commitIn = (repository: string, files: Readonly<Record<string, string>>): string => {
      write(repository, files);
      git(repository, "add", "--all");
      git(repository, "commit", "--quiet", "--message", "Theirs");
      return git(repository, "rev-parse", "HEAD");
    };

    test("[SPACE-30] are brought up to date by a merge, once", async () => {
      await using top = await openTrack(open);
      const one = await start(top, "one");
      write(one.folder, { "a.txt": edited(2, "ours") });
      const { commit: before } = await landed(top, "first", await seal(top, "one"));
      assert.equal(value(await top.spaces.updateLine("shop", "prj", UPDATE)).type, "up-to-date");
      const base = commitIn(top.repository, { "a.txt": edited(17, "theirs") });
      const told = contentsOf(top.repository);
      const merged = value(await top.spaces.updateLine("shop", "prj", UPDATE));
      assert.ok(merged.type === "landed");
      assert.equal(merged.base, base);
      const parents = git(top.store, "log", "-1", "--format=%P", merged.commit);
      assert.equal(parents, `${before} ${base}`);
      assert.match(git(top.store, "show", `${merged.commit}:a.txt`), /ours[^]*theirs/);
      assert.deepEqual(value(await top.spaces.updateLine("shop", "prj", UPDATE)), merged);
      const again = { ...UPDATE, landingId: "again" };
      const still = value(await top.spaces.updateLine("shop", "prj", again));
      assert.deepEqual(still, { type: "up-to-date", base });
      assert.deepEqual(contentsOf(top.repository), told);
    });

    test("[SPACE-30] take over the repository's commits where they have none of their own", async () => {
      await using top = await openTrack(open);
      const base = commitIn(top.repository, { "new.txt": "theirs\n" });
      const moved = value(await top.spaces.updateLine("shop", "prj", UPDATE));
      assert.ok(moved.type === "landed");
      assert.deepEqual([moved.commit, moved.base], [base, base]);
      assert.deepEqual(value(await top.spaces.updateLine("shop", "prj", UPDATE)), moved);
    });

    test("[SPACE-30] stay as they are in a conflict, and where the branch or repository is gone", async () => {
      await using top = await openTrack(open);
      git(top.repository, "branch", "work");
      const source = { id: "shop", path: top.repository, base: "work" };
      value(await top.spaces.openRepository(source));
      const one = await start(top, "one");
      write(one.folder, { "a.txt": edited(5, "ours") });
      const { commit } = await landed(top, "first", await seal(top, "one"));
      git(top.repository, "checkout", "--quiet", "work");
      commitIn(top.repository, { "a.txt": edited(5, "theirs") });
      const conflict = value(await top.spaces.updateLine("shop", "prj", UPDATE));
      assert.ok(conflict.type === "conflict");
      assert.deepEqual(
        conflict.paths.map(({ path, kind }) => [path, kind]),
        [["a.txt", "content"]],
      );
      git(top.repository, "checkout", "--quiet", "main");
      git(top.repository, "branch", "--quiet", "-D", "work");
      const gone = await top.spaces.updateLine("shop", "prj", UPDATE);
      assert.ok(!gone.ok && gone.detail?.includes("no branch work"));
      rmSync(top.repository, { recursive: true });
      const lost = await top.spaces.updateLine("shop", "prj", UPDATE);
      assert.equal(codeOf(lost), "repository.missing");
      assert.equal(value(await top.spaces.openLine("shop", "prj")).commit, commit);
    });

    test("[SPACE-30] follow a folder without git", async () => {
      await using top = await openBenchTop(open);
      const path = join(top.folder, "plain");
      write(path, { "a.txt": TEXT });
      value(await top.spaces.openRepository({ id: "shop", path }));
      value(await top.spaces.openLine("shop", "prj"));
      const one = await start(top, "one");
      write(one.folder, { "a.txt": edited(2, "ours") });
      await landed(top, "first", await seal(top, "one"));
      write(path, { "a.txt": edited(17, "theirs") });
      const merged = value(await top.spaces.updateLine("shop", "prj", UPDATE));
      assert.ok(merged.type === "landed");
      const file = value(await top.spaces.readFile("shop", merged.tree, "a.txt", 1_000));
      assert.match(file.content?.toString() ?? "", /ours[^]*theirs/);
      assert.equal(readFileSync(join(path, "a.txt"), "utf8"), edited(17, "theirs"));
    });
  });

  describe("checkouts", () => {
    test("[SPACE-31] have the files of a commit and nothing else, and go without a trace", async () => {
      await using top = await openTrack(open);
      const { folder } = await start(top, "one");
      write(folder, { "new.txt": "new\n", "left.log": "ignored\n", ".env": "KEY=x\n" });
      const change = await seal(top, "one");
      const checkout = value(await top.spaces.openCheckout("shop", change.commit));
      assert.deepEqual([checkout.commit, checkout.tree], [change.commit, change.tree]);
      assert.equal(git(checkout.folder, "status", "--porcelain", "--ignored"), "");
      assert.equal(git(checkout.folder, "rev-parse", "HEAD"), change.commit);
      assert.deepEqual(
        ["new.txt", "left.log", ".env"].map((name) => existsSync(join(checkout.folder, name))),
        [true, false, false],
      );
      write(checkout.folder, { "built/out.txt": "built\n", "new.txt": "changed\n" });
      await checkout[Symbol.asyncDispose]();
      assert.equal(existsSync(checkout.folder), false);
      assert.equal(git(top.store, "worktree", "list").split("\n").length, 2);
      assert.equal(readFileSync(join(folder, "new.txt"), "utf8"), "new\n");
      for (const id of ["1".repeat(40), change.tree, "HEAD"]) {
        assert.equal(codeOf(await top.spaces.openCheckout("shop", id)), "moment.missing");
      }
    });

    test("[SPACE-31] that a killed life left are cleared away by the next", async () => {
      await using top = await openTrack(open);
      const { commit } = value(await top.spaces.openLine("shop", "prj"));
      const { folder } = value(await top.spaces.openCheckout("shop", commit));
      await using later = open(top.root);
      const { removed } = value(await later.recover());
      assert.ok(removed.some((name) => folder.endsWith(name)));
      assert.equal(existsSync(folder), false);
      assert.equal(git(top.store, "worktree", "list").split("\n").length, 1);
    });
  });
}
