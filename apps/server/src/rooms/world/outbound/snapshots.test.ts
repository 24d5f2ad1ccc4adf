import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestTime } from "@atrium/core/testing";
import { epochTag, snapshotId } from "../messages/snapshot-id.ts";
import type { SnapshotBody } from "../snapshots/snapshot.ts";
import { SnapshotPublisher } from "./snapshots.ts";

/** Someone who walks along x at a meter a second, until told otherwise. */
function createStage() {
  const hand = createTestTime(0);
  const state = { seq: 1, walksUntil: 0, mood: "calm", hasListeners: true, hz: 4 };
  const sent: { seq: number; x: number; mood: string }[] = [];
  let looks = 0;
  const x = (time: number): number => Math.min(time, state.walksUntil) / 1_000;
  const snapshots = new SnapshotPublisher({
    ...hand,
    hz: () => state.hz,
    epoch: "e",
    seq: () => state.seq,
    look(time) {
      looks += 1;
      return { x: x(time), mood: state.mood } as unknown as SnapshotBody;
    },
    isAnythingMoving: (time) => time < state.walksUntil,
    hasListeners: () => state.hasListeners,
    publish: (text) => void sent.push(JSON.parse(text).payload as (typeof sent)[number]),
  });
  return { hand, state, sent, snapshots, looks: () => looks };
}

test("[WORLD-4] while something moves, so many a second, the last one where it came to rest", () => {
  const { hand, state, sent, snapshots } = createStage();
  hand.advance(10_000);
  state.walksUntil = 11_100;
  snapshots.changed();
  hand.advance(60_000);
  assert.deepEqual(
    sent.map(({ x }) => x),
    [10.02, 10.27, 10.52, 10.77, 11.02, 11.1],
  );
});

test("[WORLD-4] [SET-20] how many a second may change while someone walks", () => {
  const { hand, state, sent, snapshots } = createStage();
  hand.advance(10_000);
  state.walksUntil = 60_000;
  snapshots.changed();
  hand.advance(1_000);
  state.hz = 1;
  hand.advance(5_000);
  assert.deepEqual(sent.map(({ x }) => x).slice(3), [10.77, 11.02, 12.02, 13.02, 14.02, 15.02]);
});

test("[WORLD-4] what changes together is shown together; a change that nobody sees is none", () => {
  const { hand, state, sent, snapshots } = createStage();
  hand.advance(10_000);
  for (const mood of ["a", "b", "c"]) {
    state.mood = mood;
    snapshots.changed();
  }
  hand.advance(60_000);
  assert.deepEqual(
    sent.map(({ mood }) => mood),
    ["c"],
  );
  state.seq += 1;
  snapshots.changed();
  hand.advance(60_000);
  assert.equal(sent.length, 1);
  assert.equal(hand.pending, 0);
});

test("[WORLD-4] without anyone who looks nothing is made; whoever comes is told how things stand", () => {
  const { hand, state, sent, snapshots } = createStage();
  state.hasListeners = false;
  state.mood = "late";
  snapshots.changed();
  hand.advance(60_000);
  assert.equal(sent.length, 0);
  assert.equal(hand.pending, 0);
  state.seq = 9;
  const { payload } = JSON.parse(snapshots.present()) as { payload: (typeof sent)[number] };
  assert.deepEqual([payload.seq, payload.mood], [9, "late"]);
  assert.equal(snapshots.present(), snapshots.present());
});

test("[WORLD-4] however long nothing has happened, a snapshot is dated when it is sent, and made only once", () => {
  const { hand, snapshots, looks } = createStage();
  const tag = epochTag("e");
  const read = () => JSON.parse(snapshots.present()) as { id: string; ts: number };
  hand.advance(1_000);
  assert.deepEqual([read().ts, read().id], [1_000, snapshotId({ tag, seq: 1 }, 1_000)]);
  hand.advance(75_000);
  assert.deepEqual([read().ts, read().id], [76_000, snapshotId({ tag, seq: 1 }, 76_000)]);
  assert.equal(looks(), 1);
});
