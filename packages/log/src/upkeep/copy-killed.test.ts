/** Copies into a file by processes that are killed after each step, and what the next copy makes of what they left. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openChainLog } from "../chain/chain-log.ts";
import type { Chain } from "../chain/chain.ts";
import { createMemoryBus } from "../chain/memory-bus.ts";
import { createMemoryChain } from "../chain/memory-chain.ts";
import type { Entry, Log } from "../log.ts";
import { openSqliteLog } from "../sqlite/log-sqlite.ts";
import { copyChainToFile, copyFileToFile, type CopyToFileOptions } from "./copy-to-file.ts";

const COUNT = 40;
const GROWTH = 7;
const nothing = (): void => undefined;
const cursors: CopyToFileOptions["cursors"] = { prefix: "cursor/", read: () => undefined };
let lives = 0;

async function fill(log: Log, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const at = log.head + 1;
    const key = { id: `k${at}`, digest: "d" };
    await log.append(`s/${at % 3}`, "any", [{ type: "said", at, data: { at } }], { key });
  }
}

/** What a node writes into the chain. */
async function grow(chain: Chain, count: number): Promise<readonly Entry[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-node-"));
  const node = { id: "n1", life: `${++lives}` };
  const copyFile = join(folder.path, "chain.db");
  await using log = await openChainLog({ chain, bus: createMemoryBus(), node, copyFile });
  await fill(log, count);
  return await Array.fromAsync(log.read());
}

async function messagesOf(chain: Chain): Promise<readonly Uint8Array[]> {
  const messages: Uint8Array[] = [];
  for (let n = 1; n <= (await chain.last()); n++) {
    messages.push((await chain.read(n)) ?? Buffer.of());
  }
  return messages;
}

async function chainOf(messages: readonly Uint8Array[]): Promise<Chain> {
  const chain = createMemoryChain();
  for (const [after, bytes] of messages.entries()) await chain.publish(after, bytes);
  return chain;
}

async function entriesIn(file: string): Promise<readonly Entry[]> {
  await using log = await openSqliteLog({ file });
  const entries = await Array.fromAsync(log.read());
  for (const { seq } of entries) assert.equal((await log.findKey(`k${seq}`))?.seq, seq);
  return entries;
}

function copyTo(
  file: string,
  chain: Chain,
  note: CopyToFileOptions["note"] = nothing,
): ReturnType<typeof copyChainToFile> {
  return copyChainToFile({ chain, bus: createMemoryBus() }, { file, cursors, note });
}

/** A process that copies and kills itself at that step: from a file, or from a chain with those messages. */
function copyAndDie(step: string, source: string | readonly Uint8Array[], file: string): void {
  const given = {
    file,
    step,
    ...(typeof source === "string"
      ? { from: source }
      : { messages: source.map((bytes) => Buffer.from(bytes).toString("base64")) }),
  };
  const code = `
    import { copyChainToFile, copyFileToFile } from ${address("copy-to-file.ts")};
    import { createMemoryBus } from ${address("../chain/memory-bus.ts")};
    import { createMemoryChain } from ${address("../chain/memory-chain.ts")};
    import { readFileSync } from "node:fs";
    const { file, step, from, messages } = JSON.parse(readFileSync(0, "utf8"));
    const note = (reached, done, of) => {
      const isHere = reached === step && (step !== "copying" || done >= of / 2 || from);
      if (isHere) process.kill(process.pid, "SIGKILL");
    };
    const options = { file, note, cursors: { prefix: "cursor/", read: () => undefined } };
    if (from !== undefined) copyFileToFile(from, options);
    const chain = createMemoryChain();
    let after = 0;
    for (const message of messages) await chain.publish(after++, Buffer.from(message, "base64"));
    await copyChainToFile({ chain, bus: createMemoryBus() }, options);`;
  const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    input: JSON.stringify(given),
    encoding: "utf8",
  });
  assert.equal(signal, "SIGKILL", `${step}: ${stderr}`);
}

const address = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** The draft of a killed copy, in a folder of its own for each that goes on with it. */
function leftBy(folder: string, from: string): (name: string) => string {
  return (name) => {
    const own = join(folder, name);
    cpSync(from, own, { recursive: true });
    return join(own, "atrium.db");
  };
}

const STEPS = ["copying", "converting", "shrinking", "checking", "naming"] as const;

