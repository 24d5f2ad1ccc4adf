/** Logs that move: from a file into a chain and back, interrupted wherever that may happen. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openChainLog } from "../chain/chain-log.ts";
import type { Chain } from "../chain/chain.ts";
import { createMemoryBus } from "../chain/memory-bus.ts";
import { createMemoryChain } from "../chain/memory-chain.ts";
import { LogFault, NOTHING_SAVED, type Entry, type KeyRecord, type Log } from "../log.ts";
import { openSqliteLog } from "../sqlite/log-sqlite.ts";
import { copyToChain, type CopiedChain } from "./copy-to-chain.ts";
import { copyChainToFile, copyFileToFile, type CopyToFileOptions } from "./copy-to-file.ts";
import { openLogRows } from "./log-rows.ts";

const KEY_RETENTION_MS = 48 * 3_600_000;
const SECRET = "what was said and is erased";
const nothing = (): void => undefined;
const cursors: CopyToFileOptions["cursors"] = {
  prefix: "cursor/",
  read: ({ stream, text }) => {
    return { name: stream.slice("cursor/".length), version: 1, seq: Number(text) };
  },
};

interface Content {
  readonly epoch: string;
  readonly entries: readonly Entry[];
  readonly keys: readonly (KeyRecord | undefined)[];
}

/** Streams, keys with and without entries, texts that fill several messages, and something erased. */
async function fillLog(file: string): Promise<Content> {
  await using log = await openSqliteLog({ file });
  for (let at = 1; at <= 120; at++) {
    const stream = `s/${at % 7}`;
    const data = { at, text: "é".repeat(at % 4 === 0 ? 30_000 : at) };
    const draft = { type: "said", at, data };
    const key = { id: `k${at}`, digest: `d${at}` };
    if (at % 3 === 0) await log.append(stream, "any", [draft, draft], { key });
    else if (at % 5 === 0) await log.append(stream, "any", [], { key });
    else await log.append(stream, "any", [draft]);
  }
  await log.append("s/secret", "any", [{ type: "said", at: 121, data: SECRET }]);
  await log.erase([{ seq: log.head, data: null }]);
  await log.append("s/none", "any", [], { key: { id: "last", digest: "last" } });
  await log.snapshots.save("reactor", { version: 1, seq: 40, text: NOTHING_SAVED });
  return await read(log);
}

async function read(log: Log): Promise<Content> {
  const ids = ["last", ...Array.from({ length: 121 }, (_, at) => `k${at}`)];
  const entries = await Array.fromAsync(log.read());
  return { epoch: log.epoch, entries, keys: await Promise.all(ids.map((id) => log.findKey(id))) };
}

async function copy(file: string, chain: Chain): Promise<CopiedChain> {
  using rows = openLogRows(file);
  const behind = rows.positions().map(({ name, seq }) => ({
    stream: `cursor/${name}`,
    key: undefined,
    entries: [{ type: "moved", at: rows.newestTime, text: `${seq}` }],
  }));
  return await copyToChain({
    rows,
    chain,
    keyRetentionMs: KEY_RETENTION_MS,
    behind,
    note: nothing,
  });
}

/** A chain whose user dies at the given call, before or after it has had its effect. */
function dyingChain(chain: Chain, calls: number): Chain {
  let left = calls;
  const count = (): void => {
    left -= 1;
    if (left < 0) throw new LogFault("closed", "killed");
  };
  return {
    ...chain,
    maxBytes: chain.maxBytes,
    trouble: undefined,
    last: () => chain.last(),
    watch: (...args) => chain.watch(...args),
    async read(n) {
      count();
      return chain.read(n);
    },
    async publish(after, bytes) {
      count();
      const result = await chain.publish(after, bytes);
      count();
      return result;
    },
  };
}

const node = { id: "n1", life: "1" };

