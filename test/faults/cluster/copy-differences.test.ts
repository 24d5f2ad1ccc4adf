import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createMemoryBus, createMemoryChain, openChainLog } from "@atrium/log/chain";
import { findDifferences } from "./copy-differences.ts";

const ENTRIES = 5;

/** A node's copy and what a server has, which a test may then damage. */
async function openCopies() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copies-"));
  const chain = createMemoryChain();
  const file = join(folder.path, "chain.db");
  const node = { id: "a", life: "a1" };
  await using log = await openChainLog({ chain, bus: createMemoryBus(), node, copyFile: file });
  for (let n = 0; n < ENTRIES; n++) {
    await log.append("desk", "any", [{ type: "said", at: n, data: { n } }]);
  }
  const server = new Map<number, Uint8Array>();
  for (let n = 1; n <= (await chain.last()); n++) server.set(n, (await chain.read(n))!);
  const change = (sql: string): void => {
    using db = new DatabaseSync(file);
    db.exec(sql);
  };
  const find = () => findDifferences([{ name: "a", file }], [server]);
  return { find, change, server, [Symbol.dispose]: () => folder.remove() };
}

test("copies that are the same have no differences, also when one is not as far", async () => {
  using copies = await openCopies();
  assert.deepEqual(copies.find(), []);
  copies.server.delete(copies.server.size);
  assert.deepEqual(copies.find(), []);
});

for (const [what, sql, problem] of [
  [
    "another text",
    `update entries set data = '{"n":9}' where seq = 3`,
    "node a and server 1 differ at entry 3",
  ],
  ["a hole", "delete from entries where seq = 3", "node a and server 1 differ at entry 3"],
  [
    "another stream",
    "update entries set stream = 'wall' where seq = 2",
    "node a and server 1 differ at entry 2",
  ],
  [
    "another history",
    "update links set hash = 'x' where n = 4",
    "node a and server 1 differ at message 4",
  ],
] as const) {
  test(`a copy with ${what} is found`, async () => {
    using copies = await openCopies();
    copies.change(sql);
    assert.deepEqual(copies.find(), [problem]);
  });
}

test("a message that a server lacks is found", async () => {
  using copies = await openCopies();
  copies.server.delete(3);
  assert.deepEqual(copies.find(), ["node a and server 1 differ at message 3"]);
});
