/** Changes: what a worktree holds, sealed into one commit. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { SealedChange, SealRequest } from "../port/landing.ts";
import { AT, codeOf, openBenchTop, value, type BenchTop, type OpenTested } from "./bench-top.ts";
import { contentsOf, git, makeRepository, write } from "./user-repository.ts";

const REQUEST: SealRequest = {
  message: "Add a page\n\nAtrium-Task: tsk_1",
  author: { name: "Eng 1", email: "eng_1@agents.invalid" },
  at: AT,
};

const seal = async (top: BenchTop, request: Partial<SealRequest> = {}): Promise<SealedChange> =>
  value(await top.spaces.seal("one", { ...REQUEST, ...request }));

const pathsOf = ({ files }: SealedChange): string[] => files.map(({ path }) => path).toSorted();

export function describeChanges(open: OpenTested): void {
  describe("changes", () => {
    test("[SPACE-21] are one commit on the base, by the agent, and the same when repeated", async () => {
      await using top = await openBenchTop(open);
      const before = contentsOf(top.repository);
      const { folder, store, commit: base } = await top.worktree("one");
      write(folder, { "src/a.ts": "export const a = 3;\n", "new.txt": "new\nfile\n" });
      rmSync(join(folder, "src/b.ts"));
      const change = await seal(top);
      assert.deepEqual(pathsOf(change), ["new.txt", "src/a.ts", "src/b.ts"]);
      assert.deepEqual([change.added, change.removed, change.isEmpty], [3, 2, false]);
      assert.equal(change.base, base);
      const format = "--format=%P|%an <%ae>|%cn <%ce>|%at %ct|%B";
      assert.equal(
        git(store, "log", "-1", format, change.commit),
        `${base}|Eng 1 <eng_1@agents.invalid>|Atrium <atrium@agents.invalid>|` +
          `${AT / 1000} ${AT / 1000}|${REQUEST.message}`,
      );
      assert.deepEqual(await seal(top), change);
      value(await top.spaces.removeWorktree("one"));
      git(store, "prune", "--expire=now");
      assert.equal(git(store, "show", `${change.commit}:new.txt`), "new\nfile");
      git(store, "fsck", "--strict", "--no-dangling");
      assert.deepEqual(contentsOf(top.repository), before);
    });

    test("[SPACE-21] are empty when nothing differs, also after a detour", async () => {
      await using top = await openBenchTop(open);
      const { folder, commit } = await top.worktree("one");
      write(folder, { "new.txt": "new\n" });
      await seal(top);
      rmSync(join(folder, "new.txt"));
      const change = await seal(top);
      assert.deepEqual([change.isEmpty, change.commit, change.files], [true, commit, []]);
    });

    test("[SPACE-21] of another round are made on the same base, and both stay", async () => {
      await using top = await openBenchTop(open);
      const { folder, store } = await top.worktree("one");
      write(folder, { "new.txt": "first\n" });
      const first = await seal(top);
      write(folder, { "new.txt": "second\n" });
      const second = await seal(top);
      assert.equal(second.base, first.base);
      git(store, "prune", "--expire=now");
      assert.equal(git(store, "show", `${first.commit}:new.txt`), "first");
      assert.equal(git(store, "show", `${second.commit}:new.txt`), "second");
    });

    test("[SPACE-21] of a fork hold all that differs from what the other was made from", async () => {
      await using top = await openBenchTop(open);
      const one = await top.worktree("one");
      write(one.folder, { "first.txt": "first\n" });
      const { tree } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      const fork = { tree, label: "From one", base: one.commit };
      const request = { repositoryId: "shop", workspaceId: "two", fork, at: AT };
      const two = value(await top.spaces.openWorktree(request));
      write(two.folder, { "second.txt": "second\n" });
      const change = value(await top.spaces.seal("two", REQUEST));
      assert.equal(change.base, one.commit);
      assert.deepEqual(pathsOf(change), ["first.txt", "second.txt"]);
      const odd = { ...request, workspaceId: "three", fork: { ...fork, base: "HEAD" } };
      assert.equal(codeOf(await top.spaces.openWorktree(odd)), "moment.missing");
    });

    test("[SPACE-21] have authors of every name", async () => {
      await using top = await openBenchTop(open);
      const { folder, store } = await top.worktree("one");
      write(folder, { "new.txt": "new\n" });
      for (const name of ["", "<>", "A\nB <x>", "Zoë 事務", "__proto__"]) {
        const { commit } = await seal(top, { author: { name, email: `${name}@x>\n` } });
        assert.match(git(store, "cat-file", "commit", commit), /^author .+ <.*> \d+ \+0000$/m);
      }
      git(store, "fsck", "--strict", "--no-dangling");
    });

    test("[SPACE-22] have the documents that were delivered as files, also where they are ignored", async () => {
      await using top = await openBenchTop(open);
      const { folder, store } = await top.worktree("one");
      write(folder, { "docs/old.md": "mine\n", "run.sh": "#!/bin/sh\n" });
      chmodSync(join(folder, "run.sh"), 0o755);
      const delivered = [
        { path: "docs/guide/start.md", content: Buffer.from("# Start\n") },
        { path: "docs/old.md", content: Buffer.from("delivered\n") },
        { path: "debug.log", content: Buffer.from("ignored\n") },
        { path: "run.sh", content: Buffer.from("#!/bin/sh\nexit 0\n") },
      ];
      const change = await seal(top, { delivered });
      const paths = ["debug.log", "docs/guide/start.md", "docs/old.md", "run.sh"];
      assert.deepEqual(pathsOf(change), paths);
      assert.deepEqual(change.omitted, []);
      assert.equal(git(store, "show", `${change.commit}:docs/old.md`), "delivered");
      assert.match(git(store, "ls-tree", change.commit, "run.sh"), /^100755 /);
      assert.equal(readFileSync(join(folder, "docs/guide/start.md"), "utf8"), "# Start\n");
      // They stay in what is made later, without being delivered again.
      write(folder, { "src/a.ts": "changed\n" });
      assert.deepEqual(pathsOf(await seal(top)), [...paths, "src/a.ts"]);
    });

    test("[SPACE-22] leave out documents whose names no tree can have, and name them", async () => {
      await using top = await openBenchTop(open);
      const { folder } = await top.worktree("one");
      write(folder, { "kept.txt": "kept\n" });
      const odd = [
        "",
        "/etc/passwd",
        "../out.md",
        "a/../../out.md",
        ".git/config",
        "docs/.GIT/hooks/x",
        "git~1/config",
        ".git /x",
        "src",
        "README.md/below.md",
        "a//b.md",
        "nul\0.md",
        `${"x".repeat(300)}.md`,
        "x/".repeat(3_000),
      ];
      const named = [...odd, ".env", "keys/server.pem"];
      const content = Buffer.from("x\n");
      const large = { path: "large.bin", content: Buffer.alloc(11 * 1024 * 1024) };
      const clash = ["one.md", "one.md/two.md"].map((path) => ({ path, content }));
      const delivered = [...named.map((path) => ({ path, content })), large, ...clash];
      const change = await seal(top, { delivered });
      assert.deepEqual(pathsOf(change), ["kept.txt", "one.md"]);
      const why = new Map(change.omitted.map((each) => [each.path, each.why]));
      for (const path of [...odd, "one.md/two.md"]) assert.equal(why.get(path), "name", path);
      assert.deepEqual(
        [".env", "keys/server.pem", "large.bin"].map((path) => why.get(path)),
        ["secret", "secret", "large"],
      );
      assert.equal(readFileSync(join(folder, "src/b.ts"), "utf8"), "export const b = 2;\n");
    });

    test("[SPACE-23] leave a tracked secret as it was, and name what they do not hold", async () => {
      const files = { "a.txt": "a\n", ".env": "KEY=old\n" };
      await using top = await openBenchTop(open, files);
      const { folder, store } = await top.worktree("one");
      write(folder, { "a.txt": "b\n", ".env": "KEY=new\n" });
      mkdirSync(join(folder, "inner"));
      makeRepository(join(folder, "inner"), { "x.txt": "x\n" });
      const change = await seal(top);
      assert.deepEqual(pathsOf(change), ["a.txt"]);
      assert.deepEqual(
        change.omitted.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        [
          { path: ".env", why: "secret" },
          { path: "inner/", why: "nested" },
        ],
      );
      assert.equal(git(store, "show", `${change.commit}:.env`), "KEY=old");
      assert.equal(readFileSync(join(folder, ".env"), "utf8"), "KEY=new\n");
    });

    test("[SPACE-24] may be a sealed one with files edited, and the worktree follows", async () => {
      await using top = await openBenchTop(open);
      const { folder, store } = await top.worktree("one");
      write(folder, { "new.txt": "first\n", "gone.txt": "gone\n" });
      const first = await seal(top);
      write(folder, { "later.txt": "not sealed\n" });
      const edits = [
        { path: "new.txt", content: Buffer.from("suggested\n") },
        { path: "gone.txt", content: null },
        { path: "../out.txt", content: Buffer.from("out\n") },
      ];
      const ask = { ...REQUEST, tree: first.tree, edits };
      const second = value(await top.spaces.sealEdits("one", ask));
      assert.deepEqual(pathsOf(second), ["new.txt"]);
      assert.deepEqual(second.omitted, [{ path: "../out.txt", why: "name" }]);
      assert.equal(second.base, first.base);
      assert.equal(git(store, "show", `${second.commit}:new.txt`), "suggested");
      assert.equal(readFileSync(join(folder, "new.txt"), "utf8"), "suggested\n");
      assert.throws(() => readFileSync(join(folder, "later.txt")), "it is in the moment before");
      assert.deepEqual(value(await top.spaces.sealEdits("one", ask)), second);
      const lost = { ...ask, tree: "1".repeat(40) };
      assert.equal(codeOf(await top.spaces.sealEdits("one", lost)), "moment.missing");
    });

    test("[SPACE-24] are read as one patch, cut where it is too long", async () => {
      await using top = await openBenchTop(open);
      const { folder, tree } = await top.worktree("one");
      write(folder, { "a.txt": "a\n".repeat(1_000), "bin.dat": "\0\u0001\0" });
      const change = await seal(top);
      const trees = { from: tree, to: change.tree };
      const whole = value(await top.spaces.readWholePatch("shop", { ...trees, maxBytes: 100_000 }));
      assert.equal(whole.isCut, false);
      assert.match(whole.text, /^diff --git a\/a\.txt b\/a\.txt$/m);
      assert.match(whole.text, /^GIT binary patch$/m);
      const cut = value(await top.spaces.readWholePatch("shop", { ...trees, maxBytes: 500 }));
      assert.ok(cut.isCut && cut.text.length <= 500 && cut.text.endsWith("\n"));
      const odd = { from: "--output=/tmp/x", to: change.tree, maxBytes: 500 };
      assert.equal(codeOf(await top.spaces.readWholePatch("shop", odd)), "moment.missing");
    });
  });
}
