/** Reading the past: folders, files and differences of any moment, without a checkout. */
import assert from "node:assert/strict";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { AT, codeOf, openBenchTop, value, type OpenTested } from "./bench-top.ts";
import { write } from "./user-repository.ts";

export function describeHistory(open: OpenTested): void {
  describe("history", () => {
    test("[SPACE-14] folders and files of a moment are read also when the worktree has moved on", async () => {
      await using top = await openBenchTop(open);
      const { folder, tree, commit } = await top.worktree("one");
      write(folder, { "src/a.ts": "later\n", "new.bin": "\0\u0001\n" });
      const { tree: later } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      const entries = value(await top.spaces.listFolder("shop", tree, ""));
      assert.deepEqual(
        entries.map(({ name, type, bytes }) => [name, type, bytes]),
        [
          [".gitignore", "file", 20],
          ["README.md", "file", 7],
          ["src", "folder", null],
        ],
      );
      const ofCommit = value(await top.spaces.readFile("shop", commit, "src/a.ts", 100));
      assert.equal(ofCommit.content?.toString(), "export const a = 1;\n");
      const [before, after, cut] = await Promise.all([
        top.spaces.readFile("shop", tree, "src/a.ts", 100),
        top.spaces.readFile("shop", later, "src/a.ts", 100),
        top.spaces.readFile("shop", later, "src/a.ts", 3),
      ]);
      assert.equal(value(before).content?.toString(), "export const a = 1;\n");
      assert.equal(value(after).content?.toString(), "later\n");
      assert.deepEqual([value(cut).bytes, value(cut).content], [6, null]);
      const missing: readonly (readonly [string, string, string])[] = [
        [tree, "new.bin", "file.missing"],
        [tree, "src", "file.missing"],
        [tree, "src/a.ts/b", "file.missing"],
        [tree, "../x", "file.missing"],
        [tree, "__proto__", "file.missing"],
        [tree, "a/".repeat(1_000_000), "file.missing"],
        ["1".repeat(40), "src/a.ts", "moment.missing"],
        ["HEAD\ninfo HEAD", "src/a.ts", "moment.missing"],
      ];
      for (const [at, path, code] of missing) {
        const outcome = await top.spaces.readFile("shop", at, path, 100);
        assert.equal(codeOf(outcome), code, path.slice(0, 50));
      }
      assert.equal(codeOf(await top.spaces.listFolder("shop", tree, "README.md")), "file.missing");
      assert.equal(codeOf(await top.spaces.listFolder("none", tree, "")), "repository.missing");
    });

    test("[SPACE-14] two moments are compared: an overview, and a patch for each file", async () => {
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
      await using top = await openBenchTop(open, {
        "keep.txt": "k\n",
        "old name.txt": lines,
        "gone.txt": "g\n",
        "x.txt": "1\n2\n",
      });
      const { folder, tree } = await top.worktree("one");
      renameSync(join(folder, "old name.txt"), join(folder, "new\nname.txt"));
      rmSync(join(folder, "gone.txt"));
      write(folder, { "x.txt": "1\n2\n3\n", ":(exclude)a.txt": "odd\n", "-p": "odd\n" });
      writeFileSync(join(folder, "data.bin"), Buffer.from([0, 1, 2, 3]));
      rmSync(join(folder, "keep.txt"));
      symlinkSync("x.txt", join(folder, "keep.txt"));
      const { tree: to } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      const { files, isCut } = value(await top.spaces.compareTrees("shop", tree, to));
      const rows = files.map(({ path, from, how, added, removed }) => [
        path,
        from,
        how,
        added,
        removed,
      ]);
      assert.equal(isCut, false);
      assert.deepEqual(
        new Map(rows.map((row) => [row[0], row.slice(1)])),
        new Map([
          ["-p", [null, "added", 1, 0]],
          [":(exclude)a.txt", [null, "added", 1, 0]],
          ["data.bin", [null, "added", null, null]],
          ["gone.txt", [null, "removed", 0, 1]],
          ["keep.txt", [null, "retyped", 1, 1]],
          ["new\nname.txt", ["old name.txt", "renamed", 0, 0]],
          ["x.txt", [null, "changed", 1, 0]],
        ]),
      );
      const patch = async (path: string): Promise<string> => {
        const found = value(await top.spaces.readPatch("shop", { from: tree, to, path }));
        return found.type === "patch" ? found.text : "";
      };
      assert.match(await patch("x.txt"), /^@@ -1,2 \+1,3 @@\n 1\n 2\n\+3$/m);
      assert.match(await patch("new\nname.txt"), /^rename from old name.txt$/m);
      assert.match(await patch(":(exclude)a.txt"), /^\+odd$/m);
      assert.match(await patch("-p"), /^\+odd$/m);
      const same = await top.spaces.readPatch("shop", { from: tree, to: tree, path: "x.txt" });
      assert.equal(codeOf(same), "file.missing");
      const unknown = await top.spaces.compareTrees("shop", tree, "--output=/tmp/x");
      assert.equal(codeOf(unknown), "moment.missing");
    });

    test("[SPACE-14] a patch that is too large to be read is shown when it is asked for", async () => {
      await using top = await openBenchTop(open);
      const { folder, tree } = await top.worktree("one");
      const many = Array.from({ length: 6_000 }, (_, index) => `${index}\n`).join("");
      const long = "x".repeat(6_000);
      const data = Array.from({ length: 4_000 }, () => "y".repeat(200)).join("\n");
      write(folder, { "many.txt": many, "long.txt": long, "data.txt": data });
      const { tree: to } = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
      for (const path of ["many.txt", "long.txt", "data.txt"]) {
        const cut = value(await top.spaces.readPatch("shop", { from: tree, to, path }));
        assert.equal(cut.type, "large", path);
        const whole = { from: tree, to, path, isWhole: true };
        assert.equal(value(await top.spaces.readPatch("shop", whole)).type, "patch", path);
      }
    });
  });
}
