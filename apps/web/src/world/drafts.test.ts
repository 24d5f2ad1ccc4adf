import assert from "node:assert/strict";
import { test } from "node:test";
import { callIn, EMPTY_DRAFT, interleave, writeOn } from "./drafts.ts";

const told = (draft: Parameters<typeof interleave>[0], ...keys: readonly string[]) =>
  interleave(
    draft,
    keys.map((key) => ({ key })),
  ).map((item) => (item.kind === "text" ? item.text : `[${item.call.key}]`));

test("[WEB-31] words and tools are told in the order they came; what was called before comes first", () => {
  let draft = writeOn(EMPTY_DRAFT, "I look. ");
  draft = callIn(draft, "look");
  draft = writeOn(draft, "I saw it. ");
  draft = callIn(callIn(draft, "cut"), "sew");
  assert.deepEqual(told(draft, "early", "look", "cut", "sew"), [
    "[early]",
    "I look. ",
    "[look]",
    "I saw it. ",
    "[cut]",
    "[sew]",
  ]);
  draft = writeOn(draft, "Done.");
  assert.deepEqual(told(draft, "look", "cut", "sew").slice(-3), ["[cut]", "[sew]", "Done."]);
  const long = writeOn(callIn(draft, "late"), "x".repeat(70_000));
  assert.equal(long.text.length, 60_000);
  assert.deepEqual(
    told(long, "look", "late").map((text) => text.length),
    [6, 6, 60_000],
  );
});
