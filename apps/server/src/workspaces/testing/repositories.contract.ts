/** Repositories in all the states that people leave them in. */
import assert from "node:assert/strict";
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { RepositorySource, TreeEntry, Workspaces } from "../port/workspaces.ts";
import { AT, codeOf, FILES, openBenchTop, value, type OpenTested } from "./bench-top.ts";
import { contentsOf, git, makeRepository, write } from "./user-repository.ts";

export function describeRepositories(open: OpenTested): void {
  describe("repositories", () => {
    test("[SPACE-1] leave everything in the attached repository byte for byte as it was", async () => {
      await using top = await openBenchTop(open);
      const { repository, spaces } = top;
      const marker = join(top.folder, "hook-ran");
      write(repository, { ".git/hooks/post-checkout": `#!/bin/sh\ntouch ${marker}\n` });
      write(repository, { ".git/hooks/reference-transaction": `#!/bin/sh\ntouch ${marker}\n` });
      write(repository, { "src/a.ts": "stashed\n" });
      git(repository, "stash");
      write(repository, {
        "src/a.ts": "not committed\n",
        "src/b.ts": "staged\n",
        "new.txt": "new\n",
      });
      git(repository, "add", "src/b.ts");
      const before = contentsOf(repository);
      const worktree = await top.worktree("one");
      write(worktree.folder, { "src/a.ts": "changed by an agent\n", "src/c.ts": "new\n" });
      const moment = value(await spaces.recordMoment("one", { label: "x", at: AT }));
      value(await spaces.syncBase("shop"));
      value(await spaces.restoreMoment("one", worktree.tree, { label: "back", at: AT }));
      value(await spaces.compareTrees("shop", worktree.tree, moment.tree));
      value(await spaces.removeWorktree("one"));
      assert.deepEqual(contentsOf(repository), before);
      assert.throws(() => readFileSync(marker), "no hook ran");
    });

    test("[SPACE-2] start from what is committed, not from what is being worked on", async () => {
      await using top = await openBenchTop(open);
      write(top.repository, { "src/a.ts": "not committed\n", "new.txt": "new\n" });
      const { folder } = await top.worktree("one");
      assert.equal(readFileSync(join(folder, "src/a.ts"), "utf8"), FILES["src/a.ts"]);
      assert.throws(() => readFileSync(join(folder, "new.txt")));
    });

    test("[SPACE-2] may be empty, bare, shallow, detached or a linked worktree, and name a branch", async () => {
      await using top = await openBenchTop(open);
      const { folder, repository, spaces } = top;
      const at = (name: string): string => join(folder, name);
      write(repository, { "src/a.ts": "second\n" });
      git(repository, "commit", "--quiet", "--all", "--message", "Second");
      git(repository, "branch", "atrium/old", "HEAD~1");
      git(folder, "init", "--quiet", at("empty"));
      git(folder, "clone", "--quiet", "--bare", repository, at("bare"));
      git(folder, "clone", "--quiet", "--depth", "1", `file://${repository}`, at("shallow"));
      git(folder, "clone", "--quiet", repository, at("detached"));
      git(at("detached"), "checkout", "--quiet", "HEAD~1");
      git(repository, "worktree", "add", "--quiet", at("linked"), "atrium/old");
      const cases: readonly (readonly [string, string | undefined, string | undefined])[] = [
        ["empty", undefined, undefined],
        ["bare", undefined, "second\n"],
        ["shallow", undefined, "second\n"],
        ["detached", undefined, FILES["src/a.ts"]],
        ["linked", undefined, FILES["src/a.ts"]],
        ["bare", "atrium/old", FILES["src/a.ts"]],
      ];
      for (const [name, base, text] of cases) {
        const id = `${name}-${base === undefined ? "head" : "named"}`;
        const before = contentsOf(at(name));
        const facts = value(await spaces.openRepository({ id, path: at(name), base }));
        assert.equal(facts.kind, "git");
        const { folder: work } = value(
          await spaces.openWorktree({ repositoryId: id, workspaceId: id, at: AT }),
        );
        const file = join(work, "src/a.ts");
        if (text === undefined) assert.throws(() => readFileSync(file));
        else assert.equal(readFileSync(file, "utf8"), text, id);
        write(work, { "made.txt": "made\n" });
        value(await spaces.recordMoment(id, { label: "made", at: AT }));
        value(await spaces.syncBase(id));
        assert.deepEqual(contentsOf(at(name)), before);
      }
    });

    test("[SPACE-2] follow the repository when they are synced, and worktrees stay where they are", async () => {
      await using top = await openBenchTop(open);
      const worktree = await top.worktree("one");
      write(top.repository, { "src/a.ts": "later\n" });
      git(top.repository, "commit", "--quiet", "--all", "--amend", "--message", "Rewritten");
      const later = value(await top.spaces.syncBase("shop"));
      assert.equal(later.commit, git(top.repository, "rev-parse", "HEAD"));
      assert.equal(readFileSync(join(worktree.folder, "src/a.ts"), "utf8"), FILES["src/a.ts"]);
      const again = await top.worktree("one");
      assert.deepEqual(again, worktree);
    });

    test("[SPACE-3] may be a folder without git: it is imported, and gets none", async () => {
      await using top = await openBenchTop(open);
      const path = join(top.folder, "plain");
      write(path, {
        "a.txt": "a\n",
        ".env": "KEY=secret\n",
        "b.log": "ignored\n",
        ".gitignore": "*.log\n",
      });
      makeRepository(join(path, "inner"), { "x.txt": "x\n" });
      const before = contentsOf(path);
      const source = { id: "plain", path };
      const facts = value(await top.spaces.openRepository(source));
      assert.equal(facts.kind, "folder");
      assert.deepEqual(await namesAt(top.spaces, "plain", facts.tree), [".gitignore", "a.txt"]);
      rmSync(join(path, "a.txt"));
      write(path, { "c.txt": "c\n" });
      const later = value(await top.spaces.syncBase("plain"));
      assert.deepEqual(await namesAt(top.spaces, "plain", later.tree), [".gitignore", "c.txt"]);
      write(path, { "a.txt": "a\n" });
      rmSync(join(path, "c.txt"));
      assert.deepEqual(contentsOf(path), before);
    });

    test("[SPACE-3] may be none at all: a repository of its own, empty at first", async () => {
      await using top = await openBenchTop(open);
      const facts = value(await top.spaces.openRepository({ id: "own", path: null }));
      assert.equal(facts.kind, "own");
      assert.deepEqual(await namesAt(top.spaces, "own", facts.tree), []);
      const again = value(await top.spaces.openRepository({ id: "own", path: null }));
      assert.deepEqual(again, facts);
    });

    test(
      "[SPACE-4] may belong to another user of the machine",
      {
        skip: process.getuid?.() === 0 ? false : "only root can give files away",
      },
      async () => {
        await using top = await openBenchTop(open);
        const give = (path: string): void => {
          for (const name of contentsOf(path).keys()) chownSync(join(path, name), 12_345, 12_345);
        };
        give(top.repository);
        const facts = value(await top.spaces.openRepository({ id: "shop", path: top.repository }));
        assert.equal(facts.kind, "git");
        value(await top.spaces.syncBase("shop"));
      },
    );

    test("[SPACE-5] keep submodules as links, large-file pointers as pointers, symlinks as links", async () => {
      await using top = await openBenchTop(open);
      const { repository, spaces, folder } = top;
      const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
      const inner = makeRepository(join(folder, "inner"), { "x.txt": "x\n" });
      git(repository, "submodule", "--quiet", "add", inner, "vendor/inner");
      write(repository, {
        "big.bin": pointer,
        ".gitattributes": "*.bin filter=lfs -text\n*.txt text eol=crlf\n",
      });
      write(repository, { "dos.txt": "one\ntwo\n", "A.md": "upper\n", "a.md": "lower\n" });
      symlinkSync("../outside", join(repository, "link"));
      git(repository, "add", "--all");
      git(repository, "commit", "--quiet", "--message", "All kinds");
      const worktree = await top.worktree("one");
      const read = (path: string): string => readFileSync(join(worktree.folder, path), "utf8");
      assert.equal(read("big.bin"), pointer);
      assert.equal(read("dos.txt"), "one\r\ntwo\r\n");
      assert.deepEqual([read("A.md"), read("a.md")], ["upper\n", "lower\n"]);
      assert.deepEqual(
        value(await spaces.recordMoment("one", { label: "x", at: AT })).isNew,
        false,
      );
      write(worktree.folder, { "dos.txt": "one\r\ntwo\r\nthree\r\n" });
      const { tree } = value(await spaces.recordMoment("one", { label: "x", at: AT }));
      const file = value(await spaces.readFile("shop", tree, "dos.txt", 1_000));
      assert.equal(file.content?.toString(), "one\ntwo\nthree\n");
      const types = await typesAt(spaces, tree, "");
      assert.deepEqual(types.get("link"), "link");
      assert.deepEqual((await typesAt(spaces, tree, "vendor")).get("inner"), "submodule");
    });

    test("[SPACE-6] that cannot be used are refused, and say why", async () => {
      await using top = await openBenchTop(open);
      const { folder, repository, spaces } = top;
      const broken = makeRepository(join(folder, "broken"), FILES);
      rmSync(join(broken, ".git/HEAD"));
      const hurt = makeRepository(join(folder, "hurt"), FILES);
      rmSync(join(hurt, ".git/objects"), { recursive: true });
      mkdirSync(join(hurt, ".git/objects"));
      const cases: readonly (readonly [Omit<RepositorySource, "id">, string])[] = [
        [{ path: join(folder, "nowhere") }, "repository.missing"],
        [{ path: "relative/path" }, "repository.missing"],
        [{ path: join(repository, "README.md") }, "repository.missing"],
        [{ path: join(repository, "src") }, "repository.unreadable"],
        [{ path: broken }, "repository.unreadable"],
        [{ path: hurt }, "repository.unreadable"],
        [{ path: repository, base: "no-such-branch" }, "repository.unreadable"],
        [{ path: repository, base: "--upload-pack=touch" }, "repository.unreadable"],
        [{ path: repository, base: "a b" }, "repository.unreadable"],
      ];
      for (const [source, code] of cases) {
        const outcome = await spaces.openRepository({ id: "odd", ...source });
        assert.equal(codeOf(outcome), code, JSON.stringify(source));
      }
      for (const id of ["../x", "", "a/b", "-x", "x".repeat(200), "__proto__"]) {
        const outcome = await spaces.openRepository({ id, path: null });
        assert.equal(codeOf(outcome), "repository.missing", id);
      }
    });

    test("[SPACE-2] may be another folder later, of another kind, and start from what is there", async () => {
      await using top = await openBenchTop(open);
      const { folder, repository, spaces } = top;
      write(join(folder, "plain"), { "plain.txt": "no history\n" });
      git(folder, "init", "--quiet", join(folder, "empty"));
      const cases = [
        [repository, "git", Object.keys(FILES)],
        [join(folder, "plain"), "folder", ["plain.txt"]],
        [join(folder, "empty"), "git", []],
        [repository, "git", Object.keys(FILES)],
      ] as const;
      for (const [path, kind, files] of cases) {
        const facts = value(await spaces.openRepository({ id: "shop", path }));
        assert.equal(facts.kind, kind, path);
        const tops = new Set(files.map((name) => name.split("/", 1)[0]));
        assert.deepEqual(new Set(await namesAt(spaces, "shop", facts.tree)), tops, path);
      }
    });

    test("[SPACE-6] without git are refused where the server's own folder is in them", async () => {
      await using top = await openBenchTop(open);
      const { folder, root, spaces } = top;
      value(await spaces.openRepository({ id: "own-x", path: null }));
      for (const path of [folder, join(root, "..")]) {
        const outcome = await spaces.openRepository({ id: "all", path });
        assert.equal(codeOf(outcome), "repository.forbidden", path);
      }
    });

    test("[SPACE-6] whose names differ in case only are refused where the disk cannot hold both", async () => {
      await using top = await openBenchTop(open, { "A.md": "upper\n", "a.md": "lower\n" });
      const { folder } = await top.worktree("one");
      assert.equal(readFileSync(join(folder, "A.md"), "utf8"), "upper\n");
      // As such a disk would answer.
      mkdirSync(join(top.root, "STORES"));
      const request = { repositoryId: "shop", workspaceId: "two", at: AT };
      const refused = await top.spaces.openWorktree(request);
      assert.deepEqual(refused, {
        ok: false,
        code: "repository.unreadable",
        detail: "this disk cannot hold A.md beside a.md",
      });
    });

    test("[SPACE-6] that vanish cannot be synced; what was opened goes on", async () => {
      await using top = await openBenchTop(open);
      const { folder } = await top.worktree("one");
      renameSync(top.repository, `${top.repository}-moved`);
      assert.equal(codeOf(await top.spaces.syncBase("shop")), "repository.missing");
      write(folder, { "src/a.ts": "changed\n" });
      const moment = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      assert.equal(moment.isNew, true);
      const two = await top.spaces.openWorktree({
        repositoryId: "shop",
        workspaceId: "two",
        at: AT,
      });
      assert.equal(codeOf(two), "ok");
    });
  });
}

async function namesAt(spaces: Workspaces, id: string, tree: string): Promise<readonly string[]> {
  return value(await spaces.listFolder(id, tree, "")).map(({ name }) => name);
}

async function typesAt(
  spaces: Workspaces,
  tree: string,
  path: string,
): Promise<ReadonlyMap<string, TreeEntry["type"]>> {
  const entries = value(await spaces.listFolder("shop", tree, path));
  return new Map(entries.map(({ name, type }) => [name, type]));
}
