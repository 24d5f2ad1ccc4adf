import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { readDirections } from "./directions.ts";

test("[REHEARSAL-5] every stage direction in docs/rehearsal.md is well formed, and all kinds are there", async () => {
  const path = new URL("../../../../../docs/rehearsal.md", import.meta.url);
  const examples = (await readFile(path, "utf8")).matchAll(/^ {4}(.*\[\[.*)$/gm);
  const kinds = new Set<string>();
  for (const [, example = ""] of examples) {
    for (const direction of readDirections(example).directions) {
      assert.notEqual(direction.type, "malformed", example);
      kinds.add(direction.type);
    }
  }
  const all = ["approve", "ask", "fail", "hang", "say", "sleep", "tokens", "tool"];
  assert.deepEqual([...kinds].toSorted(), all);
});
