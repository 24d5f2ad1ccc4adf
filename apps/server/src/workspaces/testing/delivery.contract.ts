/** Delivery: a line becomes a ref of a person's repository, or a file, and nothing else changes. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import type { Outcome } from "@atrium/core";
import type { ExportedFile, ExportRequest, LineDelivery } from "../port/delivery.ts";
import {
  AT,
  codeOf,
  detailOf,
  openBenchTop,
  value,
  type BenchTop,
  type OpenTested,
} from "./bench-top.ts";
import { edited, landed, openTrack, seal, start, type Track } from "./track.ts";
import { contentsOf, git, makeRepository, write } from "./user-repository.ts";

const NAME = "atrium/login-page";
const TEXTS = { name: NAME, title: "Login page", body: "By agents\n" };

const deliver = (
  top: BenchTop,
  how: LineDelivery["how"] = "branch",
): Promise<Outcome<LineDelivery>> => top.spaces.deliver("shop", "prj", { ...TEXTS, how });

const exported = async (top: BenchTop, how: ExportRequest["how"]): Promise<ExportedFile> =>
  value(await top.spaces.exportLine("shop", "prj", { how, name: "login page" }));

async function landFiles(
  top: BenchTop,
  id: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const { folder } = await start(top, id);
  write(folder, files);
  return (await landed(top, id, await seal(top, id))).commit;
}

/** With a change that has landed, and work of the person's that is not committed. */
async function openDelivered(open: OpenTested): Promise<Track & { readonly tip: string }> {
  const top = await openTrack(open);
  const tip = await landFiles(top, "one", { "a.txt": edited(5, "landed"), "new.txt": "new\n" });
  return { ...top, tip };
}

function addHooks(repository: string, evidence: string): void {
  const hook = `#!/bin/sh\necho "$0" >> ${evidence}\n`;
  const names = ["post-checkout", "post-merge", "reference-transaction"];
  write(repository, Object.fromEntries(names.map((name) => [`.git/own-hooks/${name}`, hook])));
  for (const name of names) chmodSync(join(repository, ".git/own-hooks", name), 0o755);
  git(repository, "config", "core.hooksPath", join(repository, ".git/own-hooks"));
}

/** Without the branch and the packs that a delivery adds. */
function withoutBranch(found: ReadonlyMap<string, string>): Map<string, string> {
  const added = /^\/\.git\/(?:logs\/)?refs\/heads\/atrium(?:\/|$)|^\/\.git\/objects\/pack\//;
  return new Map([...found].filter(([path]) => !added.test(path)));
}

