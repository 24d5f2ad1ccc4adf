import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { LineRemark } from "../comments/anchor-comments.ts";
import { editLines, editsOf, suggestionIn } from "./edit-lines.ts";

const remark = (line: number, endLine: number, text: string, path = "a.ts"): LineRemark => ({
  path,
  side: "new",
  line,
  endLine,
  text,
});

const fenced = (...lines: readonly string[]): string =>
  ["Better:", "```suggestion", ...lines, "```", "Agreed?"].join("\n");

/** What becomes of the file; the problem, where nothing does. */
function edited(content: string, ...remarks: readonly LineRemark[]): string {
  const edits = editsOf(remarks);
  if (!edits.ok) return `${edits.code}: ${edits.detail ?? ""}`;
  const done = editLines("a.ts", Buffer.from(content), edits.value.get("a.ts") ?? []);
  return done.ok ? done.value.content.toString() : `${done.code}: ${done.detail ?? ""}`;
}

test("[SHOP-18] a suggestion is the first fence of that name, and may be longer than its ticks", () => {
  assert.deepEqual(suggestionIn(fenced("one", "two")), ["one", "two"]);
  assert.deepEqual(suggestionIn("```suggestion\n```"), []);
  assert.deepEqual(suggestionIn("````suggestion\n```\ncode\n```\n````"), ["```", "code", "```"]);
  assert.deepEqual(suggestionIn("```suggestion\r\none\r\n```\r\n"), ["one"]);
  assert.equal(suggestionIn("```ts\none\n```"), undefined);
  assert.equal(suggestionIn("```suggestion\nnever closed"), undefined);
});

test("[SHOP-18] suggested lines take the place of those commented on, and everything else stays", () => {
  const file = "one\ntwo\nthree\n";
  assert.equal(
    edited(file, remark(2, 2, fenced("zwei", "und mehr"))),
    "one\nzwei\nund mehr\nthree\n",
  );
  assert.equal(edited(file, remark(3, 3, fenced("3")), remark(1, 1, fenced("1"))), "1\ntwo\n3\n");
  assert.equal(edited(file, remark(1, 3, fenced())), "");
  assert.equal(edited("one\r\ntwo\r\n", remark(2, 2, fenced("zwei"))), "one\r\nzwei\r\n");
  assert.equal(edited("one\ntwo", remark(2, 2, fenced("zwei"))), "one\nzwei");
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: "grapheme" }).map((line) => line.replaceAll(/[\r\n]/g, "")),
        {
          minLength: 1,
        },
      ),
      fc.nat(),
      (lines, place) => {
        const at = (place % lines.length) + 1;
        const text = `${lines.join("\n")}\n`;
        const own = lines[at - 1] ?? "";
        fc.pre(!own.startsWith("```") && text !== "\n");
        assert.equal(edited(text, remark(at, at, fenced(own))), text);
      },
    ),
  );
});

test("[SHOP-18] what cannot be applied is refused with which comment it is", () => {
  const file = "one\ntwo\n";
  assert.match(edited(file, remark(1, 1, "Why?")), /comments\/0: a\.ts suggests nothing/);
  assert.match(
    edited(file, remark(2, 3, fenced("x"))),
    /comments\/0: a\.ts has 2 lines, no 2 to 3/,
  );
  assert.match(
    edited(file, remark(1, 2, fenced("x")), remark(2, 2, fenced("y"))),
    /comments\/1: a\.ts replaces the same lines as comments\/0/,
  );
  const old = { ...remark(1, 1, fenced("x")), side: "old" } as const;
  assert.match(edited(file, old), /only lines of the new side/);
  const bytes = editLines("a.ts", Buffer.from([0xff, 0x0a]), []);
  assert.ok(!bytes.ok && /is not text/.test(bytes.detail ?? ""));
});
