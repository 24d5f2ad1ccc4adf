import assert from "node:assert/strict";
import { test } from "node:test";
import { createStore } from "zustand/vanilla";
import { moment, snapshotWith } from "../testing/snapshots.ts";
import { indexAt, mergeBySeq } from "./moments.ts";
import { createShownOffice } from "./shown-office.ts";
import { createTimeTravel, timeIn } from "./time-travel.ts";
import type { Then } from "./world-http.ts";
import type { World } from "./world.ts";
import { EMPTY_VIEW } from "./world.ts";

const happened = [1, 2, 3, 4].map((seq) =>
  moment(seq, seq * 1_000, { name: "request_accepted", project_id: "proj_a" }),
);
const lookAt = (seq: number): Then => ({ ...snapshotWith({ seq }), at: seq * 1_000 });

test("[WEB-69] pages of the timeline and news are put together in order, and nothing comes twice", () => {
  const seqs = (...all: number[]) => all.map((seq) => ({ seq }));
  assert.deepEqual(mergeBySeq(seqs(1, 2), seqs(3)), seqs(1, 2, 3));
  assert.deepEqual(mergeBySeq(seqs(2, 4), seqs(1, 2, 3)), seqs(1, 2, 3, 4));
  assert.deepEqual(mergeBySeq([], seqs(1)), seqs(1));
  assert.deepEqual(
    [0, 1_000, 2_500, 9_999].map((time) => indexAt(happened, time)),
    [-1, 0, 1, 3],
  );
});

/** A clock and timers that move when they are told to. */
function stage() {
  let time = 100_000;
  const due: (() => void)[] = [];
  const reads: number[] = [];
  const travel = createTimeTravel({
    readAt: async (seq) => {
      reads.push(seq);
      return lookAt(seq);
    },
    moments: () => happened,
    now: () => time,
    later: (run) => void due.push(run),
  });
  const pass = async (ms: number): Promise<void> => {
    time += ms;
    for (const run of due.splice(0)) run();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { travel, reads, pass, now: () => time };
}

test("[WEB-75] going back shows that moment and stands still; only the last place asked for is gone to", async () => {
  const { travel, pass, now } = stage();
  await Promise.all([travel.goTo(1), travel.goTo(2)]);
  const { past } = travel.store.getState();
  assert.equal(past?.look.seq, 2);
  await pass(5_000);
  assert.equal(past && timeIn(past, now()), 2_000);
  const late = travel.goTo(1);
  travel.returnToLive();
  await late;
  assert.equal(travel.store.getState().past, null);
});

test("[WEB-75] played on, the clock runs at its speed, moments follow, and the end is live again", async () => {
  const { travel, pass, now, reads } = stage();
  await travel.goTo(1);
  travel.play(5);
  await pass(300);
  const at = (): number => {
    const { past } = travel.store.getState();
    return past === null ? NaN : timeIn(past, now());
  };
  assert.equal(at(), 2_500);
  assert.deepEqual(reads, [1, 2]);
  travel.pause();
  assert.equal(travel.store.getState().past?.look.seq, 2);
  travel.play(60);
  await pass(300);
  assert.equal(travel.store.getState().past, null);
});

test("[WEB-75] what is shown is the past while one is there, whatever happens meanwhile, and then the present", async () => {
  const { travel } = stage();
  const store = createStore(() => ({ ...EMPTY_VIEW, snapshot: snapshotWith({ seq: 9 }) }));
  const world: World = {
    store,
    connect: () => undefined,
    act: async () => undefined,
    loadEarlier: async () => undefined,
  };
  const shown = createShownOffice(world, travel);
  await travel.goTo(3);
  store.setState({ snapshot: snapshotWith({ seq: 10 }) });
  assert.equal(shown.getState().snapshot?.seq, 3);
  travel.returnToLive();
  assert.equal(shown.getState().snapshot?.seq, 10);
});
