/** Lines: changes land on them one after the other, and are taken back. */
import assert from "node:assert/strict";
import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Outcome } from "@atrium/core";
import type { SealedChange } from "../port/landing.ts";
import { AT, codeOf, value, type OpenTested } from "./bench-top.ts";
import {
  AUTHOR,
  conflicted,
  edited,
  landed,
  makeBoth,
  openTrack,
  seal,
  start,
  type Work,
} from "./track.ts";
import { contentsOf, git, write } from "./user-repository.ts";

export function describeLanding(open: OpenTested): void {
  describe("landing", () => {
    test("[SPACE-25] a line starts at the base of that time, and work starts from what has landed", async () => {
      await using top = await openTrack(open);
      const before = contentsOf(top.repository);
      const base = git(top.repository, "rev-parse", "HEAD");
      assert.equal(value(await top.spaces.findLine("shop", "other")), undefined);
      const one = await start(top, "one");
      write(one.folder, { "new.txt": "landed\n" });
      const { commit } = await landed(top, "first", await seal(top, "one"));
      const line = value(await top.spaces.openLine("shop", "prj"));
      assert.deepEqual([line.commit, line.base], [commit, base]);
      assert.deepEqual(value(await top.spaces.findLine("shop", "prj")), line);
      const two = await start(top, "two");
      assert.equal(two.commit, commit);
      assert.equal(readFileSync(join(two.folder, "new.txt"), "utf8"), "landed\n");
      const request = { repositoryId: "shop", workspaceId: "three", lineId: "no-such", at: AT };
      assert.equal(codeOf(await top.spaces.openWorktree(request)), "line.missing");
      for (const id of ["../x", "a/b", "__proto__", "", "x.lock"]) {
        assert.equal(codeOf(await top.spaces.openLine("shop", id)), "line.missing", id);
      }
      assert.deepEqual(contentsOf(top.repository), before);
    });

    test("[SPACE-26] a change lands as one commit on the line, with its author, once", async () => {
      await using top = await openTrack(open);
      const change = await makeBoth(
        top,
        (folder) => write(folder, { "a.txt": edited(2, "first") }),
        (folder) => write(folder, { "a.txt": edited(17, "second") }),
      );
      const tip = value(await top.spaces.openLine("shop", "prj")).commit;
      const second = await landed(top, "second", change);
      assert.equal(second.before, tip);
      const format = "--format=%P|%an|%at|%cn|%ct|%s";
      assert.equal(
        git(top.store, "log", "-1", format, second.commit),
        `${tip}|Eng 1|${AT / 1000}|Atrium|${AT / 1000 + 1}|Land second`,
      );
      const text = git(top.store, "show", `${second.commit}:a.txt`);
      assert.match(text, /first[^]*second/);
      assert.deepEqual(await landed(top, "second", change), second);
      const three = await start(top, "three");
      write(three.folder, { "c.txt": "c\n" });
      await landed(top, "third", await seal(top, "three"));
      assert.deepEqual(await landed(top, "second", change), second, "also when others came after");
      const subjects = git(top.store, "log", "--format=%s", "refs/heads/atrium/prj/line");
      assert.equal(subjects, "Land third\nLand second\nLand first\nFirst");
      git(top.store, "fsck", "--strict", "--no-dangling");
    });

    test("[SPACE-26] a landing that was cut off is ended as it was begun, or merged anew", async () => {
      await using top = await openTrack(open);
      const ref = "refs/heads/atrium/prj/line";
      const tip = git(top.store, "rev-parse", ref);
      for (const id of ["one", "two"]) {
        const { folder } = await start(top, id);
        write(folder, { [`${id}.txt`]: `${id}\n` });
      }
      const [one, two] = [await seal(top, "one"), await seal(top, "two")];
      const first = await landed(top, "first", one);
      // As if it had been killed before the line was moved.
      git(top.store, "update-ref", ref, tip);
      const later = { change: one.commit, landingId: "first", message: "Later", at: AT + 60_000 };
      assert.deepEqual(value(await top.spaces.land("shop", "prj", later)), first);
      git(top.store, "update-ref", ref, tip);
      const second = await landed(top, "second", two);
      const anew = await landed(top, "first", one);
      assert.equal(anew.before, second.commit);
      assert.notEqual(anew.commit, first.commit);
      assert.equal(git(top.store, "show", `${ref}:one.txt`), "one");
      assert.equal(git(top.store, "show", `${ref}:two.txt`), "two");
    });

    test("[SPACE-26] who is overtaken by another life is refused, and loses nothing when repeated", async () => {
      await using top = await openTrack(open);
      await using other = open(top.root);
      const lives = [top.spaces, other];
      const ids = Array.from({ length: 6 }, (_, index) => `task-${index}`);
      const changes: SealedChange[] = [];
      for (const id of ids) {
        const { folder } = await start(top, id);
        write(folder, { [`${id}.txt`]: `${id}\n` });
        changes.push(await seal(top, id));
      }
      const landAt = async (index: number): Promise<void> => {
        const [life, change] = [lives[index % 2], changes[index]];
        assert.ok(life !== undefined && change !== undefined);
        const landingId = ids[index] ?? "";
        const request = { change: change.commit, landingId, message: landingId, at: AT };
        for (let attempt = 0; attempt < 20; attempt++) {
          const result: Outcome<unknown> = await life.land("shop", "prj", request);
          if (result.ok) return;
          assert.equal(result.code, "git.failed");
        }
        assert.fail("it was always overtaken");
      };
      await Promise.all(ids.map((_, index) => landAt(index)));
      const subjects = git(top.store, "log", "--format=%s", "refs/heads/atrium/prj/line");
      assert.deepEqual(subjects.split("\n").toSorted(), ["First", ...ids]);
      const files = git(top.store, "ls-tree", "--name-only", "refs/heads/atrium/prj/line");
      for (const id of ids) assert.ok(files.split("\n").includes(`${id}.txt`), id);
    });

    test("[SPACE-26] what is no change, no landing or no line is refused, and the line stays", async () => {
      await using top = await openTrack(open);
      const { folder } = await start(top, "one");
      write(folder, { "new.txt": "new\n" });
      const change = await seal(top, "one");
      const ask = { change: change.commit, landingId: "x", message: "x", at: AT };
      const codes = [
        await top.spaces.land("shop", "prj", { ...ask, change: "1".repeat(40) }),
        await top.spaces.land("shop", "prj", { ...ask, change: change.tree }),
        await top.spaces.land("shop", "prj", { ...ask, change: "--help" }),
        await top.spaces.land("shop", "prj", { ...ask, landingId: "../../heads/main" }),
        await top.spaces.land("shop", "other", ask),
        await top.spaces.land("nobody", "prj", ask),
      ].map(codeOf);
      const [missing, none] = ["moment.missing", "line.missing"];
      assert.deepEqual(codes, [missing, missing, missing, none, none, "repository.missing"]);
      const line = value(await top.spaces.openLine("shop", "prj"));
      assert.equal(line.commit, line.base);
    });

    test("[SPACE-27] changes of the same lines are a conflict with markers, and the line stays", async () => {
      await using top = await openTrack(open);
      const change = await makeBoth(
        top,
        (folder) => write(folder, { "a.txt": edited(5, "ours"), "b.txt": "from first\n" }),
        (folder) => write(folder, { "a.txt": edited(5, "theirs"), "c.txt": "from second\n" }),
      );
      const before = value(await top.spaces.openLine("shop", "prj"));
      const conflict = await conflicted(top, "second", change);
      assert.equal(conflict.with, before.commit);
      const [found, ...others] = conflict.paths;
      assert.deepEqual([found?.path, found?.kind, others], ["a.txt", "content", []]);
      assert.deepEqual(value(await top.spaces.openLine("shop", "prj")), before);
      const read = async (path: string): Promise<string> =>
        value(await top.spaces.readFile("shop", conflict.tree, path, 10_000)).content?.toString() ??
        "";
      assert.match(await read("a.txt"), /<{7} atrium\/prj\/line\nours\n={7}\ntheirs\n>{7}/);
      assert.equal(await read("b.txt"), "from first\n");
      assert.equal(await read("c.txt"), "from second\n");
      assert.deepEqual(await conflicted(top, "second", change), conflict);
    });

    test("[SPACE-27] an edit follows a rename, and a change of mode goes with an edit", async () => {
      await using top = await openTrack(open);
      const change = await makeBoth(
        top,
        (folder) => {
          renameSync(join(folder, "a.txt"), join(folder, "moved.txt"));
          chmodSync(join(folder, "run.sh"), 0o755);
        },
        (folder) => write(folder, { "a.txt": edited(5, "edited"), "run.sh": "#!/bin/sh\nexit\n" }),
      );
      const { commit } = await landed(top, "second", change);
      assert.match(git(top.store, "show", `${commit}:moved.txt`), /edited/);
      assert.equal(git(top.store, "ls-tree", commit, "a.txt"), "");
      assert.match(git(top.store, "ls-tree", commit, "run.sh"), /^100755 /);
      assert.match(git(top.store, "show", `${commit}:run.sh`), /exit/);
    });

    test("[SPACE-27] a new file goes along with a folder that was renamed", async () => {
      await using top = await openTrack(open);
      const zero = await start(top, "zero");
      write(zero.folder, { "lib/x.txt": edited(1, "x"), "lib/y.txt": edited(2, "y") });
      await landed(top, "zero", await seal(top, "zero"));
      const change = await makeBoth(
        top,
        (folder) => renameSync(join(folder, "lib"), join(folder, "moved")),
        (folder) => write(folder, { "lib/new.txt": "new\n" }),
      );
      const { commit } = await landed(top, "second", change);
      const names = git(top.store, "ls-tree", "-r", "--name-only", commit, "lib", "moved");
      assert.equal(names, "moved/new.txt\nmoved/x.txt\nmoved/y.txt");
    });

    const cases: readonly (readonly [string, Work, Work, readonly string[]])[] = [
      [
        "a removal against an edit",
        (folder) => rmSync(join(folder, "a.txt")),
        (folder) => write(folder, { "a.txt": edited(5, "edited") }),
        ["a.txt delete"],
      ],
      [
        "an edit against a removal",
        (folder) => write(folder, { "a.txt": edited(5, "edited") }),
        (folder) => rmSync(join(folder, "a.txt")),
        ["a.txt delete"],
      ],
      [
        "two edits of a file that is no text",
        (folder) => write(folder, { "bin.dat": "\0ours\0" }),
        (folder) => write(folder, { "bin.dat": "\0theirs\0" }),
        ["bin.dat binary"],
      ],
      [
        "two names for the same file",
        (folder) => renameSync(join(folder, "a.txt"), join(folder, "ours.txt")),
        (folder) => renameSync(join(folder, "a.txt"), join(folder, "theirs.txt")),
        ["a.txt rename", "ours.txt rename", "theirs.txt rename"],
      ],
      [
        "a rename against an edit of the same line",
        (folder) => {
          renameSync(join(folder, "a.txt"), join(folder, "moved.txt"));
          write(folder, { "moved.txt": edited(5, "ours") });
        },
        (folder) => write(folder, { "a.txt": edited(5, "theirs") }),
        ["moved.txt content"],
      ],
      [
        "a file against a link",
        (folder) => write(folder, { place: "a file\n" }),
        (folder) => symlinkSync("b.txt", join(folder, "place")),
        ["place mode", "place~atrium_prj_line mode"],
      ],
      [
        "the same new file with other content",
        (folder) => write(folder, { "new.txt": "ours\n" }),
        (folder) => write(folder, { "new.txt": "theirs\n" }),
        ["new.txt content"],
      ],
    ];
    for (const [name, first, second, expected] of cases) {
      test(`[SPACE-27] is a conflict that is told by its kind: ${name}`, async () => {
        await using top = await openTrack(open);
        const conflict = await conflicted(top, "second", await makeBoth(top, first, second));
        assert.deepEqual(
          conflict.paths.map(({ path, kind }) => `${path} ${kind}`).toSorted(),
          expected,
        );
      });
    }

    test("[SPACE-27] is a conflict that is told by its kind: a file against a folder", async () => {
      await using top = await openTrack(open);
      const change = await makeBoth(
        top,
        (folder) => write(folder, { place: "a file\n" }),
        (folder) => write(folder, { "place/below.txt": "in a folder\n" }),
      );
      const { paths } = await conflicted(top, "second", change);
      assert.deepEqual(new Set(paths.map(({ kind }) => kind)), new Set(["folder"]));
    });

    test("[SPACE-27] each side of what has no markers is named by its content, and a deletion by none", async () => {
      await using top = await openTrack(open);
      const zero = await start(top, "zero");
      write(zero.folder, { "bin.dat": "\0before\0", "kept.txt": "before\n" });
      await landed(top, "zero", await seal(top, "zero"));
      const change = await makeBoth(
        top,
        (folder) => {
          write(folder, { "bin.dat": "\0ours\0", "kept.txt": "ours\n" });
          rmSync(join(folder, "a.txt"));
        },
        (folder) => {
          write(folder, { "bin.dat": "\0theirs\0", "a.txt": edited(5, "theirs") });
          rmSync(join(folder, "kept.txt"));
        },
      );
      const { paths, tree } = await conflicted(top, "second", change);
      const read = (id: string | null | undefined): string | null =>
        id ? git(top.store, "cat-file", "blob", id) : null;
      const sides = new Map(
        paths.map(({ path, sides: { base, line, change: theirs } }) => {
          return [path, [base, line, theirs].map(read)];
        }),
      );
      assert.deepEqual(sides.get("bin.dat"), ["\0before\0", "\0ours\0", "\0theirs\0"]);
      assert.deepEqual(sides.get("kept.txt"), ["before", "ours", null]);
      assert.equal(sides.get("a.txt")?.[1], null);
      assert.equal(sides.get("a.txt")?.[2], edited(5, "theirs").trim());
      // What an agent is told about its folder.
      assert.equal(git(top.store, "show", `${tree}:bin.dat`), "\0ours\0");
      assert.equal(git(top.store, "show", `${tree}:kept.txt`), "ours");
      assert.equal(git(top.store, "show", `${tree}:a.txt`), edited(5, "theirs").trim());
    });

    test("[SPACE-28] a worktree is put on the line with the markers, once, and then lands", async () => {
      await using top = await openTrack(open);
      const change = await makeBoth(
        top,
        (folder) => write(folder, { "a.txt": edited(5, "ours") }),
        (folder) => write(folder, { "a.txt": edited(5, "theirs"), "c.txt": "c\n" }),
      );
      const conflict = await conflicted(top, "second", change);
      const request = { onto: conflict.with, tree: conflict.tree, label: "Conflict", at: AT };
      const moment = value(await top.spaces.rebaseWorktree("two", request));
      assert.equal(moment.tree, conflict.tree);
      const two = await start(top, "two");
      assert.equal(two.commit, conflict.with);
      assert.match(readFileSync(join(two.folder, "a.txt"), "utf8"), /<{7}/);
      assert.equal(git(two.folder, "status", "--porcelain"), "M a.txt\n?? c.txt");
      write(two.folder, { "a.txt": edited(5, "both") });
      // A repeated request finds it done, and leaves what was worked since.
      value(await top.spaces.rebaseWorktree("two", request));
      assert.match(readFileSync(join(two.folder, "a.txt"), "utf8"), /both/);
      await using later = open(top.root);
      value(await later.recover());
      assert.equal(value(await later.findWorktree("two")).commit, conflict.with);
      const mended = await seal(top, "two");
      assert.equal(mended.base, conflict.with);
      const { commit } = await landed(top, "third", mended);
      assert.match(git(top.store, "show", `${commit}:a.txt`), /both/);
      assert.equal(git(top.store, "show", `${commit}:c.txt`), "c");
      const lost = { ...request, onto: "1".repeat(40) };
      assert.equal(codeOf(await top.spaces.rebaseWorktree("two", lost)), "moment.missing");
    });

    test("[SPACE-29] a landed change is taken back by a commit, and what came after stays", async () => {
      await using top = await openTrack(open);
      const change = await makeBoth(
        top,
        (folder) => write(folder, { "a.txt": edited(2, "first"), "new.txt": "new\n" }),
        (folder) => write(folder, { "a.txt": edited(17, "second") }),
      );
      await landed(top, "second", change);
      const first = git(top.store, "rev-parse", "refs/heads/atrium/prj/line~1");
      const author = { name: "Ada", email: "ada@example.org" };
      const request = { landed: first, landingId: "back", message: "Revert", author, at: AT };
      const back = value(await top.spaces.revertLanded("shop", "prj", request));
      assert.ok(back.type === "landed");
      assert.equal(git(top.store, "show", `${back.commit}:a.txt`), edited(17, "second").trim());
      assert.equal(git(top.store, "ls-tree", back.commit, "new.txt"), "");
      assert.equal(git(top.store, "log", "-1", "--format=%an|%s", back.commit), "Ada|Revert");
      assert.deepEqual(value(await top.spaces.revertLanded("shop", "prj", request)), back);
      const unlanded = { ...request, landed: change.commit, landingId: "never" };
      const refused = await top.spaces.revertLanded("shop", "prj", unlanded);
      assert.equal(codeOf(refused), "moment.missing");
    });

    test("[SPACE-29] a change that others built on is not taken back, and the paths are told", async () => {
      await using top = await openTrack(open);
      const one = await start(top, "one");
      write(one.folder, { "a.txt": edited(5, "first") });
      const first = await landed(top, "first", await seal(top, "one"));
      const two = await start(top, "two");
      write(two.folder, { "a.txt": edited(5, "built on it") });
      const second = await landed(top, "second", await seal(top, "two"));
      const request = {
        landed: first.commit,
        landingId: "back",
        message: "Revert",
        author: AUTHOR,
        at: AT,
      };
      const told = value(await top.spaces.revertLanded("shop", "prj", request));
      assert.ok(told.type === "conflict");
      assert.deepEqual(
        told.paths.map(({ path, kind }) => [path, kind]),
        [["a.txt", "content"]],
      );
      assert.equal(value(await top.spaces.openLine("shop", "prj")).commit, second.commit);
    });
  });
}