export function describeDelivery(open: OpenTested): void {
  describe("delivery as a branch", () => {
    test("[SPACE-32] adds the branch, and leaves everything else byte for byte as it was", async () => {
      await using top = await openDelivered(open);
      const { repository } = top;
      write(repository, { "a.txt": "stashed\n" });
      git(repository, "stash");
      write(repository, { "a.txt": "not committed\n", "b.txt": "staged\n", "mine.txt": "mine\n" });
      git(repository, "add", "b.txt");
      const evidence = join(top.folder, "hook-ran");
      addHooks(repository, evidence);
      const before = contentsOf(repository);
      const told = value(await deliver(top));
      assert.deepEqual(told, { how: "branch", ref: NAME, commit: top.tip, to: repository });
      assert.equal(git(repository, "rev-parse", NAME), top.tip);
      assert.equal(git(repository, "show", `${NAME}:new.txt`), "new");
      const after = contentsOf(repository);
      assert.deepEqual(withoutBranch(after), withoutBranch(before));
      assert.deepEqual(value(await deliver(top)), told);
      assert.deepEqual(contentsOf(repository), after, "again changes nothing");
      assert.equal(existsSync(evidence), false, "no hook ran");
      git(repository, "fsck", "--strict", "--no-dangling");
    });

    test("[SPACE-32] grows a branch that it delivered, and never moves another", async () => {
      await using top = await openDelivered(open);
      const { repository } = top;
      value(await deliver(top));
      const second = await landFiles(top, "two", { "more.txt": "more\n" });
      assert.deepEqual(value(await deliver(top)).ref, NAME);
      assert.equal(git(repository, "rev-parse", NAME), second);
      // Somebody goes on in it.
      git(repository, "checkout", "--quiet", NAME);
      write(repository, { "own.txt": "own\n" });
      git(repository, "add", "own.txt");
      git(repository, "commit", "--quiet", "--message", "Own");
      const own = git(repository, "rev-parse", "HEAD");
      const third = await landFiles(top, "three", { "third.txt": "third\n" });
      assert.equal(value(await deliver(top)).ref, `${NAME}-2`);
      assert.equal(git(repository, "rev-parse", `${NAME}-2`), third);
      assert.equal(git(repository, "rev-parse", NAME), own);
      assert.equal(value(await deliver(top)).ref, `${NAME}-2`);
    });

    test("[SPACE-32] is refused by name where the branch is checked out", async () => {
      await using top = await openDelivered(open);
      git(top.repository, "checkout", "--quiet", "-b", NAME);
      const before = contentsOf(top.repository);
      const refused = await deliver(top);
      assert.equal(codeOf(refused), "delivery.unsafe");
      assert.ok(
        !refused.ok && refused.detail?.includes(`${NAME} is checked out in ${top.repository}`),
      );
      assert.deepEqual(contentsOf(top.repository), before);
    });

    test("[SPACE-32] leaves a lock that somebody holds there, and says so", async () => {
      await using top = await openDelivered(open);
      write(top.repository, { [`.git/refs/heads/${NAME}.lock`]: "" });
      const before = contentsOf(top.repository);
      const refused = await deliver(top);
      assert.equal(codeOf(refused), "delivery.unsafe");
      assert.match(detailOf(refused), /login-page\.lock/);
      assert.deepEqual(withoutBranch(contentsOf(top.repository)), withoutBranch(before));
      assert.ok(existsSync(join(top.repository, `.git/refs/heads/${NAME}.lock`)));
      rmSync(join(top.repository, `.git/refs/heads/${NAME}.lock`));
      assert.equal(value(await deliver(top)).ref, NAME);
    });

    test("[SPACE-32] finds a name where others stand in the way", async () => {
      await using top = await openDelivered(open);
      git(top.repository, "branch", `${NAME}/below`);
      assert.equal(value(await deliver(top)).ref, `${NAME}-2`);
      await using other = await openDelivered(open);
      git(other.repository, "branch", "atrium");
      assert.equal(value(await deliver(other)).ref, "atrium-login-page");
      for (const name of ["", "-x", "a..b", "x y", "x.lock", "@{1}", "a\nb", "x".repeat(5_000)]) {
        const refused = await top.spaces.deliver("shop", "prj", { ...TEXTS, name, how: "branch" });
        assert.equal(codeOf(refused), "delivery.impossible", name.slice(0, 20));
      }
    });

    test("[SPACE-32] works for bare, shallow, detached, linked and empty repositories, and long ids", async () => {
      await using top = await openBenchTop(open);
      const at = (name: string): string => join(top.folder, name);
      git(top.folder, "clone", "--quiet", "--bare", top.repository, at("bare"));
      write(top.repository, { "second.txt": "2\n" });
      git(top.repository, "add", "--all");
      git(top.repository, "commit", "--quiet", "--message", "Second");
      git(
        top.folder,
        "clone",
        "--quiet",
        "--depth",
        "1",
        `file://${top.repository}`,
        at("shallow"),
      );
      git(top.folder, "clone", "--quiet", top.repository, at("detached"));
      git(at("detached"), "checkout", "--quiet", "--detach");
      git(top.repository, "worktree", "add", "--quiet", at("linked"), "-b", "linked");
      git(top.folder, "init", "--quiet", at("empty"));
      git(top.folder, "init", "--quiet", "--object-format=sha256", at("long"));
      git(at("long"), "commit", "--quiet", "--allow-empty", "--message", "First");
      for (const id of ["bare", "shallow", "detached", "linked", "empty", "long"]) {
        value(await top.spaces.openRepository({ id, path: at(id) }));
        value(await top.spaces.openLine(id, "prj"));
        const request = { repositoryId: id, workspaceId: id, lineId: "prj", at: AT };
        const { folder } = value(await top.spaces.openWorktree(request));
        write(folder, { "made.txt": "made\n" });
        const { commit: change } = await seal(top, id);
        const landing = { change, landingId: "x", message: "x", at: AT };
        value(await top.spaces.land(id, "prj", landing));
        const { ref } = value(await top.spaces.deliver(id, "prj", { ...TEXTS, how: "branch" }));
        assert.equal(git(at(id), "show", `${ref}:made.txt`), "made", id);
      }
    });

    test(
      "[SPACE-32] gives what it adds to the owner of the repository",
      { skip: process.getuid?.() === 0 ? false : "only root can give files away" },
      async () => {
        await using top = await openDelivered(open);
        const { repository } = top;
        for (const name of contentsOf(repository).keys()) {
          chownSync(join(repository, name), 12_345, 12_345);
        }
        const { ref } = value(await deliver(top));
        const owned = [...contentsOf(repository).keys()].map((name) => join(repository, name));
        assert.deepEqual(
          owned.filter((path) => lstatSync(path).uid !== 12_345),
          [],
        );
        assert.ok(existsSync(join(repository, ".git/refs/heads", ref)));
        const refused = await deliver(top, "fast-forward");
        assert.match(detailOf(refused), /belongs to another user/);
      },
    );

    test("[SPACE-32] is told where there is no repository to deliver to", async () => {
      await using top = await openDelivered(open);
      value(await top.spaces.openLine("shop", "idle"));
      const idle = await top.spaces.deliver("shop", "idle", { ...TEXTS, how: "branch" });
      assert.match(detailOf(idle), /nothing has landed/);
      const missing = await top.spaces.deliver("shop", "none", { ...TEXTS, how: "branch" });
      assert.equal(codeOf(missing), "line.missing");
      const path = join(top.folder, "plain");
      write(path, { "a.txt": "a\n" });
      for (const source of [
        { id: "plain", path },
        { id: "own", path: null },
      ]) {
        value(await top.spaces.openRepository(source));
        value(await top.spaces.openLine(source.id, "prj"));
        const refused = await top.spaces.deliver(source.id, "prj", { ...TEXTS, how: "branch" });
        assert.equal(codeOf(refused), "delivery.impossible");
        assert.ok(detailOf(refused).includes("take a folder, a patch, a bundle or a zip"));
      }
      rmSync(top.repository, { recursive: true });
      assert.equal(codeOf(await deliver(top)), "repository.missing");
    });
  });

  describe("delivery as a fast-forward", () => {
    test("[SPACE-33] moves a clean checkout on, with the person's hooks and untracked files", async () => {
      await using top = await openDelivered(open);
      const evidence = join(top.folder, "hook-ran");
      addHooks(top.repository, evidence);
      write(top.repository, { "mine.txt": "mine\n" });
      const told = value(await deliver(top, "fast-forward"));
      assert.deepEqual([told.ref, told.commit], ["main", top.tip]);
      assert.equal(git(top.repository, "rev-parse", "HEAD"), top.tip);
      assert.equal(git(top.repository, "status", "--porcelain"), "?? mine.txt");
      assert.equal(readFileSync(join(top.repository, "new.txt"), "utf8"), "new\n");
      assert.match(readFileSync(evidence, "utf8"), /post-merge/);
      assert.deepEqual(value(await deliver(top, "fast-forward")), told);
    });

    const obstacles: readonly (readonly [string, (repository: string) => void, RegExp])[] = [
      [
        "changes that are not committed",
        (repository) => write(repository, { "b.txt": "mine\n" }),
        /not committed/,
      ],
      [
        "changes that are staged",
        (repository) => {
          write(repository, { "b.txt": "mine\n" });
          git(repository, "add", "b.txt");
        },
        /not committed/,
      ],
      [
        "a file that would be overwritten",
        (repository) => write(repository, { "new.txt": "mine\n" }),
        /new\.txt is in the way/,
      ],
      [
        "an ignored file that would be overwritten",
        (repository) =>
          write(repository, { ".git/info/exclude": "new.txt\n", "new.txt": "mine\n" }),
        /new\.txt is in the way/,
      ],
      [
        "a branch that moved on",
        (repository) => {
          write(repository, { "b.txt": "theirs\n" });
          git(repository, "commit", "--quiet", "--all", "--message", "Theirs");
        },
        /main has moved on; bring the project up to date/,
      ],
      [
        "a merge under way",
        (repository) => {
          git(repository, "checkout", "--quiet", "-b", "side");
          git(repository, "commit", "--quiet", "--allow-empty", "--message", "Side");
          git(repository, "checkout", "--quiet", "main");
          git(repository, "merge", "--quiet", "--no-ff", "--no-commit", "side");
        },
        /a merge is under way/,
      ],
      [
        "no branch",
        (repository) => git(repository, "checkout", "--quiet", "--detach"),
        /no branch is checked out/,
      ],
    ];
    for (const [name, prepare, says] of obstacles) {
      test(`[SPACE-33] is refused, and nothing changes: ${name}`, async () => {
        await using top = await openDelivered(open);
        prepare(top.repository);
        const before = contentsOf(top.repository);
        const refused = await deliver(top, "fast-forward");
        assert.equal(codeOf(refused), "delivery.unsafe");
        assert.match(detailOf(refused), says);
        const packs = /objects\/pack\//;
        const rest = (found: ReadonlyMap<string, string>): unknown =>
          [...found].filter(([path]) => !packs.test(path));
        assert.deepEqual(rest(contentsOf(top.repository)), rest(before));
      });
    }

    test("[SPACE-33] moves the named branch where it is not checked out, and tells of one that is gone", async () => {
      await using top = await openDelivered(open);
      const { repository, spaces } = top;
      git(repository, "branch", "work");
      value(await spaces.openRepository({ id: "shop", path: repository, base: "work" }));
      const head = git(repository, "rev-parse", "HEAD");
      write(repository, { "b.txt": "not committed\n" });
      assert.equal(value(await deliver(top, "fast-forward")).ref, "work");
      assert.equal(git(repository, "rev-parse", "work"), top.tip);
      assert.equal(git(repository, "rev-parse", "HEAD"), head);
      git(repository, "branch", "--quiet", "-D", "work");
      const gone = await deliver(top, "fast-forward");
      assert.ok(!gone.ok && gone.code === "delivery.unsafe");
      assert.match(gone.detail ?? "", /there is no branch work in/);
      assert.equal(value(await deliver(top)).ref, NAME, "a branch of its own is possible still");
    });
  });

  describe("delivery as a file", () => {
    test("[SPACE-34] is a patch with the commits, for who has the repository", async () => {
      await using top = await openDelivered(open);
      await landFiles(top, "two", { "bin.dat": "\0landed\0" });
      await using file = await exported(top, "patch");
      const text = readFileSync(file.path, "utf8");
      assert.equal(Buffer.byteLength(text), file.bytes);
      assert.match(text, /^From: Eng 1 <eng_1@agents\.invalid>$/m);
      git(top.repository, "am", "--quiet", file.path);
      const tree = git(top.repository, "rev-parse", "HEAD^{tree}");
      assert.equal(tree, git(top.store, "rev-parse", `${file.commit}^{tree}`));
      await file[Symbol.asyncDispose]();
      assert.equal(existsSync(file.path), false);
    });

    test("[SPACE-34] is one patch of all that differs, after the line was brought up to date", async () => {
      await using top = await openDelivered(open);
      // So near that the patch of ours alone would not fit.
      write(top.repository, { "a.txt": edited(7, "theirs") });
      git(top.repository, "commit", "--quiet", "--all", "--message", "Theirs");
      value(await top.spaces.updateLine("shop", "prj", { landingId: "up", message: "Up", at: AT }));
      await using file = await exported(top, "patch");
      git(top.repository, "apply", "--index", file.path);
      const tree = git(top.repository, "write-tree");
      assert.equal(tree, git(top.store, "rev-parse", `${file.commit}^{tree}`));
    });

    test("[SPACE-34] is a patch or a bundle for a folder without git", async () => {
      await using top = await openBenchTop(open);
      const path = join(top.folder, "plain");
      write(path, { "a.txt": "a\n" });
      value(await top.spaces.openRepository({ id: "shop", path }));
      value(await top.spaces.openLine("shop", "prj"));
      const early = await top.spaces.exportLine("shop", "prj", { how: "patch", name: "x" });
      assert.equal(codeOf(early), "delivery.impossible");
      await landFiles(top, "one", { "a.txt": "landed\n", "new.txt": "new\n" });
      await using patch = await exported(top, "patch");
      git(path, "apply", patch.path);
      assert.equal(readFileSync(join(path, "a.txt"), "utf8"), "landed\n");
      await using bundle = await exported(top, "bundle");
      const clone = join(top.folder, "clone");
      git(top.folder, "clone", "--quiet", bundle.path, clone);
      assert.equal(readFileSync(join(clone, "new.txt"), "utf8"), "new\n");
      assert.equal(git(clone, "branch", "--show-current"), "login-page");
    });

    test("[SPACE-34] is a bundle that the repository can fetch from", async () => {
      await using top = await openDelivered(open);
      await using bundle = await exported(top, "bundle");
      git(top.repository, "fetch", "--quiet", bundle.path, "login-page:fetched");
      assert.equal(git(top.repository, "rev-parse", "fetched"), top.tip);
    });

    test("[SPACE-34] is a zip of all files, whatever attributes say", async () => {
      await using top = await openTrack(open);
      const { folder } = await start(top, "one");
      write(folder, {
        ".gitattributes": "hidden.txt export-ignore\nsubst.txt export-subst\n* filter=x\n",
        "hidden.txt": "not hidden\n",
        "subst.txt": "$Format:%H$\n",
      });
      symlinkSync("/etc/passwd", join(folder, "link"));
      await landed(top, "one", await seal(top, "one"));
      await using file = await exported(top, "zip");
      const files = unzip(readFileSync(file.path));
      assert.equal(files.get("login-page/hidden.txt"), "not hidden\n");
      assert.equal(files.get("login-page/subst.txt"), "$Format:%H$\n");
      assert.equal(files.get("login-page/link"), "/etc/passwd", "a link stays a link");
      assert.equal(files.get("login-page/b.txt"), "b\n");
    });

    test("[SPACE-34] runs nothing and writes nowhere else, whatever is in the tree", async () => {
      await using top = await openTrack(open);
      const evidence = join(top.folder, "it-ran");
      const { folder } = await start(top, "one");
      const command = `sh -c 'touch ${evidence}; cat'`;
      const modules = `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${evidence}"\n\tupdate = !touch ${evidence}\n`;
      write(folder, {
        ".gitattributes": "* filter=x diff=x merge=x\n",
        ".gitmodules": modules,
        ".gitconfig": `[filter "x"]\n\tclean = ${command}\n\tsmudge = ${command}\n`,
        "a.txt": edited(5, "landed"),
      });
      makeRepository(join(folder, "x"), { "x.txt": "x\n" });
      symlinkSync(top.folder, join(folder, "out"));
      const change = await seal(top, "one");
      await landed(top, "one", change);
      await using checkout = value(await top.spaces.openCheckout("shop", change.commit));
      assert.ok(existsSync(join(checkout.folder, ".gitmodules")));
      for (const how of ["patch", "bundle", "zip"] as const) {
        await using file = await exported(top, how);
        assert.ok(file.bytes > 0);
      }
      value(await deliver(top));
      value(await deliver(top, "fast-forward"));
      assert.equal(existsSync(evidence), false);
      assert.deepEqual(existsSync(join(top.repository, "x")), false);
    });
  });
}

/** Names and contents, by the directory at its end. */
function unzip(zip: Buffer): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const end = zip.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [method, bytes] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString("utf8", at + 46, at + 46 + (nameBytes ?? 0));
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(from, from + bytes);
    files.set(name, (method === 0 ? content : inflateRawSync(content)).toString("utf8"));
    at += 46 + (nameBytes ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
