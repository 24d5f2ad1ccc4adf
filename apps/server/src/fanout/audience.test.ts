import assert from "node:assert/strict";
import { test } from "node:test";
import { FanoutAudience } from "./audience.ts";
import type { Flushable } from "./fanout.ts";
import { Outbox } from "./outbox.ts";
import { encodeTextFrames } from "./text-frame.ts";

/** Sockets whose other end reads only when told to, and a turn that ends when told to. */
function createHall(maxBytes = 1_000) {
  let due: Flushable[] = [];
  const schedule = (item: Flushable): void => void due.push(item);
  const hall = { present: [] as string[] };
  const present = () => hall.present;
  const audience = new FanoutAudience({ maxLagBytes: maxBytes, schedule, present });
  const endTurn = (): void => {
    const items = due;
    due = [];
    for (const item of items) item.flush();
  };
  const join = () => {
    const peer = { writes: [] as string[][], isReading: true, slow: 0 };
    const sink = {
      write(bytes: Buffer): boolean {
        peer.writes.push(readTexts(bytes));
        return peer.isReading;
      },
    };
    const owner = { onSlow: () => void peer.slow++ };
    const outbox = new Outbox(sink, owner, { maxBytes, now: () => 0, schedule });
    audience.join(outbox);
    const texts = (): string[] => peer.writes.flat();
    return { peer, outbox, texts };
  };
  return { audience, hall, join, endTurn };
}

function readTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    assert.equal(bytes[at], 0x81);
    let size = bytes[at + 1] ?? 0;
    at += 2;
    if (size === 126) [size, at] = [bytes.readUInt16BE(at), at + 2];
    else if (size === 127) [size, at] = [Number(bytes.readBigUInt64BE(at)), at + 8];
    texts.push(bytes.toString("utf8", at, at + size));
    at += size;
  }
  return texts;
}

test("[LISTEN-3] texts of every size are framed so that they can be read back", () => {
  const texts = [
    "",
    "a",
    "é".repeat(62),
    "x".repeat(125),
    "x".repeat(126),
    "x".repeat(65_535),
    "🌍".repeat(20_000),
  ];
  assert.deepEqual(readTexts(encodeTextFrames(texts)), texts);
});

test("[LISTEN-3] what is published in one turn leaves in one write, after the replies before it", () => {
  const { audience, join, endTurn } = createHall();
  const { peer, outbox } = join();
  outbox.send("reply");
  audience.publish("1");
  audience.publish("2");
  assert.deepEqual(peer.writes, []);
  endTurn();
  assert.deepEqual(peer.writes, [["reply"], ["1", "2"]]);
});

test("[LISTEN-3] a newcomer does not hear what was said before it came", () => {
  const { audience, join, endTurn } = createHall();
  const early = join();
  audience.publish("before");
  const late = join();
  audience.publish("after");
  endTurn();
  assert.deepEqual(early.texts(), ["before", "after"]);
  assert.deepEqual(late.texts(), ["after"]);
});

test("[LISTEN-3] a member that fell behind receives everything once, in order, and its bytes are then dropped", () => {
  const { audience, join, endTurn } = createHall();
  const quick = join();
  const slow = join();
  const all: string[] = [];
  const publish = (text: string): void => {
    all.push(text);
    audience.publish(text);
    endTurn();
  };
  publish("0");
  slow.peer.isReading = false;
  for (let n = 1; n <= 5; n++) publish(`${n}`);
  assert.deepEqual(slow.texts(), ["0", "1"]);
  assert.ok(audience.keptBytes > 0);
  // Reads a little, stalls again, then catches up while more is published.
  slow.outbox.drained();
  assert.deepEqual(slow.texts(), ["0", "1", "2"]);
  publish("6");
  slow.peer.isReading = true;
  slow.outbox.drained();
  publish("7");
  assert.deepEqual(slow.texts(), all);
  assert.deepEqual(quick.texts(), all);
  assert.equal(audience.keptBytes, 0);
});

test("[LISTEN-3] a member further behind than its limit is let go, once, and frees what was kept for it", () => {
  const { audience, join, endTurn } = createHall(100);
  const slow = join();
  const other = join();
  slow.peer.isReading = false;
  for (let n = 0; n < 20; n++) {
    audience.publish("x".repeat(20));
    endTurn();
    assert.ok(audience.keptBytes <= 100);
  }
  assert.equal(slow.peer.slow, 1);
  assert.equal(audience.size, 1);
  assert.equal(other.texts().length, 20);
  assert.equal(audience.keptBytes, 0);
});

test("[LISTEN-3] a peer that asks but does not read is let go at its limit", () => {
  const { join, endTurn } = createHall(100);
  const { peer, outbox } = join();
  peer.isReading = false;
  for (let n = 0; n < 50; n++) {
    outbox.send("x".repeat(20));
    endTurn();
  }
  assert.equal(peer.slow, 1);
});

test("[LISTEN-3] whoever leaves still receives what was published before, also when it is behind", () => {
  const { audience, join, endTurn } = createHall();
  const quick = join();
  const slow = join();
  slow.peer.isReading = false;
  audience.publish("1");
  endTurn();
  audience.publish("2");
  endTurn();
  audience.publish("3");
  audience.leave(quick.outbox);
  audience.leave(slow.outbox);
  audience.publish("4");
  endTurn();
  assert.deepEqual(quick.texts(), ["1", "2", "3"]);
  assert.deepEqual(slow.texts(), ["1", "2", "3"]);
  assert.equal(audience.keptBytes, 0);
});

test("[LISTEN-3] any pattern of stalls loses nothing and repeats nothing", () => {
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  const { audience, join, endTurn } = createHall(1e9);
  const members = Array.from({ length: 5 }, join);
  const all: string[] = [];
  for (let step = 0; step < 2_000; step++) {
    const member = members[random(members.length)];
    if (member === undefined) continue;
    if (random(3) === 0) member.peer.isReading = !member.peer.isReading;
    if (random(2) === 0 && member.outbox.isStalled) member.outbox.drained();
    all.push(`${step}`);
    audience.publish(`${step}`);
    if (random(2) === 0) endTurn();
  }
  endTurn();
  for (const { peer, outbox, texts } of members) {
    peer.isReading = true;
    outbox.drained();
    assert.deepEqual(texts(), all);
  }
  assert.equal(audience.keptBytes, 0);
});

test("[LISTEN-3] a slow member is spared passing frames and told how things stand once it has caught up", () => {
  const { audience, hall, join, endTurn } = createHall();
  const slow = join();
  const fast = join();
  slow.peer.isReading = false;
  audience.publish("1");
  endTurn();
  audience.publishPassing("2a");
  audience.publish("2");
  endTurn();
  audience.publishPassing("3a");
  endTurn();
  assert.deepEqual(fast.texts(), ["1", "2a", "2", "3a"]);
  assert.deepEqual(slow.texts(), ["1"]);
  slow.peer.isReading = true;
  hall.present = ["now"];
  slow.outbox.drained();
  assert.deepEqual(slow.texts(), ["1", "2", "now"]);
  audience.publishPassing("4a");
  endTurn();
  assert.deepEqual(slow.texts(), ["1", "2", "now", "4a"]);
});
