/** Delivery as a folder: a clone of its own, for who has no repository. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { AT, openBenchTop, value, type BenchTop, type OpenTested } from "./bench-top.ts";
import { landed, seal, start } from "./track.ts";
import { git, write } from "./user-repository.ts";

const TEXTS = { how: "folder", name: "atrium/login-page", title: "", body: "" } as const;

const deliver = async ({ spaces }: BenchTop): Promise<string> =>
  value(await spaces.deliver("shop", "prj", TEXTS)).ref;

async function landFile(top: BenchTop, id: string, path = `${id}.txt`): Promise<string> {
  const { folder } = await start(top, id);
  write(folder, { [path]: `${id}\n` });
  return (await landed(top, id, await seal(top, id))).commit;
}

/** A project without a repository of anyone's. */
async function openOwn(open: OpenTested): Promise<BenchTop & { readonly projects: string }> {
  const top = await openBenchTop(open);
  value(await top.spaces.openRepository({ id: "shop", path: null }));
  value(await top.spaces.openLine("shop", "prj"));
  await landFile(top, "one");
  return { ...top, projects: join(top.root, "../projects") };
}

export function describeFolderDelivery(open: OpenTested): void {
  describe("delivery as a folder", () => {
    test("[SPACE-37] is a clone that needs nothing of the store, and the same when repeated", async () => {
      await using top = await openOwn(open);
      const folder = await deliver(top);
      assert.equal(folder, join(top.projects, "login-page"));
      assert.equal(await deliver(top), folder);
      assert.deepEqual(readdirSync(top.projects), ["login-page"]);
      renameSync(join(top.root, "stores"), join(top.root, "away"));
      assert.equal(readFileSync(join(folder, "one.txt"), "utf8"), "one\n");
      assert.equal(git(folder, "status", "--porcelain", "--branch"), "## main");
      assert.equal(git(folder, "log", "-1", "--format=%an"), "Eng 1");
      assert.equal(git(folder, "remote"), "");
      assert.equal(existsSync(join(folder, ".git/hooks")), false);
      git(folder, "fsck", "--strict");
      renameSync(join(top.root, "away"), join(top.root, "stores"));
      assert.deepEqual(readdirSync(join(top.root, "offers")), []);
    });

    test("[SPACE-37] moves on with the line, and is left alone where somebody works in it", async () => {
      await using top = await openOwn(open);
      const folder = await deliver(top);
      const second = await landFile(top, "two");
      assert.equal(await deliver(top), folder);
      assert.equal(git(folder, "rev-parse", "HEAD"), second);
      assert.equal(readFileSync(join(folder, "two.txt"), "utf8"), "two\n");
      write(folder, { "one.txt": "mine\n" });
      await landFile(top, "three");
      const other = await deliver(top);
      assert.equal(other, `${folder}-2`);
      assert.equal(readFileSync(join(folder, "one.txt"), "utf8"), "mine\n");
      assert.equal(existsSync(join(folder, "three.txt")), false);
      assert.equal(await deliver(top), other);
    });

    test("[SPACE-37] never takes the place of what is there, nor of another project's", async () => {
      await using top = await openOwn(open);
      write(join(top.projects, "login-page"), { "mine.txt": "mine\n" });
      const folder = await deliver(top);
      assert.equal(folder, join(top.projects, "login-page-2"));
      value(await top.spaces.openRepository({ id: "other", path: null }));
      value(await top.spaces.openLine("other", "prj"));
      const request = { repositoryId: "other", workspaceId: "else", lineId: "prj", at: AT };
      const worktree = value(await top.spaces.openWorktree(request));
      write(worktree.folder, { "else.txt": "else\n" });
      const { commit: change } = await seal(top, "else");
      const landing = { change, landingId: "x", message: "x", at: AT };
      value(await top.spaces.land("other", "prj", landing));
      const { ref } = value(await top.spaces.deliver("other", "prj", TEXTS));
      assert.equal(ref, join(top.projects, "login-page-3"));
      assert.deepEqual(readdirSync(join(top.projects, "login-page")), ["mine.txt"]);
      assert.equal(existsSync(join(folder, "else.txt")), false);
      for (const name of ["../../out", "", "/", "..", ".git", "a\0b", "x".repeat(5_000)]) {
        const told = value(await top.spaces.deliver("shop", "prj", { ...TEXTS, name }));
        const inside = realpathSync(top.projects);
        assert.equal(realpathSync(join(told.ref, "..")), inside, name.slice(0, 20));
      }
    });

    test("[SPACE-37] runs nothing that is in the tree", async () => {
      await using top = await openOwn(open);
      const evidence = join(top.folder, "it-ran");
      const command = `touch ${evidence}`;
      const { folder } = await start(top, "two");
      write(folder, {
        ".gitattributes": "* filter=x\n",
        ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "${command}"\n\tupdate = !${command}\n`,
        ".husky/post-checkout": `#!/bin/sh\n${command}\n`,
        "hooks/post-checkout": `#!/bin/sh\n${command}\n`,
      });
      await landed(top, "two", await seal(top, "two"));
      const made = await deliver(top);
      assert.ok(existsSync(join(made, ".gitmodules")));
      assert.equal(existsSync(evidence), false);
    });
  });
}
