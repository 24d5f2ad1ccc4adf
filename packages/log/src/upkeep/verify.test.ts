/** Damage of every kind, which must be found; and repairs, which must be exact. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openChainLog } from "../chain/chain-log.ts";
import type { Chain } from "../chain/chain.ts";
import type { NodeIdentity } from "../chain/cluster-log.ts";
import { createMemoryBus } from "../chain/memory-bus.ts";
import { createMemoryChain } from "../chain/memory-chain.ts";
import { openSqliteLog } from "../sqlite/log-sqlite.ts";
import { CopyFile } from "./copy-file.ts";
import { planRepair, repairChain } from "./repair-chain.ts";
import { verifyChain } from "./verify-chain.ts";
import { verifyFile } from "./verify-file.ts";

const nothing = (): void => undefined;
/** Another life with every start, as nodes have it. */
const newNode = (): NodeIdentity => ({ id: "n1", life: randomUUID() });

test("[UPKEEP-3] a whole file has no problems, and each kind of damage is named", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-verify-"));
  const file = join(folder.path, "atrium.db");
  {
    await using log = await openSqliteLog({ file });
    for (let at = 1; at <= 5_000; at += 50) {
      const drafts = Array.from({ length: 50 }, () => ({ type: "said", at, data: { at } }));
      await log.append(`s/${at % 3}`, "any", drafts, { key: { id: `k${at}`, digest: "d" } });
    }
  }
  const problemsAfter = (damage: string): readonly string[] => {
    const spoilt = join(folder.path, "spoilt.db");
    copyFileSync(file, spoilt);
    using db = new DatabaseSync(spoilt);
    db.exec(damage);
    return verifyFile(db, nothing).problems;
  };
  {
    using db = new DatabaseSync(file, { readOnly: true });
    const { head, entries, keys, isCopy, problems } = verifyFile(db, nothing);
    assert.deepEqual([head, entries, keys, isCopy, problems], [5_000, 5_000, 100, false, []]);
  }
  for (const [damage, problem] of [
    ["delete from entries where seq between 10 and 12", /^entries 10 to 12 are missing/],
    [
      "update entries set data = '{' where seq = 7",
      /^entry 7 \(said of s\/1\) is no JSON any more/,
    ],
    ["update keys set seq = 9999 where id = 'k1'", /^key "k1" names entries that are not there/],
    ["delete from runs where first < 60", /index of streams lacks \d+ entries/],
    ["update entries set stream = 'other' where seq = 20", /index of streams lacks 1 entries/],
  ] as const) {
    const problems = problemsAfter(damage);
    assert.ok(
      problems.some((each) => problem.test(each)),
      `${damage}: ${problems.join("; ")}`,
    );
  }
  const many = problemsAfter("update entries set data = '{'");
  assert.equal(many.at(-1), "and 4950 more");
});

/** A chain with holes, spoilt places, or an end that is gone. */
function damaged(
  chain: Chain,
  { last, without = [], spoilt = [] }: { last?: number; without?: number[]; spoilt?: number[] },
): Chain {
  return {
    maxBytes: chain.maxBytes,
    trouble: undefined,
    publish: (after, bytes) => chain.publish(after, bytes),
    watch: (after, signal) => chain.watch(after, signal),
    last: async () => last ?? (await chain.last()),
    async read(n) {
      if (without.includes(n)) return undefined;
      const bytes = await chain.read(n);
      if (bytes === undefined || !spoilt.includes(n)) return bytes;
      const changed = Buffer.from(bytes);
      changed[40] = (changed[40] ?? 0) ^ 1;
      return changed;
    },
  };
}

/** The first messages of another chain. */
async function beginningOf(chain: Chain, count: number): Promise<Chain> {
  const begun = createMemoryChain();
  for (let n = 1; n <= count; n++) await begun.publish(n - 1, await bytesAt(chain, n));
  return begun;
}

async function bytesAt(chain: Chain, n: number): Promise<Buffer> {
  return Buffer.from((await chain.read(n)) ?? Buffer.of());
}

async function fillChain(chain: Chain, copyFile: string, count: number): Promise<void> {
  await using log = await openChainLog({
    chain,
    bus: createMemoryBus(),
    node: newNode(),
    copyFile,
  });
  for (let at = 1; at <= count; at++) {
    await log.append("s/1", "any", [{ type: "said", at, data: { at } }]);
  }
}

