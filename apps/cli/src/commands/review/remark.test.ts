import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLines, parseRemark, placeOf, suggest } from "./remark.ts";

test("[CLI-34] a comment names a file, a line or several, on either side", () => {
  const cases: Readonly<Record<string, object | undefined>> = {
    "src/a.ts:12 Why?": { path: "src/a.ts", line: 12, side: "new", text: "Why?" },
    "a b.ts:3-5  Two\nlines": {
      path: "a b.ts",
      line: 3,
      end_line: 5,
      side: "new",
      text: "Two\nlines",
    },
    "a.ts:-7 Keep it": { path: "a.ts", line: 7, side: "old", text: "Keep it" },
    "a.ts:-7-9 Keep": { path: "a.ts", line: 7, end_line: 9, side: "old", text: "Keep" },
    "a:b.ts:4 See c.ts:9 too": { path: "a:b.ts", line: 4, side: "new", text: "See c.ts:9 too" },
    "a.ts:4-4 Same": { path: "a.ts", line: 4, side: "new", text: "Same" },
    "a.ts:12": undefined,
    "a.ts 12 Why?": undefined,
    "a.ts:0 Zero": undefined,
    "a.ts:9-3 Backwards": undefined,
    "a.ts:99999999999 Far": undefined,
    ":3 No file": undefined,
    "": undefined,
  };
  for (const [text, remark] of Object.entries(cases)) {
    assert.deepEqual(parseRemark(text), remark, text);
  }
});

test("[CLI-34] lines are written as they are read", () => {
  for (const text of ["1", "3-5", "-4", "-4-6"]) {
    const lines = parseLines(text);
    assert.ok(lines !== undefined);
    assert.equal(placeOf({ path: "a", ...lines }), `a:${text}`);
  }
  for (const text of ["", "x", "1-", "--1", "1.5", "1 2", "__proto__"]) {
    assert.equal(parseLines(text), undefined, text);
  }
});

test("[CLI-40] what is to stand in place of lines is fenced, whatever it holds", () => {
  const remark = { path: "a.md", line: 3, side: "new", text: "plain" } as const;
  assert.equal(suggest(remark).text, "```suggestion\nplain\n```");
  const fenced = suggest({ ...remark, text: "````sh\nls\n````" }).text;
  assert.equal(fenced, "`````suggestion\n````sh\nls\n````\n`````");
});
