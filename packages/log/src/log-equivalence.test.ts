/**
 * The engines must not be told apart: the same random calls, the same answers.
 *
 * Calls go to each in the same order, a few at a time without waiting, so that group commits and
 * ticks are held against the plain way. Now and then the file is closed and opened again.
 */
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openChainLog } from "./chain/chain-log.ts";
import { createMemoryBus } from "./chain/memory-bus.ts";
import { createMemoryChain } from "./chain/memory-chain.ts";
import { openMemoryLog } from "./log-memory.ts";
import type { Log, ReadOptions } from "./log.ts";
import { openSqliteLog } from "./sqlite/log-sqlite.ts";

const ROUNDS = 400;
const STREAMS = ["desk", "wall", "door"];

type Random = (below: number) => number;
type Call = (log: Log) => Promise<unknown>;

interface Engine {
  readonly name: string;
  readonly open: (folder: string) => Promise<Log>;
}

const chain = createMemoryChain();
const bus = createMemoryBus();
let lives = 0;

const ENGINES: readonly Engine[] = [
  { name: "file", open: (folder) => openSqliteLog({ file: join(folder, "log.db") }) },
  {
    name: "chain",
    open: (folder) => {
      const node = { id: "n", life: `life ${++lives}` };
      return openChainLog({ chain, bus, node, copyFile: join(folder, "chain.db") });
    },
  },
];

for (const { name, open } of ENGINES) {
  test(`the ${name} answers random calls as the log in memory does`, async (t) => {
    const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`SEED=${seed}`);
    const random = createRandom(seed);
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-log-"));
    let other = await open(folder.path);
    try {
      await using memory = openMemoryLog({ epoch: other.epoch });
      for (let round = 0; round < ROUNDS; round++) {
        const calls = Array.from({ length: 1 + random(12) }, (_, n) =>
          anyAppend(random, memory.head, n > 0),
        );
        const both = await Promise.all([other, memory].map((log) => askAll(log, calls)));
        assert.deepEqual(both[0], both[1], `SEED=${seed}, round ${round}`);
        const look = anyLook(random, memory.head);
        assert.deepEqual(await look(other), await look(memory), `SEED=${seed}, round ${round}`);
        assert.equal(other.head, memory.head);
        if (random(25) === 0) {
          await other.close();
          other = await open(folder.path);
        }
      }
      for (const stream of STREAMS) {
        const look: Call = (log) => Array.fromAsync(log.read({ stream }));
        assert.deepEqual(await look(other), await look(memory), `SEED=${seed}, ${stream}`);
      }
      assert.deepEqual(await Array.fromAsync(other.read()), await Array.fromAsync(memory.read()));
    } finally {
      await other.close();
    }
  });
}

function askAll(log: Log, calls: readonly Call[]): Promise<unknown[]> {
  return Promise.all(calls.map((call) => call(log)));
}

/** Only what has a call before it, since the log was opened, may build on that. */
function anyAppend(random: Random, head: number, mayFollow: boolean): Call {
  const stream = pick(random, STREAMS);
  const follower = mayFollow ? "after-previous" : "any";
  const expected = pick(random, ["any", "any", 0, random(head + 2), follower] as const);
  const drafts = Array.from({ length: random(4) }, (_, n) => ({
    type: `type ${random(3)}`,
    at: 1_700_000_000_000 + head + n,
    data: { n: random(1000), of: stream },
  }));
  const key = { id: `key ${random(40)}`, digest: `digest ${random(4) === 0 ? 1 : 0}` };
  const guard = { stream: pick(random, STREAMS), version: random(head + 2) };
  const options = { ...(random(3) === 0 && { key }), ...(random(6) === 0 && { guard }) };
  return (log) => log.append(stream, expected, drafts, options);
}

function anyLook(random: Random, head: number): Call {
  const name = `snapshot ${random(3)}`;
  const id = `key ${random(40)}`;
  const snapshot = { version: random(9), seq: random(head + 1), text: `text ${random(1000)}` };
  const options: ReadOptions = {
    ...(random(2) === 0 && { after: random(head + 2) }),
    ...(random(2) === 0 && { before: random(head + 2) }),
    ...(random(2) === 0 && { stream: pick(random, STREAMS) }),
    ...(random(2) === 0 && { limit: random(20) }),
    ...(random(2) === 0 && { backwards: true }),
  };
  return pick<Call>(random, [
    (log) => Array.fromAsync(log.read(options)),
    (log) => Array.fromAsync(log.read(options)),
    (log) => log.findKey(id),
    (log) => log.snapshots.save(name, snapshot),
    (log) => log.snapshots.load(name),
  ]);
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)]!;
}

/** Mulberry32: small, good enough to wander, and the same on every machine. */
function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
