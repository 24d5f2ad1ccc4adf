/** Rows of a node's copy that are not what its messages say: found, named, and carried into no other log. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { chooseSeed, createRandom } from "../../../../test/kit/random.ts";
import { openChainLog, type ChainLogOptions } from "../chain/chain-log.ts";
import type { ClusterLog } from "../chain/cluster-log.ts";
import { createMemoryBus } from "../chain/memory-bus.ts";
import { createMemoryChain } from "../chain/memory-chain.ts";
import { ChainNodes } from "../chain/testing/chain-nodes.ts";
import { copyToChain } from "./copy-to-chain.ts";
import { copyFileToFile } from "./copy-to-file.ts";
import { openLogRows } from "./log-rows.ts";
import { verifyFile } from "./verify-file.ts";

const HOUR_MS = 3_600_000;
const nothing = (): void => undefined;
let lives = 0;

function open(
  options: Pick<ChainLogOptions, "copyFile"> & Partial<ChainLogOptions>,
): Promise<ClusterLog> {
  const node = { id: "n1", life: `${++lives}` };
  return openChainLog({ chain: createMemoryChain(), bus: createMemoryBus(), node, ...options });
}

/** Streams, keys with and without entries, messages of many appends, and keys that grew old and were used again. */
async function fillCopy(log: ClusterLog): Promise<void> {
  for (let at = 1; at <= 12; at++) {
    const time = (at * HOUR_MS) / 2;
    const draft = { type: "said", at: time, data: { at } };
    const key = { id: `k${at}`, digest: `d${at}` };
    await Promise.all([
      log.append(`s/${at % 3}`, "any", [draft, draft], { key }),
      log.append(`s/${at % 2}`, "any", [draft]),
      log.append("s/none", "any", [], { key: { id: `none${at}`, digest: "d" } }),
    ]);
    if (at % 4 === 0) {
      await log.append("s/none", "any", [], { key: { id: `late${at}`, digest: "d" } });
    }
  }
  await log.append("s/1", "any", [{ type: "said", at: 6 * HOUR_MS, data: 1 }], {
    key: { id: "k1", digest: "again" },
  });
}

function problemsIn(file: string): readonly string[] {
  using db = new DatabaseSync(file, { readOnly: true });
  return verifyFile(db, nothing).problems;
}

/** A copy of the file with a damage done to it. */
function spoil(file: string, damage: string): string {
  const spoilt = `${file}.spoilt`;
  copyFileSync(file, spoilt);
  using db = new DatabaseSync(spoilt);
  assert.ok(db.prepare(damage).run().changes > 0, damage);
  return spoilt;
}

const DAMAGES: readonly (readonly [damage: string, problem: RegExp])[] = [
  [
    `update entries set data = '{"at":9}' where seq = 5`,
    /^entry 5 is not what message 3 says: another data$/,
  ],
  ["update entries set type = 'left' where seq = 5", /^entry 5 is not .*: another type$/],
  ["update entries set at = at + 1 where seq = 5", /^entry 5 is not .*: another time$/],
  ["update entries set stream = 's/9' where seq = 5", /^entry 5 is not .*: another stream$/],
  ["delete from entries where seq = 5", /^entries 5 to 5 are missing$/],
  ["delete from entries where seq > 35", /^entries 36 to 37 are missing$/],
  [
    "insert into entries select seq + 37, stream, type, at, data from entries where seq = 1",
    /^entry 38 stands in no message$/,
  ],
  ["update keys set digest = 'x' where id = 'k9'", /^key "k9" is not what message \d+ says$/],
  ["update keys set at = at + 1 where id = 'none9'", /^key "none9" is not what message \d+ says$/],
  ["update keys set seq = seq - 3 where id = 'k9'", /^key "k9" stands in no message$/],
  ["delete from keys where id = 'late8'", /^key "late8" of message \d+ is missing$/],
  [
    "insert into keys (id, digest, seq, count, at) values ('x', 'x', 9, 1, 1)",
    /^key "x" stands in no message$/,
  ],
  [
    "update links set hash = replace(hash, substr(hash, 1, 1), 'z') where n = 4",
    /^message 4 is filed as something else$/,
  ],
  [
    "update links set bytes = (select bytes from links where n = 3) where n = 4",
    /^message 4 does not follow on message 3$/,
  ],
  ["update links set bytes = zeroblob(length(bytes)) where n = 4", /^message 4 is damaged: /],
  ["update links set bytes = null where n = 4", /^message 4 has lost its bytes$/],
  ["delete from links where n = 4", /^messages 4 to 4 are missing$/],
  ["update links set last = last + 1 where n = 4", /^message 4 is filed as something else$/],
];

