import assert from "node:assert/strict";
import { test } from "node:test";
import { Lane, FairQueue } from "./fair-queue.ts";

function createLane(turns: FairQueue, handle: (text: string) => void | Promise<void>) {
  const reading: boolean[] = [];
  const lane = new Lane(turns, {
    handle: (frame) => handle(frame.toString()),
    setReading: (isReading) => void reading.push(isReading),
  });
  return { lane, reading, receive: (text: string) => lane.receive(Buffer.from(text)) };
}

const turnsPassed = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
};

test("[LISTEN-3] a busy lane takes turns with the others and keeps its own order", async () => {
  const turns = new FairQueue(() => 0);
  const handled: string[] = [];
  const busy = createLane(turns, (text) => void handled.push(text));
  const calm = createLane(turns, (text) => void handled.push(text));
  for (let n = 0; n < 200; n++) busy.receive(`b${n}`);
  calm.receive("c");
  assert.equal(handled.at(-1), "c");
  assert.ok(handled.length < 100, "the busy lane waits for its next turns");
  assert.deepEqual(busy.reading, [false]);
  await turnsPassed(20);
  const order = handled.filter((text) => text !== "c");
  assert.deepEqual(
    order,
    Array.from({ length: 200 }, (_, n) => `b${n}`),
  );
  assert.deepEqual(busy.reading, [false, true]);
});

test("[LISTEN-3] a turn that took its time leaves the rest for later", async () => {
  let now = 0;
  const turns = new FairQueue(() => now);
  const handled: string[] = [];
  const lanes = ["a", "b"].map((name) =>
    createLane(turns, () => {
      now += 1;
      handled.push(name);
    }),
  );
  for (const { receive } of lanes) for (let n = 0; n < 100; n++) receive("x");
  handled.length = 0;
  await turnsPassed(1);
  assert.deepEqual(new Set(handled), new Set(["a"]));
  await turnsPassed(1);
  assert.deepEqual(new Set(handled), new Set(["a", "b"]));
});

test("[LISTEN-3] a lane with too many answers outstanding is not read from until some are given", async () => {
  const turns = new FairQueue(() => 0);
  const answers: (() => void)[] = [];
  const { receive, reading } = createLane(
    turns,
    () => new Promise<void>((resolve) => void answers.push(resolve)),
  );
  for (let n = 0; n < 400; n++) receive("x");
  await turnsPassed(20);
  assert.equal(answers.length, 256);
  assert.deepEqual(reading, [false]);
  for (const answer of answers.splice(0)) answer();
  await turnsPassed(20);
  assert.equal(answers.length, 400 - 256);
  assert.deepEqual(reading, [false, true]);
});

test("[LISTEN-3] a closed lane handles nothing more", async () => {
  const turns = new FairQueue(() => 0);
  const handled: string[] = [];
  const { lane, receive } = createLane(turns, (text) => void handled.push(text));
  for (let n = 0; n < 100; n++) receive(`${n}`);
  const before = handled.length;
  lane.close();
  await turnsPassed(5);
  assert.equal(handled.length, before);
});
