import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { REFUSALS } from "./refusal.ts";

test("[CORE-1] docs/errors.md lists exactly the refusals there are", async () => {
  const text = await readFile(new URL("../../../../docs/errors.md", import.meta.url), "utf8");
  const listed = [...text.matchAll(/^\| `([^`]+)` \| (\w+) \| (.+) \|$/gm)].map((row) =>
    row.slice(1),
  );
  const known = Object.entries(REFUSALS).map(([code, { retry, message }]) => [
    code,
    retry,
    message,
  ]);
  assert.deepEqual(listed, known);
});
