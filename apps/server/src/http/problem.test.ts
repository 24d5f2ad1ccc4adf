import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { test } from "node:test";

const SOURCE = new URL("../", import.meta.url);
/** Doors that answer in the words of the programs that knock there. */
const PEERS_WORDS = ["rooms/openai/", "rooms/gateway/"];

test("[BUILD-18] nobody answers over HTTP but by way of the catalogue, whose codes the compiler knows", async () => {
  const own: string[] = [];
  for await (const path of glob("**/*.ts", { cwd: SOURCE })) {
    if (path.endsWith(".test.ts") || PEERS_WORDS.some((door) => path.startsWith(door))) continue;
    const text = await readFile(new URL(path, SOURCE), "utf8");
    // A body of its own: `json({ error`, `stringify({ error`.
    if (/(?:json|stringify)\(\{\s*error\b/i.test(text)) own.push(path);
  }
  assert.deepEqual(own, []);
});
