/** What reading and following promise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry, ReadOptions } from "../log.ts";
import {
  assertAscending,
  collect,
  drafts,
  fill,
  follow,
  nextBatch,
  readAll,
  seqs,
  write,
  type OpenStep,
} from "./log-steps.ts";

export function describeReading(open: OpenStep): void {
  test("[LOG-12] reads what the options leave, in order", async () => {
    await using log = await open();
    const all = await fill(log, 600);
    const [low, high] = [all[99]?.seq ?? 0, all[500]?.seq ?? 0];
    const even = all.filter(({ stream }) => stream === "even");
    assert.deepEqual(await readAll(log), all);
    assert.deepEqual(await readAll(log, { after: low }), all.slice(100));
    assert.deepEqual(await readAll(log, { before: high }), all.slice(0, 500));
    assert.deepEqual(await readAll(log, { after: low, before: high }), all.slice(100, 500));
    assert.deepEqual(await readAll(log, { limit: 7 }), all.slice(0, 7));
    assert.deepEqual(await readAll(log, { limit: 0 }), []);
    assert.deepEqual(await readAll(log, { limit: 550, after: low }), all.slice(100));
    assert.deepEqual(await readAll(log, { stream: "even" }), even);
    assert.deepEqual(await readAll(log, { stream: "even", limit: 270 }), even.slice(0, 270));
    assert.deepEqual(
      await readAll(log, { stream: "even", after: low, before: high }),
      even.filter(({ seq }) => seq > low && seq < high),
    );
    assert.deepEqual(await readAll(log, { stream: "none" }), []);
    assert.deepEqual(await readAll(log, { after: log.head }), []);
    assert.deepEqual(await readAll(log, { after: high, before: low }), []);
  });

  test("[LOG-12] reads backwards from the newest", async () => {
    await using log = await open();
    const all = await fill(log, 600);
    const [low, high] = [all[99]?.seq ?? 0, all[500]?.seq ?? 0];
    const odd = all.filter(({ stream }) => stream === "odd");
    const backwards = true;
    assert.deepEqual(await readAll(log, { backwards }), all.toReversed());
    assert.deepEqual(await readAll(log, { backwards, limit: 5 }), all.slice(-5).toReversed());
    assert.deepEqual(
      await readAll(log, { backwards, after: low, before: high, limit: 350 }),
      all.slice(150, 500).toReversed(),
    );
    assert.deepEqual(await readAll(log, { backwards, stream: "odd" }), odd.toReversed());
    assert.deepEqual(
      await readAll(log, { backwards, stream: "odd", limit: 2 }),
      odd.slice(-2).toReversed(),
    );
  });

  test("[LOG-13] ends a read at the head it found", async () => {
    await using log = await open();
    const all = await fill(log, 400);
    const seen: Entry[] = [];
    for await (const entry of log.read()) {
      seen.push(entry);
      await write(log, "even", drafts("more"));
    }
    assert.deepEqual(seen, all);
  });
}

export function describeTail(open: OpenStep): void {
  test("[LOG-14] follows writers from any point without gap or repeat", async () => {
    await using log = await open();
    await fill(log, 50);
    const total = 1050;
    const tails: Promise<Entry[]>[] = [follow(log, 0, total), follow(log, log.head, total)];
    const starts = [0, log.head];
    const writers = Array.from({ length: 5 }, async (_, writer) => {
      for (let n = 0; n < 200; n++) {
        await write(log, `writer ${writer}`, drafts(`${writer}.${n}`));
        if (n % 50 === writer) {
          starts.push(log.head);
          tails.push(follow(log, log.head, total));
        }
      }
    });
    await Promise.all(writers);
    const all = await readAll(log);
    assert.equal(all.length, total);
    for (const [index, seen] of (await Promise.all(tails)).entries()) {
      assert.deepEqual(
        seen,
        all.filter(({ seq }) => seq > (starts[index] ?? 0)),
      );
    }
  });

  test("[LOG-14] catches up from far behind while writers go on", async () => {
    await using log = await open();
    await fill(log, 12_000);
    const dawdler = log.tail(0)[Symbol.asyncIterator]();
    const seen = await nextBatch(dawdler);
    await fill(log, 12_000);
    const quick = follow(log, 0, 25_000);
    const late = fill(log, 1000);
    while (seen.length < 25_000) seen.push(...(await nextBatch(dawdler)));
    await late;
    await dawdler.return?.();
    const all = await readAll(log);
    assert.deepEqual(seqs(seen), seqs(all));
    assert.deepEqual(seqs(await quick), seqs(all));
    assertAscending(seen);
  });

  test("[LOG-12] gives only those entries that the reader wants, and goes on behind the others", async () => {
    await using log = await open();
    await fill(log, 1_000);
    const isWanted = ({ seq }: Entry): boolean => seq % 700 === 0 || seq === 1;
    const read = async (options: ReadOptions): Promise<readonly number[]> =>
      seqs(await Array.fromAsync(log.read({ isWanted, ...options })));
    assert.deepEqual(await read({}), [1, 700]);
    assert.deepEqual(await read({ backwards: true }), [700, 1]);
    assert.deepEqual(await read({ limit: 10 }), [1]);
    assert.deepEqual(await read({ after: 1, before: 700 }), []);
  });

  test("[LOG-18] ends a tail when its signal aborts", async () => {
    await using log = await open();
    await fill(log, 10);
    const leave = new AbortController();
    const seen = collect(log.tail(0, leave.signal), (entries) => {
      if (entries.length === 10) setImmediate(() => leave.abort());
    });
    assert.equal((await seen).length, 10);
    assert.deepEqual(await collect(log.tail(0, leave.signal)), []);
  });

  test("[LOG-18] ends every tail when the log closes", async () => {
    const log = await open();
    await fill(log, 10);
    const tails = [collect(log.tail(0)), collect(log.tail(log.head)), collect(log.tail(5))];
    await write(log, "even", drafts("last"));
    await log.close();
    await Promise.all(tails);
    assert.deepEqual(await collect(log.tail(0)), []);
  });
}