test("[UPKEEP-1] a log copied into a chain has the same numbers, keys and epoch, however often the copy is cut off", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const file = join(folder.path, "atrium.db");
  const before = await fillLog(file);
  const chain = createMemoryChain();
  let deaths = 0;
  for (let calls = 1; ; calls += 1) {
    try {
      await copy(file, dyingChain(chain, calls));
      break;
    } catch (error) {
      assert.equal((error as Error).message, "killed");
      deaths++;
    }
    if (calls === 2) {
      await assert.rejects(
        openChainLog({
          chain,
          bus: createMemoryBus(),
          node,
          copyFile: join(folder.path, "early.db"),
        }),
        /unfinished copy with \d+ of \d+ entries: run atrium log copy again/,
      );
    }
  }
  assert.ok(deaths > 10, `${deaths} deaths`);
  const copyFile = join(folder.path, "chain.db");
  await using log = await openChainLog({ chain, bus: createMemoryBus(), node, copyFile });
  const after = await read(log);
  assert.equal(after.epoch, before.epoch);
  assert.deepEqual(after.entries.slice(0, -1), before.entries);
  assert.deepEqual(after.keys, before.keys);
  assert.ok(before.keys.some((key) => key?.entries.length === 0));
  assert.deepEqual(after.entries.at(-1), {
    seq: before.entries.length + 1,
    stream: "cursor/reactor",
    type: "moved",
    at: 121,
    data: 40,
  });
  for (let n = 1; n <= (await chain.last()); n++) {
    assert.ok(!Buffer.from((await chain.read(n)) ?? "").includes(SECRET));
  }
});

test("[UPKEEP-1] a copy that is whole is found whole, and anything else is left alone", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const file = join(folder.path, "atrium.db");
  const { entries } = await fillLog(file);
  const chain = createMemoryChain();
  const first = await copy(file, chain);
  assert.equal(first.entries, entries.length + 1);
  assert.deepEqual(await copy(file, chain), first);
  const other = join(folder.path, "other.db");
  await fillLog(other);
  await assert.rejects(copy(other, chain), /the stream is not empty, and message 1 in it/);
  assert.equal(await chain.last(), first.messages);
  {
    await using log = await openChainLog({
      chain,
      bus: createMemoryBus(),
      node,
      copyFile: join(folder.path, "chain.db"),
    });
    await log.append("s/new", "any", [{ type: "said", at: 200, data: 1 }]);
  }
  await assert.rejects(copy(file, chain), { code: "foreign" });
});

test("[UPKEEP-1] a file that grew since its copy was cut off is refused, and what stands there stays", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const file = join(folder.path, "atrium.db");
  await fillLog(file);
  const chain = createMemoryChain();
  await assert.rejects(copy(file, dyingChain(chain, 7)), /killed/);
  const standing = await chain.last();
  {
    await using log = await openSqliteLog({ file });
    for (let at = 200; at < 207; at++) {
      await log.append("s/new", "any", [{ type: "said", at, data: at }]);
    }
  }
  await assert.rejects(copy(file, chain), /the stream is not empty, and message 1 in it is not/);
  assert.equal(await chain.last(), standing);
  const other = createMemoryChain();
  const copied = await copy(file, other);
  const copyFile = join(folder.path, "chain.db");
  await using log = await openChainLog({ chain: other, bus: createMemoryBus(), node, copyFile });
  assert.equal((await read(log)).entries.length, copied.entries);
});

test("[UPKEEP-1] data that is no JSON any more is null in the copy, and missing entries are refused", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const file = join(folder.path, "atrium.db");
  await fillLog(file);
  {
    using db = new DatabaseSync(file);
    db.exec("update entries set data = '{torn' where seq = 5");
  }
  const chain = createMemoryChain();
  await copy(file, chain);
  const copyFile = join(folder.path, "chain.db");
  await using log = await openChainLog({ chain, bus: createMemoryBus(), node, copyFile });
  const [entry] = await Array.fromAsync(log.read({ after: 4, limit: 1 }));
  assert.equal(entry?.data, null);
  {
    using db = new DatabaseSync(file);
    db.exec("delete from entries where seq between 8 and 9");
  }
  await assert.rejects(copy(file, createMemoryChain()), /entries 8 to 9 are missing/);
});