test("[UPKEEP-9] a node's copy that is what its messages say has no problems, and each other row is named", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-rows-"));
  const copyFile = join(folder.path, "chain.db");
  {
    await using log = await open({ copyFile, keyRetentionMs: 4 * HOUR_MS });
    await fillCopy(log);
    assert.equal(log.head, 37);
  }
  assert.deepEqual(problemsIn(copyFile), []);
  for (const [damage, problem] of DAMAGES) {
    const problems = problemsIn(spoil(copyFile, damage));
    assert.ok(
      problems.some((each) => problem.test(each)),
      `${damage}: ${problems.join("; ")}`,
    );
  }
});

test("[UPKEEP-9] what was erased is no difference, and what stands beside it is still compared", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-rows-"));
  const copyFile = join(folder.path, "chain.db");
  {
    await using log = await open({ copyFile, keyRetentionMs: 4 * HOUR_MS });
    await fillCopy(log);
    // Twice, because the second takes what the first said.
    await log.erase([4, 8].map((seq) => ({ seq, data: "gone" })));
    await log.erase([
      { seq: 20, data: "gone" },
      { seq: 99, data: null },
    ]);
    await log.append("s/1", "any", [{ type: "said", at: 7 * HOUR_MS, data: 1 }]);
  }
  assert.deepEqual(problemsIn(copyFile), []);
  for (const [damage, problem] of [
    [`update entries set data = '"else"' where seq = 20`, /^entry 20 is not what message/],
    [`update entries set data = '"else"' where seq = 1`, /^entry 1 is not what message/],
    ["delete from entries where seq = 8", /^entries 8 to 8 are missing$/],
    ["delete from keys where id = 'k9'", /^key "k9" of message/],
  ] as const) {
    const problems = problemsIn(spoil(copyFile, damage));
    assert.equal(problems.length, 1, `${damage}: ${problems.join("; ")}`);
    assert.match(problems[0] ?? "", problem);
  }
});

test("[UPKEEP-9] whatever nodes wrote, erased and forgot, in the copy of none is another row", async () => {
  await using nodes = new ChainNodes();
  const keyRetentionMs = 20;
  const seed = chooseSeed();
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const files: string[] = [];
  let time = 0;
  for (let life = 0; life < 3; life++) {
    const opened = await Promise.all(["a", "b"].map((id) => nodes.open(id, { keyRetentionMs })));
    files.push(...opened.map(({ copyFile }) => copyFile));
    for (let round = 0; round < 30; round++) {
      await Promise.all(
        opened.map(async ({ log }) => {
          if (below(12) === 0) return log.erase([{ seq: 1 + below(log.head + 1), data: "gone" }]);
          time += below(3);
          const draft = { type: `t${below(3)}`, at: time, data: { text: "ü".repeat(below(20)) } };
          const drafts = Array.from({ length: below(4) }, () => draft);
          const key = { id: `k${below(30)}`, digest: `d${below(2)}` };
          const options = below(2) === 0 || drafts.length === 0 ? { key } : {};
          const expected = below(3) === 0 ? log.head : "any";
          return log.append(`s/${below(4)}`, expected, drafts, options);
        }),
      );
    }
    for (const { log } of opened) await log.close();
    for (const file of files) assert.deepEqual(problemsIn(file), [], `seed ${seed}`);
  }
});

test("[UPKEEP-10] a node's copy with another row is copied nowhere, and whole it is", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-copy-rows-"));
  const copyFile = join(folder.path, "chain.db");
  {
    await using log = await open({ copyFile });
    await fillCopy(log);
  }
  const cursors = { prefix: "cursor/", read: () => undefined };
  const toFile = (from: string, file: string): unknown =>
    copyFileToFile(from, { file, cursors, note: nothing });
  const toChain = async (from: string, chain = createMemoryChain()): Promise<number> => {
    using rows = openLogRows(from);
    await copyToChain({ rows, chain, keyRetentionMs: HOUR_MS, behind: [], note: nothing });
    return await chain.last();
  };
  const said = /chain\.db\.spoilt is a node's copy .* \((entry 5 is not what|key "k9")/;
  for (const damage of [
    `update entries set data = '{"at":9}' where seq = 5`,
    "update keys set digest = 'x' where id = 'k9'",
  ]) {
    const spoilt = spoil(copyFile, damage);
    const file = join(folder.path, "refused.db");
    assert.throws(() => toFile(spoilt, file), said);
    assert.ok(!existsSync(file) && !existsSync(`${file}.copy`));
    const chain = createMemoryChain();
    await assert.rejects(toChain(spoilt, chain), said);
    assert.equal(await chain.last(), 0);
  }
  toFile(copyFile, join(folder.path, "whole.db"));
  assert.ok((await toChain(copyFile)) > 1);
});