test("[UPKEEP-4] missing, damaged and strange messages of a chain are named, and a copy that differs", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-verify-"));
  const chain = createMemoryChain();
  await fillChain(chain, join(folder.path, "a.db"), 9);
  using copy = new CopyFile(join(folder.path, "a.db"));
  const whole = await verifyChain(chain, copy, nothing);
  assert.deepEqual([whole.messages, whole.problems, whole.broken], [10, [], []]);
  assert.equal(whole.hash, copy.hashAt(10));

  const holes = await verifyChain(damaged(chain, { without: [3], spoilt: [5] }), copy, nothing);
  assert.deepEqual(holes.broken, [3, 5]);
  assert.deepEqual(holes.problems, ["message 3 is missing", "message 5 is damaged"]);
  const swapped: Chain = {
    ...damaged(chain, {}),
    read: (n) => chain.read(n === 4 ? 6 : n),
  };
  const strange = await verifyChain(swapped, undefined, nothing);
  assert.match(strange.problems.join(), /message 4 does not follow on message 3/);
  const short = await verifyChain(damaged(chain, { last: 7 }), copy, nothing);
  assert.match(short.problems.join(), /have 7 messages and .*a\.db has 10: they lost/);
  const other = createMemoryChain();
  await fillChain(other, join(folder.path, "b.db"), 3);
  const foreign = await verifyChain(other, copy, nothing);
  assert.equal(foreign.problems.length, 1);
  assert.match(foreign.problems[0] ?? "", /a\.db is the copy of another log/);
  const parted = await beginningOf(chain, 6);
  await fillChain(parted, join(folder.path, "c.db"), 2);
  const forked = await verifyChain(parted, copy, nothing);
  assert.deepEqual(forked.problems, [`${copy.path} has another history from message 7 on`]);
});

test("[UPKEEP-5] the lost end comes back from the longest copy that agrees, byte for byte; strangers are not used", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-verify-"));
  const path = (name: string): string => join(folder.path, name);
  const chain = createMemoryChain();
  await fillChain(chain, path("short.db"), 5);
  await fillChain(chain, path("long.db"), 4);
  const stranger = createMemoryChain();
  await fillChain(stranger, path("stranger.db"), 30);
  using short = new CopyFile(path("short.db"));
  using long = new CopyFile(path("long.db"));
  using other = new CopyFile(path("stranger.db"));
  assert.deepEqual([short.applied, long.applied, other.applied], [6, 10, 31]);

  for (const kept of [0, 3, 8, 10]) {
    const begun = await beginningOf(chain, kept);
    const copies = kept === 0 ? [short, long] : [short, other, long];
    const plan = await planRepair(begun, copies);
    assert.equal(plan.tail?.copy, kept === 10 ? undefined : long);
    assert.deepEqual(plan.strangers, kept === 0 ? [] : [other.path]);
    assert.equal(await repairChain(begun, plan, nothing), 10 - kept);
    assert.equal(await begun.last(), 10);
    for (let n = 1; n <= 10; n++) {
      assert.deepEqual(await bytesAt(begun, n), await bytesAt(chain, n));
    }
  }
  await assert.rejects(planRepair(createMemoryChain(), [long, other]), /copies do not agree/);
});

test("[UPKEEP-5] answers that get lost double nothing, and a node that writes meanwhile ends the repair", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-verify-"));
  const chain = createMemoryChain();
  await fillChain(chain, join(folder.path, "a.db"), 9);
  using copy = new CopyFile(join(folder.path, "a.db"));
  const begun = await beginningOf(chain, 2);
  let calls = 0;
  const deaf: Chain = {
    ...damaged(begun, {}),
    async publish(after, bytes) {
      if (++calls % 3 === 0) return "unknown";
      await begun.publish(after, bytes);
      return "unknown";
    },
  };
  await repairChain(deaf, await planRepair(deaf, [copy]), nothing);
  assert.equal((await verifyChain(begun, copy, nothing)).hash, copy.hashAt(10));

  const raced = await beginningOf(chain, 4);
  const plan = await planRepair(raced, [copy]);
  await raced.publish(4, Buffer.from("another"));
  await assert.rejects(repairChain(raced, plan, nothing), /someone wrote message 5 meanwhile/);
});

test("[UPKEEP-5] what was erased since cannot be put back, and nothing is begun", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-verify-"));
  const chain = createMemoryChain();
  const copyFile = join(folder.path, "a.db");
  {
    await using log = await openChainLog({
      chain,
      bus: createMemoryBus(),
      node: newNode(),
      copyFile,
    });
    for (let at = 1; at <= 5; at++) await log.append("s", "any", [{ type: "a", at, data: at }]);
    await log.erase([{ seq: 4, data: null }]);
  }
  using copy = new CopyFile(copyFile);
  const begun = await beginningOf(chain, 3);
  await assert.rejects(planRepair(begun, [copy]), /message 5 in .*a\.db was erased since/);
  assert.equal(await begun.last(), 3);
});
