/** What a node's copy keeps, loses and refuses. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { drafts, isFault, readAll, types, write } from "../../contract/log-steps.ts";
import { openSqliteLog } from "../../sqlite/log-sqlite.ts";
import { ChainNodes, until } from "../testing/chain-nodes.ts";

/** Everything that lies in the folder of a copy, as one text. */
function bytesBeside(file: string): string {
  const folder = dirname(file);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
}

test("[CHAIN-10] what one node erases is in no node's files, and the others hear of it", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  const secret = [{ type: "secret", at: 1, data: { text: "the-marker ".repeat(500) } }];
  for (let n = 0; n < 5; n++) await write(a.log, "desk", secret);
  await write(a.log, "wall", drafts("kept"));
  await until(() => b.log.head === 6);
  await b.log.snapshots.save("board", { version: 1, seq: 5, text: "the-marker" });
  let heard = 0;
  b.log.onErase(() => heard++);
  a.log.onErase(() => assert.fail("whoever erases knows it"));
  assert.ok(bytesBeside(b.copyFile).includes("the-marker"));
  await a.log.erase([1, 2, 3, 4, 5].map((seq) => ({ seq, data: { text: "" } })));
  assert.ok(!bytesBeside(a.copyFile).includes("the-marker"), "on the node that erased");
  await until(() => heard === 1);
  assert.ok(!bytesBeside(b.copyFile).includes("the-marker"), "on the other node");
  assert.equal(await b.log.snapshots.load("board"), undefined);
  assert.deepEqual(await readAll(b.log), await readAll(a.log));
  const { log } = await nodes.open("c");
  assert.deepEqual(await readAll(log), await readAll(a.log), "on a node that comes later");
});

test("[CHAIN-10] a copy that somebody reads meanwhile goes on, and loses what was erased after that", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  await write(a.log, "desk", [
    { type: "secret", at: 1, data: { text: "the-marker ".repeat(500) } },
  ]);
  await until(() => b.log.head === 1);
  {
    using reader = new DatabaseSync(b.copyFile, { readOnly: true });
    reader.exec("begin");
    reader.prepare("select count(*) from entries").get();
    await a.log.erase([{ seq: 1, data: { text: "" } }]);
    await write(a.log, "desk", drafts("next"));
    await until(() => b.log.head === 2);
    await write(b.log, "wall", drafts("own"));
    assert.ok(bytesBeside(b.copyFile).includes("the-marker"), "it is being read");
  }
  await write(b.log, "wall", drafts("later"));
  assert.ok(!bytesBeside(b.copyFile).includes("the-marker"));
});

test("[CHAIN-10] an erasure that is larger than a message takes several", async () => {
  await using nodes = new ChainNodes();
  const { log } = await nodes.open("a");
  const many = Array.from({ length: 60 }, (_, n) => ({ type: "t", at: n, data: "x" }));
  await write(log, "desk", many);
  const { applied } = log.status();
  const long = "ü".repeat(30_000);
  await log.erase(many.map((_, n) => ({ seq: n + 1, data: long })));
  assert.equal(log.status().applied, applied + 8);
  assert.ok((await readAll(log)).every(({ data }) => data === long));
});

test("[CHAIN-11] a copy of another log is refused, and so is a log of its own", async () => {
  await using nodes = new ChainNodes();
  await using others = new ChainNodes();
  const { log, copyFile } = await nodes.open("a");
  await write(log, "desk", drafts("a"));
  await log.close();
  await others.open("b");
  await assert.rejects(others.open("c", { copyFile }), isFault("foreign"));
  const file = nodes.fileOf("plain");
  const plain = await openSqliteLog({ file });
  await write(plain, "desk", drafts("plain"));
  await plain.close();
  await assert.rejects(nodes.open("d", { copyFile: file }), isFault("foreign"));
  await using again = await openSqliteLog({ file });
  assert.deepEqual(types(await readAll(again)), ["plain"]);
});

test("[CHAIN-11] a damaged copy is moved away and filled again", async () => {
  await using nodes = new ChainNodes();
  const { log, copyFile } = await nodes.open("a");
  for (let n = 0; n < 50; n++) await write(log, "desk", drafts(`n${n}`));
  const all = await readAll(log);
  await log.close();
  truncateSync(copyFile, 20_000);
  const again = await nodes.open("a");
  assert.deepEqual(await readAll(again.log), all);
  assert.match(again.log.status().warnings.join("\n"), /chain\.db\.damaged/);
  await again.log.close();
  writeFileSync(copyFile, "");
  const third = await nodes.open("a");
  assert.deepEqual(await readAll(third.log), all);
  const names = readdirSync(dirname(copyFile));
  assert.ok(names.includes("chain.db.damaged") && names.includes("chain.db.damaged-2"));
});

test("[CHAIN-1] a copy that a crash cut off goes on behind what it has", async () => {
  await using nodes = new ChainNodes();
  const { log, copyFile } = await nodes.open("a");
  const key = { id: "k", digest: "d" };
  for (let n = 0; n < 30; n++) await write(log, `s${n % 4}`, drafts(`n${n}`));
  const once = await log.append("keyed", 0, drafts("once"), { key });
  const left = nodes.fileOf("left");
  mkdirSync(dirname(left));
  // By another process: reading the file in this one would end the locks that SQLite holds on it.
  execFileSync("cp", [copyFile, `${copyFile}-wal`, dirname(left)]);
  await write(log, "desk", drafts("later"));
  const again = await nodes.open("left");
  assert.deepEqual(await readAll(again.log), await readAll(log));
  const repeated = await again.log.append("keyed", "any", drafts("once"), { key });
  assert.deepEqual(repeated, { ...once, repeated: true });
});
