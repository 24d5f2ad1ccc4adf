import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createDispatch, Fault, refuse, type Dispatch } from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { LogFault, openMemoryLog, type Entry, type Log } from "@atrium/log";
import { createSharedCursor, createSnapshotCursor, type ReactionCursor } from "./cursor.ts";
import { createReactor, type Reactor } from "./reactor.ts";

interface Stage {
  readonly reactor: Reactor;
  readonly closing: AbortController;
  readonly faults: readonly Fault[];
}

async function startReactor(
  log: Log,
  react: (entry: Entry) => Promise<void>,
  cursor: ReactionCursor = createSnapshotCursor("test", log),
): Promise<Stage> {
  const faults: Fault[] = [];
  const closing = new AbortController();
  const report = (fault: Fault): void => void faults.push(fault);
  const reactor = createReactor({ name: "test", log, cursor, react, report, closing });
  await reactor.start();
  return { reactor, closing, faults };
}

async function openLog(count: number): Promise<Log> {
  const log = openMemoryLog();
  const drafts = Array.from({ length: count }, () => ({ type: "happened", at: 1, data: {} }));
  await log.append("test/one", 0, drafts);
  return log;
}

/** The entries that the next start reacts to. */
async function restAfter(log: Log, cursor?: ReactionCursor): Promise<readonly number[]> {
  const seen: number[] = [];
  const all = Promise.withResolvers<void>();
  const { reactor } = await startReactor(
    log,
    async ({ seq }) => {
      seen.push(seq);
      if (seq === log.head) all.resolve();
    },
    cursor,
  );
  await all.promise;
  await reactor[Symbol.asyncDispose]();
  return seen;
}

test("an entry whose reaction is cut short by the end of the server is handled after the next start", async () => {
  await using log = await openLog(3);
  const reached = Promise.withResolvers<void>();
  const { reactor, closing, faults } = await startReactor(log, async ({ seq }) => {
    if (seq < 2) return;
    const { signal } = closing;
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    reached.resolve();
    await aborted;
    signal.throwIfAborted();
  });
  await reached.promise;
  await reactor[Symbol.asyncDispose]();
  assert.deepEqual(faults, []);
  assert.equal(reactor.faults, 0);
  assert.deepEqual(await restAfter(log), [2, 3]);
});

test("a reaction that throws is reported and counted, and the next entry is handled", async () => {
  await using log = await openLog(3);
  const seen: number[] = [];
  const all = Promise.withResolvers<void>();
  const { reactor, faults } = await startReactor(log, async ({ seq }) => {
    seen.push(seq);
    if (seq === 3) all.resolve();
    if (seq === 2) throw new Fault("no way");
  });
  await all.promise;
  await reactor[Symbol.asyncDispose]();
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(reactor.faults, 1);
  assert.deepEqual(
    faults.map(({ context }) => context),
    [{ stream: "test/one", type: "happened", seq: 2 }],
  );
  await log.append("test/two", 0, [{ type: "happened", at: 1, data: {} }]);
  assert.deepEqual(await restAfter(log), [4]);
});

test("while the log cannot be written nothing counts as handled", async () => {
  await using log = await openLog(3);
  const { reactor, closing, faults } = await startReactor(log, async ({ seq }) => {
    if (seq === 2) throw new LogFault("full", "no space is left");
  });
  if (!closing.signal.aborted) await once(closing.signal, "abort");
  await reactor[Symbol.asyncDispose]();
  assert.equal(faults.length, 1);
  assert.deepEqual(await restAfter(log), [2, 3]);
});

test("[NODE-12] whoever reacts goes on where another node was, and a single node where several were", async () => {
  await using log = await openLog(3);
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: () => undefined });
  const shared = (): ReactionCursor => createSharedCursor("test", log, dispatch);
  assert.deepEqual(await restAfter(log, shared()), [1, 2, 3]);
  await log.append("test/two", 0, [{ type: "happened", at: 1, data: {} }]);
  // The cursor's own entry is one of those that come after it.
  assert.deepEqual(await restAfter(log, shared()), [4, 5]);
  assert.equal(await createSnapshotCursor("test", log).load(), 5);
  assert.equal(await createSnapshotCursor("other", log).load(), 0);
});

test("[NODE-12] a node that may not write any more leaves the cursor where it is", async () => {
  await using log = await openLog(3);
  const fenced: Dispatch = () => Promise.resolve(refuse("log.fenced"));
  assert.deepEqual(await restAfter(log, createSharedCursor("test", log, fenced)), [1, 2, 3]);
  assert.equal(log.head, 3);
});