test("[UPKEEP-2] a chain copied into a file has the same numbers, keys and epoch, and what was erased is nowhere", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const bus = createMemoryBus();
  const chain = createMemoryChain();
  let before: Content;
  {
    const copyFile = join(folder.path, "chain.db");
    await using log = await openChainLog({ chain, bus, node, copyFile });
    await log.append("s/1", "any", [{ type: "said", at: 1, data: SECRET }], {
      key: { id: "k1", digest: "d" },
    });
    for (let at = 2; at < 60; at++) {
      const key = { id: `k${at}`, digest: "d" };
      await log.append(`s/${at % 3}`, "any", [{ type: "said", at, data: { at } }], { key });
    }
    await log.append("cursor/reactor", "any", [{ type: "moved", at: 60, data: 30 }]);
    await log.append("cursor/reactor", "any", [{ type: "moved", at: 61, data: 55 }]);
    await log.erase([{ seq: 1, data: null }]);
    before = await read(log);
  }
  const file = join(folder.path, "home", "atrium.db");
  const options = { file, cursors, note: nothing };
  const copied = await copyChainToFile({ chain, bus }, options);
  assert.equal(copied.entries, before.entries.length);
  await assert.rejects(copyChainToFile({ chain, bus }, options), /is there already: move it away/);
  for (const name of readdirSync(join(folder.path, "home"))) {
    assert.ok(name === "atrium.db" || name === "atrium.db.lock", name);
  }
  assert.equal(statSync(file).mode & 0o077, 0);
  const second = join(folder.path, "second", "atrium.db");
  assert.equal(
    copyFileToFile(join(folder.path, "chain.db"), { file: second, cursors, note: nothing }).entries,
    before.entries.length,
  );
  for (const path of [file, second]) {
    {
      using db = new DatabaseSync(path, { readOnly: true });
      assert.equal(
        db.prepare("select count(*) as n from sqlite_schema where name = 'links'").get()?.["n"],
        0,
      );
    }
    await using log = await openSqliteLog({ file: path });
    assert.deepEqual(await read(log), before);
    assert.equal((await log.snapshots.load("reactor"))?.seq, 55);
    const more = await log.append("s/1", "any", [{ type: "said", at: 99, data: 1 }]);
    assert.ok(more.ok);
    assert.equal(more.position.seq, before.entries.length + 1);
  }
});

test("[UPKEEP-6] a restored backup has an epoch of its own, the same one however often it is begun", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const file = join(folder.path, "atrium.db");
  const before = await fillLog(file);
  const chain = createMemoryChain();
  for (let times = 0; times < 2; times++) {
    using rows = openLogRows(file);
    const options = { rows, chain, keyRetentionMs: KEY_RETENTION_MS, behind: [], note: nothing };
    await copyToChain({ ...options, isRestored: true });
  }
  const copyFile = join(folder.path, "chain.db");
  await using log = await openChainLog({ chain, bus: createMemoryBus(), node, copyFile });
  const second = join(folder.path, "second.db");
  copyFileToFile(file, { file: second, cursors, note: nothing, isRestored: true });
  await using restored = await openSqliteLog({ file: second });
  assert.notEqual(log.epoch, before.epoch);
  assert.equal(restored.epoch, log.epoch);
  assert.deepEqual((await read(restored)).entries, before.entries);
  assert.deepEqual((await read(log)).entries, before.entries);
});

test("[UPKEEP-1] a key without entries comes with the entry before it, so that no whole copy lacks one", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const file = join(folder.path, "atrium.db");
  {
    await using log = await openSqliteLog({ file });
    await log.append("s", "any", [{ type: "said", at: 1, data: "x".repeat(300_000) }]);
    await log.append("s", "any", [], { key: { id: "k".repeat(1_000), digest: "d" } });
  }
  const chain = createMemoryChain();
  assert.equal((await copy(file, chain)).messages, 2);
});

test("[UPKEEP-1] someone else who writes to the stream meanwhile ends the copy", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-"));
  const file = join(folder.path, "atrium.db");
  await fillLog(file);
  const chain = createMemoryChain();
  const raced: Chain = {
    ...dyingChain(chain, Infinity),
    async publish(after, bytes) {
      if (after === 2) await chain.publish(after, Buffer.from("another"));
      return chain.publish(after, bytes);
    },
  };
  await assert.rejects(copy(file, raced), /message 3 in it is not what .*atrium\.db gives/);
});
