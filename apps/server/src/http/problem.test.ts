import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { test } from "node:test";

const SOURCE = new URL("../", import.meta.url);
/** Doors that answer in the words of the programs that knock there. */
const PEERS_WORDS = ["rooms/openai/", "rooms/gateway/"];

/** A body of its own: `json({ error`, `stringify({ error`. */
const OWN_BODY = /(?:json|stringify)\(\{\s*["']?error\b/i;

test("nobody answers over HTTP but by way of the catalogue, whose codes the compiler knows", async () => {
  const own: string[] = [];
  let read = 0;
  for await (const path of glob("**/*.ts", { cwd: SOURCE })) {
    if (path.endsWith(".test.ts") || PEERS_WORDS.some((door) => path.startsWith(door))) continue;
    const text = await readFile(new URL(path, SOURCE), "utf8");
    read += 1;
    if (OWN_BODY.test(text)) own.push(path);
  }
  // Neither the search nor the pattern finds nothing by being wrong.
  assert.ok(read > 200, `${read} files`);
  assert.match('Response.json({ "error": { code } })', OWN_BODY);
  assert.match("JSON.stringify({\n  error,\n})", OWN_BODY);
  assert.deepEqual(own, []);
});