for (const step of STEPS) {
  test(`[UPKEEP-7] killed at ${step}, the next copy of a chain is that chain as it is by then, or another`, async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-killed-"));
    const chain = createMemoryChain();
    const before = await grow(chain, COUNT);
    const messages = await messagesOf(chain);
    const left = join(folder.path, "left");
    copyAndDie(step, messages, join(left, "atrium.db"));
    assert.ok(!existsSync(join(left, "atrium.db")) && existsSync(join(left, "atrium.db.copy")));
    const grown = await chainOf(messages);
    const later = await grow(grown, GROWTH);
    assert.equal(later.length, COUNT + GROWTH);
    const other = createMemoryChain();
    const others = await grow(other, 3);
    const copyOf = leftBy(folder.path, left);
    for (const [name, source, expected] of [
      ["same", await chainOf(messages), before],
      ["grown", grown, later],
      ["other", other, others],
    ] as const) {
      const file = copyOf(name);
      const taken = new Set<string>();
      const copied = await copyTo(file, source, (each) => taken.add(each));
      // A draft that is still right is gone on with.
      const isWhole = name === "same" && STEPS.indexOf(step) > STEPS.indexOf("converting");
      assert.equal(taken.has("converting"), !isWhole, name);
      const { entries, aside, problems } = copied;
      assert.deepEqual([entries, aside, problems], [expected.length, undefined, []], name);
      assert.equal(copied.messages, await source.last(), name);
      assert.deepEqual(await entriesIn(file), expected, name);
      assert.deepEqual(readdirSync(dirname(file)).toSorted(), ["atrium.db", "atrium.db.lock"]);
    }
  });

  test(`[UPKEEP-7] killed at ${step}, the next copy of a file is that file as it is by then, or another`, async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-killed-"));
    const [source, other] = [join(folder.path, "source.db"), join(folder.path, "other.db")];
    for (const [file, count] of [
      [source, COUNT],
      [other, 3],
    ] as const) {
      await using log = await openSqliteLog({ file });
      await fill(log, count);
    }
    const left = join(folder.path, "left");
    copyAndDie(step, source, join(left, "atrium.db"));
    const copyOf = leftBy(folder.path, left);
    const check = async (name: string, from: string): Promise<void> => {
      const file = copyOf(name);
      const expected = await entriesIn(from);
      const { entries, aside } = copyFileToFile(from, { file, cursors, note: nothing });
      assert.deepEqual([entries, aside], [expected.length, undefined], name);
      assert.deepEqual(await entriesIn(file), expected, name);
      assert.deepEqual(readdirSync(dirname(file)).toSorted(), ["atrium.db", "atrium.db.lock"]);
    };
    await check("same", source);
    await check("other", other);
    {
      await using log = await openSqliteLog({ file: source });
      await fill(log, GROWTH);
    }
    await check("grown", source);
    // What one source left is nothing to go on with for another kind.
    const chain = createMemoryChain();
    const entries = await grow(chain, 5);
    const file = copyOf("chain");
    await copyTo(file, chain);
    assert.deepEqual(await entriesIn(file), entries);
  });
}

test("[UPKEEP-7] what lies in the draft's place and is none is kept under another name", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-killed-"));
  const chain = createMemoryChain();
  const entries = await grow(chain, COUNT);
  const own = join(folder.path, "own.db");
  {
    await using log = await openSqliteLog({ file: own });
    await fill(log, 3);
  }
  const others: Readonly<Record<string, Buffer>> = {
    text: Buffer.from("no database ".repeat(1_000)),
    nothing: Buffer.of(),
    "a log of its own": readFileSync(own),
  };
  for (const [name, bytes] of Object.entries(others)) {
    const file = join(folder.path, name, "atrium.db");
    mkdirSync(dirname(file));
    writeFileSync(`${file}.copy`, bytes);
    const { aside = "" } = await copyTo(file, chain);
    assert.equal(aside, `${file}.copy.aside`, name);
    assert.deepEqual(readFileSync(aside), bytes, name);
    assert.deepEqual(await entriesIn(file), entries, name);
  }
});

test("[UPKEEP-7] a draft that is damaged or was changed does not get the file's name", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-killed-"));
  const chain = createMemoryChain();
  const entries = await grow(chain, COUNT);
  const messages = await messagesOf(chain);
  for (const step of STEPS) {
    const file = join(folder.path, step, "atrium.db");
    copyAndDie(step, messages, file);
    truncateSync(`${file}.copy`, 12_000);
    await copyTo(file, chain);
    assert.deepEqual(await entriesIn(file), entries, step);
  }
  const changed = join(folder.path, "changed", "atrium.db");
  copyAndDie("shrinking", messages, changed);
  {
    using db = new DatabaseSync(`${changed}.copy`);
    db.exec(`update entries set data = '{"at":0}' where seq = 9`);
  }
  await assert.rejects(copyTo(changed, chain), { code: "corrupt" });
  assert.ok(!existsSync(changed) && !existsSync(`${changed}.copy`));
  await copyTo(changed, chain);
  assert.deepEqual(await entriesIn(changed), entries);
});

test("[UPKEEP-8] a chain that grows during its copy, or is shorter than a draft of it, is refused", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-killed-"));
  const chain = createMemoryChain();
  await grow(chain, COUNT);
  const file = join(folder.path, "growing", "atrium.db");
  const messages = await messagesOf(chain);
  const next = await chainOf(messages);
  const later = await grow(next, GROWTH);
  const behind = (await messagesOf(next)).slice(messages.length);
  const note: CopyToFileOptions["note"] = (step) => {
    if (step !== "shrinking") return;
    for (const [n, bytes] of behind.entries()) void chain.publish(messages.length + n, bytes);
  };
  await assert.rejects(copyTo(file, chain, note), /the log grew while it was copied/);
  assert.ok(!existsSync(file));
  assert.equal((await copyTo(file, chain)).entries, COUNT + GROWTH);
  assert.deepEqual(await entriesIn(file), later);

  for (const step of ["converting", "shrinking"]) {
    const short = join(folder.path, step, "atrium.db");
    copyAndDie(step, await messagesOf(chain), short);
    const begun = await chainOf(messages.slice(0, 10));
    await assert.rejects(copyTo(short, begun), /have 10 messages, and .*atrium\.db\.copy, which/);
    assert.ok(existsSync(`${short}.copy`) && !existsSync(short));
  }
});

test("[UPKEEP-8] of two copies into one file at once the second is refused", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-killed-"));
  const chain = createMemoryChain();
  await grow(chain, COUNT);
  const file = join(folder.path, "atrium.db");
  const first = copyTo(file, chain);
  await assert.rejects(copyTo(file, chain), { code: "locked" });
  assert.equal((await first).entries, COUNT);
});
