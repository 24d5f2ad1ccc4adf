import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createDispatch,
  createInvocationReader,
  createNodes,
  invocation,
  node,
  openProjections,
  readSurface,
  refuse,
  type Dispatch,
  type Fault,
  type InvocationOutcome,
  type Outcome,
} from "@atrium/core";
import { createTestTime, createTestIds } from "@atrium/core/testing";
import { openMemoryLog } from "@atrium/log";
import * as fc from "fast-check";
import { Invoker } from "./invoker.ts";
import { peerOf, type LiveNode } from "./live-nodes.ts";

const NODE = "n1";
const surface = readSurface({ commands: ["say"] });

/** A real log and real deciders; only the sockets are made up. */
async function openStage(change: (dispatch: Dispatch) => Dispatch = (dispatch) => dispatch) {
  await using opened = new AsyncDisposableStack();
  const log = opened.use(openMemoryLog());
  const nodes = createNodes();
  const projections = opened.use(await openProjections(log, [nodes]));
  const clock = createTestTime();
  const plain = createDispatch({ log, clock, settled: projections.settled });
  const nothing = {
    displayName: null,
    platform: null,
    version: null,
    deviceFamily: null,
    modelIdentifier: null,
    clientId: null,
    clientMode: null,
    address: null,
  };
  const about = { nodeId: NODE, requestId: "r1", surface, info: nothing, isSilent: true };
  await plain(node, NODE, { type: "declare", ...about });
  await plain(node, NODE, { type: "approve", requestId: "r1" });

  const sent: { event: string; payload: { id?: string; invokeId?: string } }[] = [];
  let connection = 0;
  let present: LiveNode | undefined;
  const faults: Fault[] = [];
  const readInvocation = createInvocationReader(log);
  const invoker = new Invoker({
    dispatch: change(plain),
    ids: createTestIds("i"),
    nodes,
    devices: { get: () => undefined },
    live: { get: () => present },
    readInvocation,
    report: (fault) => void faults.push(fault),
  });
  opened.defer(() => invoker.close());
  const stage = {
    invoker,
    sent,
    faults,
    readInvocation,
    connectNode(): string {
      const id = `node-${++connection}`;
      const peer = { id, send: (text: string) => void sent.push(JSON.parse(text)) };
      const link = { type: "here", peer };
      present = { nodeId: NODE, link, declared: surface } as unknown as LiveNode;
      return id;
    },
    loseNode(): void {
      const peerId = peerOf(present)?.id ?? "";
      present = undefined;
      invoker.left(peerId);
    },
    invoke: (key: string, callerId: string, timeoutMs = 60_000) =>
      invoker.invoke(
        { nodeId: NODE, command: "say", idempotencyKey: key, timeoutMs },
        { id: key, digest: "same" },
        callerId,
      ),
    request: async (count: number): Promise<string> => {
      while (requests().length < count) await new Promise((resolve) => setImmediate(resolve));
      return requests()[count - 1] ?? "";
    },
    entriesOf: async (type: string): Promise<readonly string[]> => {
      const entries = await Array.fromAsync(log.read());
      return entries.filter((entry) => entry.type === type).map(({ stream }) => stream);
    },
  };
  const requests = (): string[] => sent.flatMap(({ payload }) => payload.id ?? []);
  const held = opened.move();
  return { ...stage, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const done = { status: "done", payload: 1 } as const;

test("[GW-52] one of two who asked may leave; the other is answered and the node is not disturbed", async () => {
  await using stage = await openStage();
  const peerId = stage.connectNode();
  void stage.invoke("k", "alice");
  const invokeId = await stage.request(1);
  const second = stage.invoke("k", "bob");
  await new Promise((resolve) => setImmediate(resolve));
  stage.invoker.left("alice");
  await stage.invoker.answer(invokeId, peerId, done, undefined);
  assert.deepEqual(await second, { ok: true, value: done });
  assert.deepEqual(
    stage.sent.map(({ event }) => event),
    ["node.invoke.request"],
  );
});

test("[GW-52] an end that cannot be written is told, and whoever asks again ends it", async () => {
  let isFull = false;
  await using stage = await openStage((dispatch) => (aggregate, ...rest) => {
    const isSettling = aggregate.name === invocation.name && isFull;
    return isSettling ? Promise.resolve(refuse("log.busy")) : dispatch(aggregate, ...rest);
  });
  const peerId = stage.connectNode();
  const asked = stage.invoke("k", "alice");
  const invokeId = await stage.request(1);
  isFull = true;
  const told = await stage.invoker.answer(invokeId, peerId, done, undefined);
  assert.deepEqual([told, await asked], [refuse("log.busy"), refuse("log.busy")]);
  isFull = false;
  const again = await stage.invoke("k", "alice");
  assert.deepEqual(again, { ok: true, value: { status: "cut", by: "interrupted" } });
  assert.deepEqual(await stage.entriesOf("invocation.settled"), [`invocation/${invokeId}`]);
});

test("[GW-52] an end that breaks is reported once, and nobody waits forever", async () => {
  let isBroken = false;
  await using stage = await openStage((dispatch) => (aggregate, ...rest) => {
    if (isBroken) return Promise.reject(new Error("disk"));
    return dispatch(aggregate, ...rest);
  });
  stage.connectNode();
  const asked = stage.invoke("k", "alice");
  await stage.request(1);
  isBroken = true;
  stage.loseNode();
  assert.deepEqual(await asked, refuse("internal"));
  assert.equal(stage.faults.length, 1);
});

test("[GW-52] what an earlier life left open is settled before anyone is served", async () => {
  await using stage = await openStage();
  stage.connectNode();
  void stage.invoke("k", "alice");
  const invokeId = await stage.request(1);
  await stage.invoker.settleLeftovers((server) => server === null);
  const read = await stage.readInvocation(invokeId);
  assert.deepEqual(read.state === "settled" && read.outcome, { status: "cut", by: "interrupted" });
});

const move = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("invoke"), key: fc.nat(4), by: fc.nat(2) }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("answer"), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("lose") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("connect") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("leave"), by: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("pause") }) },
);

