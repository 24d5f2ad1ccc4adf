/** Moments: what the files were, after everything that may have changed them. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
import { git, makeRepository, write } from "./user-repository.ts";

export function describeMoments(open: OpenTested): void {
  const record = async (top: BenchTop, paths?: readonly string[]) =>
    value(await top.spaces.recordMoment("one", { label: "run call", at: AT, paths }));
  const contentAt = async (
    top: BenchTop,
    tree: string,
    path: string,
  ): Promise<string | undefined> => {
    const file = await top.spaces.readFile("shop", tree, path, 1_000_000);
    return file.ok ? file.value.content?.toString() : undefined;
  };

  describe("moments", () => {
    test("[SPACE-10] are the tree of everything that changed, chained, and readable at once", async () => {
      await using top = await openBenchTop(open);
      const { folder, store, commit } = await top.worktree("one");
      write(folder, { "src/a.ts": "changed\n", "new/deep.ts": "new\n", "x.log": "ignored\n" });
      rmSync(join(folder, "src/b.ts"));
      writeFileSync(join(folder, "tool.sh"), "#!/bin/sh\n", { mode: 0o755 });
      symlinkSync("/etc/passwd", join(folder, "link"));
      const first = await record(top);
      assert.equal(first.isNew, true);
      assert.deepEqual(first.omitted, []);
      const listed = git(store, "ls-tree", "-r", "--name-only", first.tree).split("\n");
      assert.deepEqual(listed, [
        ".gitignore",
        "README.md",
        "link",
        "new/deep.ts",
        "src/a.ts",
        "tool.sh",
      ]);
      assert.match(git(store, "ls-tree", first.tree, "tool.sh"), /^100755/);
      assert.equal(await contentAt(top, first.tree, "link"), "/etc/passwd");
      const same = await record(top);
      assert.deepEqual(same, { ...first, isNew: false });
      write(folder, { "src/a.ts": "again\n" });
      const second = await record(top);
      const chain = git(store, "log", "--format=%H", "refs/atrium/moments/one").split("\n");
      assert.deepEqual(chain.slice(0, 3), [second.commit, first.commit, commit]);
      git(store, "fsck", "--strict", "--no-dangling");
    });

    test("[SPACE-10] of known paths contain these and nothing else that changed", async () => {
      await using top = await openBenchTop(open);
      const { folder } = await top.worktree("one");
      write(folder, {
        "src/a.ts": "known\n",
        "src/b.ts": "not told\n",
        "src/new.ts": "known too\n",
      });
      const { tree } = await record(top, ["src/a.ts", "src/new.ts", "never/was.ts"]);
      assert.equal(await contentAt(top, tree, "src/a.ts"), "known\n");
      assert.equal(await contentAt(top, tree, "src/new.ts"), "known too\n");
      assert.equal(await contentAt(top, tree, "src/b.ts"), "export const b = 2;\n");
      rmSync(join(folder, "src/new.ts"));
      const gone = await record(top, ["src/new.ts"]);
      assert.equal(await contentAt(top, gone.tree, "src/new.ts"), undefined);
      const all = await record(top);
      assert.equal(await contentAt(top, all.tree, "src/b.ts"), "not told\n");
    });

    test("[SPACE-10] of paths that lead out of the worktree, or into git, take nothing from there", async () => {
      await using top = await openBenchTop(open);
      const { folder, tree } = await top.worktree("one");
      const outside = join(top.folder, "outside");
      write(outside, { "secret.txt": "secret\n" });
      symlinkSync(outside, join(folder, "out"));
      const odd = [
        "../outside/secret.txt",
        "/etc/passwd",
        ".git",
        ".GIT/config",
        "a\0b",
        "",
        "src/../x",
      ];
      assert.equal((await record(top, odd)).tree, tree);
      const through = await record(top, ["out/secret.txt"]);
      assert.equal(await contentAt(top, through.tree, "out/secret.txt"), undefined);
    });

    test("[SPACE-11] never contain secrets, large files or nested repositories, and name them", async () => {
      await using top = await openBenchTop(open);
      const { folder } = await top.worktree("one");
      const secrets = [
        ".env",
        ".env.local",
        "deep/.ENV",
        "tls.pem",
        "tls.key",
        "id_ed25519",
        "a.p12",
      ];
      for (const path of secrets) write(folder, { [path]: "secret\n" });
      write(folder, { ".npmrc": "//registry/:_authToken=abc\n", "ok/.npmrc": "save-exact=true\n" });
      write(folder, {
        ".env.example": "KEY=\n",
        "id_map.ts": "export {};\n",
        "key.ts": "export {};\n",
      });
      writeFileSync(join(folder, "huge.bin"), Buffer.alloc(10 * 1024 * 1024 + 1));
      writeFileSync(join(folder, "big.bin"), Buffer.alloc(10 * 1024 * 1024));
      makeRepository(join(folder, "nested"), { "x.txt": "x\n" });
      const { tree, omitted } = await record(top);
      const byReason = Map.groupBy(omitted, ({ why }) => why);
      const paths = (why: "secret" | "large" | "nested"): string[] =>
        (byReason.get(why) ?? []).map(({ path }) => path).toSorted();
      assert.deepEqual(paths("secret"), [...secrets, ".npmrc"].toSorted());
      assert.deepEqual(paths("large"), ["huge.bin"]);
      assert.deepEqual(paths("nested"), ["nested/"]);
      const names = value(await top.spaces.listFolder("shop", tree, "")).map(({ name }) => name);
      const kept = [
        ".env.example",
        ".gitignore",
        "README.md",
        "big.bin",
        "id_map.ts",
        "key.ts",
        "ok",
        "src",
      ];
      assert.deepEqual(names, kept);
      const known = await record(top, [".env", "huge.bin"]);
      assert.deepEqual(known.omitted.map(({ why }) => why).toSorted(), ["large", "secret"]);
      assert.equal(known.tree, tree);
    });

    test("[SPACE-11] do without a file that cannot be read, and name it", async () => {
      await using top = await openBenchTop(open);
      const { folder } = await top.worktree("one");
      write(folder, { "closed.txt": "closed\n", "open.txt": "open\n", "src/a.ts": "changed\n" });
      // So many that git itself reads them.
      for (let at = 0; at < 40; at++) write(folder, { [`many/${at}.txt`]: `${at}\n` });
      chmodSync(join(folder, "closed.txt"), 0);
      chmodSync(join(folder, "src"), 0);
      const { tree, omitted } = await record(top);
      chmodSync(join(folder, "src"), 0o755);
      const closed = [
        { path: "closed.txt", why: "unreadable" },
        { path: "src/a.ts", why: "unreadable" },
      ];
      const named = omitted.filter(({ path }) => path !== "src/b.ts");
      assert.deepEqual(
        named.toSorted((a, b) => a.path.localeCompare(b.path)),
        closed,
      );
      assert.equal(await contentAt(top, tree, "open.txt"), "open\n");
      assert.equal(await contentAt(top, tree, "src/a.ts"), FILES["src/a.ts"]);
    });

    test("[SPACE-10] that are asked for at once follow one another", async () => {
      await using top = await openBenchTop(open);
      const { folder, store } = await top.worktree("one");
      const moments = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          write(folder, { [`file-${index}.txt`]: `${index}\n` });
          return record(top, [`file-${index}.txt`]);
        }),
      );
      const chain = git(store, "rev-list", "--count", "refs/atrium/moments/one");
      assert.equal(Number(chain), 7);
      assert.equal(new Set(moments.map(({ tree }) => tree)).size, 6);
    });

    test("[SPACE-15] are put back in place: what came later goes, what is ignored or left out stays", async () => {
      await using top = await openBenchTop(open, {
        "a.txt": "a\n",
        "b/c.txt": "c\n",
        ".env": "BASE=1\n",
        ".gitignore": "*.log\n",
      });
      const { folder, tree } = await top.worktree("one");
      const read = (path: string): string => readFileSync(join(folder, path), "utf8");
      rmSync(join(folder, "b"), { recursive: true });
      write(folder, { b: "a folder became a file\n", "later/x.txt": "x\n", "a.txt": "changed\n" });
      write(folder, { "run.log": "ignored\n", ".env": "CHANGED=1\n", "key.pem": "secret\n" });
      makeRepository(join(folder, "nested"), { "n.txt": "n\n" });
      const back = value(await top.spaces.restoreMoment("one", tree, { label: "back", at: AT }));
      assert.equal(back.after.tree, tree);
      assert.deepEqual([read("a.txt"), read("b/c.txt")], ["a\n", "c\n"]);
      assert.equal(existsSync(join(folder, "later")), false);
      const stays = ["run.log", ".env", "key.pem", "nested/n.txt"].map(read);
      assert.deepEqual(stays, ["ignored\n", "CHANGED=1\n", "secret\n", "n\n"]);
      assert.equal((await record(top)).tree, tree);
      value(await top.spaces.restoreMoment("one", back.before.tree, { label: "undo", at: AT }));
      assert.deepEqual(
        [read("a.txt"), read("b"), read("later/x.txt")],
        ["changed\n", "a folder became a file\n", "x\n"],
      );
      assert.equal(read(".env"), "CHANGED=1\n");
    });

    test("[SPACE-15] that do not exist are not put back, and nothing changes", async () => {
      await using top = await openBenchTop(open);
      const { folder, commit } = await top.worktree("one");
      write(folder, { "src/a.ts": "changed\n" });
      for (const tree of ["1".repeat(40), "HEAD", "--help", commit, ""]) {
        const outcome = await top.spaces.restoreMoment("one", tree, { label: "back", at: AT });
        assert.equal(codeOf(outcome), "moment.missing", tree);
      }
      assert.equal(readFileSync(join(folder, "src/a.ts"), "utf8"), "changed\n");
      const nobody = await top.spaces.recordMoment("nobody", { label: "x", at: AT });
      assert.equal(codeOf(nobody), "workspace.missing");
    });

    test("[SPACE-15] do not follow a link that an agent put in the way", async () => {
      await using top = await openBenchTop(open);
      const { folder, tree } = await top.worktree("one");
      const outside = join(top.folder, "outside");
      mkdirSync(outside);
      rmSync(join(folder, "src"), { recursive: true });
      symlinkSync(outside, join(folder, "src"));
      value(await top.spaces.restoreMoment("one", tree, { label: "back", at: AT }));
      assert.equal(existsSync(join(outside, "a.ts")), false);
      assert.equal(readFileSync(join(folder, "src/a.ts"), "utf8"), "export const a = 1;\n");
    });
  });
}
