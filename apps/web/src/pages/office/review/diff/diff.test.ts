import assert from "node:assert/strict";
import { test } from "node:test";
import { patchRows } from "../../../../ui/workspace-files/patch-rows.ts";
import type { ReviewFile } from "../change/review-http.ts";
import type { Thread } from "../change/threads.ts";
import { findFrom, isChangeStart, itemsOfFile, viewOfPatch, type DiffItem } from "./diff-items.ts";
import { createLineColors } from "./line-colors.ts";
import { pairLines } from "./paired-lines.ts";
import { colorLines, languageOf } from "./syntax.ts";
import { unfoldRows } from "./unfolded-rows.ts";
import { markPieces, wordMarks } from "./word-marks.ts";

const PATCH = [
  "@@ -3,5 +3,6 @@ function f()",
  " const a = 1;",
  "-const b = 2;",
  "-const c = 3;",
  "+const b = 20;",
  " const d = 4;",
  "+const e = 5;",
  " const f = 6;",
  "@@ -20,1 +20,2 @@",
  " last",
  "+more",
  "",
].join("\n");

const FILE: ReviewFile = {
  path: "src/a.ts",
  from: null,
  how: "changed",
  added: 3,
  removed: 2,
  is_binary: false,
  is_large: false,
};

const numbersOf = (items: readonly DiffItem[]): readonly string[] =>
  items.map((item) =>
    item.kind === "line"
      ? `${item.old?.old ?? ""}|${item.new?.new ?? ""}`
      : item.kind === "gap"
        ? `gap ${item.gap} ${item.count ?? "?"}`
        : item.kind,
  );

const items = (layout: "unified" | "split", threads: readonly Thread[] = []): readonly DiffItem[] =>
  itemsOfFile(FILE, viewOfPatch({ patch: PATCH }), { rows: patchRows(PATCH), layout, threads });

test("[WEB-46] lines have two numbers, unified or side by side, and what is unchanged is folded with its length", () => {
  assert.deepEqual(numbersOf(items("unified")), [
    "file",
    "gap 3 2",
    "3|3",
    "4|",
    "5|",
    "|4",
    "6|5",
    "|6",
    "7|7",
    "gap 20 12",
    "20|20",
    "|21",
  ]);
  assert.deepEqual(numbersOf(items("split")), [
    "file",
    "gap 3 2",
    "3|3",
    "4|4",
    "5|",
    "6|5",
    "|6",
    "7|7",
    "gap 20 12",
    "20|20",
    "|21",
  ]);
});

test("[WEB-46] after as much unchanged text as stands around a change, the rest of the file is folded too", () => {
  const patch = `@@ -1,5 +1,6 @@\n+a\n${" b\n".repeat(5)}`;
  const shown = itemsOfFile(FILE, viewOfPatch({ patch }), {
    rows: patchRows(patch),
    layout: "unified",
    threads: [],
  });
  assert.equal(numbersOf(shown).at(-1), "gap Infinity ?");
});

test("[WEB-46] what is folded is put back from the file with the numbers of both sides", () => {
  const lines = Array.from({ length: 23 }, (_, at) => `line ${at + 1}`);
  const rows = unfoldRows(patchRows(PATCH), lines, new Set([20]));
  const shown = pairLines(rows, "unified").flatMap((row) =>
    row.type === "line" ? [`${row.old?.old ?? ""}|${row.new?.new ?? ""}`] : [row.type],
  );
  assert.deepEqual(shown.slice(8, 12), ["8|8", "9|9", "10|10", "11|11"]);
  assert.equal(shown[0], "gap");
  const whole = unfoldRows(patchRows(PATCH), lines, "all");
  assert.equal(whole.filter(({ type }) => type === "gap").length, 0);
  assert.deepEqual(whole.at(-1), { type: "same", text: "line 23", old: 22, new: 23 });
});

test("[WEB-46] words that changed are marked in both lines; lines with little in common are not", () => {
  const marks = wordMarks("const b = 2;", "const b = 20;");
  assert.deepEqual(marks, { old: [[10, 11]], new: [[10, 12]] });
  assert.equal(wordMarks("alpha beta", "return nothing at all"), undefined);
  const pieces = markPieces([{ text: "const", kind: "keyword" }, { text: " b = 20;" }], [[10, 12]]);
  assert.deepEqual(pieces, [
    { text: "const", kind: "keyword", isMarked: false },
    { text: " b = ", isMarked: false },
    { text: "20", isMarked: true },
    { text: ";", isMarked: false },
  ]);
});

test("[WEB-46] code is colored by its language, each line on its own, and nothing of it is lost", () => {
  const lines = ["/* two", 'lines */ const a = "<&>\'";', "", "function f() { return 1; }"];
  const colored = colorLines(lines, "typescript");
  assert.deepEqual(
    colored.map((pieces) => pieces.map(({ text }) => text).join("")),
    lines,
  );
  assert.equal(colored[1]?.[0]?.kind, "comment");
  assert.ok(colored[3]?.some(({ text, kind }) => text === "function" && kind === "keyword"));
  assert.deepEqual(
    ["a/Dockerfile", "x.tsx", "Makefile", "y.unknown"].map((path) => languageOf(path)),
    ["dockerfile", "typescript", "makefile", undefined],
  );
  const rows = patchRows(PATCH);
  const [, first] = rows;
  assert.ok(first?.type === "same");
  assert.equal(createLineColors("a.ts", rows)(first, "new")[0]?.kind, "keyword");
});

test("[WEB-54] a thread stands under the line it is about, or where that is folded away", () => {
  const thread = (side: "old" | "new", line: number): Thread => ({
    path: FILE.path,
    side,
    line,
    key: `${side}${line}`,
    comments: [],
    drafts: [],
  });
  const threads = [thread("old", 5), thread("new", 10), thread("new", 900)];
  assert.deepEqual(numbersOf(items("unified", threads)), [
    "file",
    "gap 3 2",
    "3|3",
    "4|",
    "5|",
    "thread",
    "|4",
    "6|5",
    "|6",
    "7|7",
    "gap 20 12",
    "thread",
    "20|20",
    "|21",
    "thread",
  ]);
});

test("[WEB-47] the next and the previous change begin where lines changed together", () => {
  const all = items("unified");
  const first = findFrom(all, 0, 1, isChangeStart);
  assert.equal(first, 3);
  assert.equal(findFrom(all, first, 1, isChangeStart), 7);
  assert.equal(findFrom(all, 7, -1, isChangeStart), 3);
  assert.equal(findFrom(all, 3, -1, isChangeStart), undefined);
});
