import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../../../scripts/system-programs.ts";
import { value } from "../../workspaces/testing/bench-top.ts";
import { ARTIFACT_ID, madeComment, openReviewedChange } from "../testing/reviewed-change.ts";
import { createAnchorComments, type LineRemark } from "./anchor-comments.ts";
import { createPlaceComments } from "./place-comments.ts";

const skip = skipWithout("git");
const lines = (count: number, prefix = "line"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`);
const text = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");
const on = (path: string, line: number, more: Partial<LineRemark> = {}): LineRemark => ({
  path,
  line,
  endLine: line,
  side: "new",
  text: "Why?",
  ...more,
});

test(
  "[FILES-13] [FILES-14] comments are found again in the next version, under a new name too",
  { skip },
  async () => {
    const a = lines(40);
    const b = lines(30, "other");
    await using reviewed = await openReviewedChange(
      { "a.txt": text(a), "gone.txt": "x\n", "same.txt": "s\n" },
      { files: { "a.txt": text(a.with(9, "ten")), "b.txt": text(b) }, removed: ["gone.txt"] },
      {
        files: { "a.txt": text([...lines(3, "new"), ...a.with(9, "10!")]) },
        renamed: { "b.txt": "c.txt" },
      },
      { removed: ["c.txt"] },
    );
    const anchor = createAnchorComments(reviewed.use);
    const first = value(reviewed.findChange(ARTIFACT_ID, 1));
    const remarks = [
      on("a.txt", 10),
      on("a.txt", 20, { endLine: 22 }),
      on("a.txt", 10, { side: "old" }),
      on("gone.txt", 1, { side: "old" }),
      on("b.txt", 5),
      on("same.txt", 1),
    ];
    const drafts = value(await anchor(first, remarks));
    assert.deepEqual(drafts[1]?.code, ["line 20", "line 21", "line 22"]);
    assert.deepEqual(drafts[2]?.code, ["line 10"]);
    assert.deepEqual(drafts[1]?.before, ["line 17", "line 18", "line 19"]);
    reviewed.comment(...drafts.map((draft) => madeComment(draft, 1)));

    const place = createPlaceComments(reviewed.use);
    const placesIn = async (version: number) => {
      const placed = value(await place(value(reviewed.findChange(ARTIFACT_ID, version))));
      return placed.map(({ place: { path, line, endLine, state } }) => [
        path,
        line,
        endLine,
        state,
      ]);
    };
    assert.deepEqual(
      await placesIn(1),
      remarks.map(({ path, line, endLine }) => [path, line, endLine, "same"]),
    );
    assert.deepEqual(await placesIn(2), [
      ["a.txt", 13, 13, "changed"],
      ["a.txt", 23, 25, "moved"],
      ["a.txt", 10, 10, "same"],
      ["gone.txt", 1, 1, "same"],
      ["c.txt", 5, 5, "moved"],
      ["same.txt", 1, 1, "same"],
    ]);
    assert.deepEqual((await placesIn(3))[4], ["b.txt", 5, 5, "outdated"]);
  },
);

test(
  "[FILES-13] a remark on lines that the version does not have is refused by its number, and nothing else happens",
  { skip },
  async () => {
    await using reviewed = await openReviewedChange(
      { "a.txt": "one\ntwo\n" },
      { files: { "new.txt": "n\n", "big.txt": "x".repeat(11 * 1024 * 1024) } },
    );
    const anchor = createAnchorComments(reviewed.use);
    const found = value(reviewed.findChange(ARTIFACT_ID));
    const cases: readonly (readonly [LineRemark, string, RegExp])[] = [
      [on("a.txt", 3), "params.invalid", /comments\/1: a\.txt has 2 lines, no line 3/],
      [on("a.txt", 1, { endLine: 9 }), "params.invalid", /no lines 1 to 9/],
      [on("a.txt", 2, { endLine: 1 }), "params.invalid", /no lines 2 to 1/],
      [on("nowhere", 1), "file.missing", /comments\/1: nowhere/],
      [on("new.txt", 1, { side: "old" }), "file.missing", /new\.txt/],
      [on("../a.txt", 1), "file.missing", /\.\.\/a\.txt/],
      [on("__proto__", 1), "file.missing", /__proto__/],
      [on("\0", 1), "file.missing", /comments\/1/],
      [on("a/".repeat(500_000), 1), "file.missing", /^comments\/1: (?:a\/)+$/],
    ];
    for (const [remark, code, detail] of cases) {
      const refused = await anchor(found, [on("a.txt", 1), remark]);
      assert.ok(!refused.ok);
      assert.equal(refused.code, code);
      assert.match(refused.detail ?? "", detail);
      assert.ok((refused.detail ?? "").length < 400);
    }
  },
);