test("[GW-52] whatever happens in whichever order, each invocation ends once and everyone hears the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
      await using stage = await openStage();
      let peerId = stage.connectNode();
      const told = new Map<number, Promise<Outcome<InvocationOutcome>>[]>();
      for (const step of moves) {
        switch (step.type) {
          case "invoke": {
            const { key = 0, by = 0 } = step as { key?: number; by?: number };
            told.set(key, [...(told.get(key) ?? []), stage.invoke(`k${key}`, `caller-${by}`)]);
            break;
          }
          case "answer": {
            const { which = 0 } = step as { which?: number };
            const id = stage.sent.flatMap(({ payload }) => payload.id ?? [])[which];
            if (id !== undefined) void stage.invoker.answer(id, peerId, done, undefined);
            break;
          }
          case "lose":
            stage.loseNode();
            break;
          case "connect":
            stage.loseNode();
            peerId = stage.connectNode();
            break;
          case "leave":
            stage.invoker.left(`caller-${(step as { by?: number }).by ?? 0}`);
            break;
          case "pause":
            await new Promise((resolve) => setImmediate(resolve));
        }
      }
      await new Promise((resolve) => setImmediate(resolve));
      stage.loseNode();
      for (const answers of told.values()) {
        const outcomes = await Promise.all(answers);
        const ended = outcomes.filter(({ ok }) => ok).map((outcome) => JSON.stringify(outcome));
        assert.ok(new Set(ended).size <= 1, ended.join(" "));
      }
      const settled = await stage.entriesOf("invocation.settled");
      assert.equal(new Set(settled).size, settled.length);
      const requested = await stage.entriesOf("invocation.requested");
      assert.deepEqual([...settled].toSorted(), [...requested].toSorted());
      const asked = stage.sent.flatMap(({ payload }) => payload.id ?? []);
      assert.equal(new Set(asked).size, asked.length);
      assert.deepEqual(stage.faults, []);
    }),
    { numRuns: 200 },
  );
});
