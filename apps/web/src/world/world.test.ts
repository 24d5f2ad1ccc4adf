import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldClient } from "@atrium/client";
import { cozyOffice } from "@atrium/core";
import { createStore } from "zustand/vanilla";
import { figuresAt } from "../office/people/figures.ts";
import { agent, moment, snapshotWith } from "../testing/snapshots.ts";
import { foldProgress, indexAt, mergeBySeq, type Moment } from "./moments.ts";
import { createShownOffice } from "./shown-office.ts";
import { createTimeTravel, shownIndex, timeIn } from "./time-travel.ts";
import type { PastOffice } from "./world-http.ts";
import { createAgentOutputRecorder } from "./world-listener.ts";
import type { World } from "./world.ts";
import { EMPTY_VIEW } from "./world.ts";

const happened = [1, 2, 3, 4].map((seq) =>
  moment(seq, seq * 1_000, { name: "request_accepted", project_id: "proj_a" }),
);
const lookAt = (at: number, walks: PastOffice["walks"] = []): PastOffice => ({
  ...snapshotWith({ seq: Math.floor(at / 1_000) }),
  at,
  walks,
});

test("pages of the timeline and news are put together in order, and nothing comes twice", () => {
  const seqs = (...all: number[]) => all.map((seq) => ({ seq }));
  assert.deepEqual(mergeBySeq(seqs(1, 2), seqs(3)), seqs(1, 2, 3));
  assert.deepEqual(mergeBySeq(seqs(2, 4), seqs(1, 2, 3)), seqs(1, 2, 3, 4));
  assert.deepEqual(mergeBySeq([], seqs(1)), seqs(1));
  assert.deepEqual(
    [0, 1_000, 2_500, 9_999].map((time) => indexAt(happened, time)),
    [-1, 0, 1, 3],
  );
});

test("[WEB-31] of what an agent tells of a task without a pause in it, the timeline keeps the newest", () => {
  const about = { project_id: "proj_a", agent_id: "agent_eng" };
  const progress = (seq: number, task_id: string): Moment =>
    moment(seq, seq, { name: "task_progress", ...about, task_id, kind: "tool", preview_text: "x" });
  const asked = { name: "task_blocked", ...about, task_id: "task_a", decision_id: "d" } as const;
  const moments = [
    moment(1, 1, { name: "request_accepted", project_id: "proj_a" }),
    progress(2, "task_a"),
    progress(3, "task_b"),
    progress(4, "task_a"),
    moment(5, 5, asked),
    progress(6, "task_b"),
    progress(7, "task_a"),
  ];
  assert.deepEqual(
    foldProgress(moments).map(({ seq }) => seq),
    [1, 4, 5, 6, 7],
  );
});

/** A clock and timers that move when they are told to. */
function stage(walks: PastOffice["walks"] = []) {
  let time = 100_000;
  const due: (() => void)[] = [];
  const reads: number[] = [];
  const travel = createTimeTravel({
    readAt: async (when) => {
      const at = "seq" in when ? when.seq * 1_000 : when.time;
      reads.push(at);
      return lookAt(at, walks);
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

test("[WEB-33] going back shows that moment and stands still; only the last place asked for is gone to", async () => {
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

test("[WEB-33] played on, the clock runs at its speed, moments follow, and the end is live again", async () => {
  const { travel, pass, now, reads } = stage();
  await travel.goTo(1);
  travel.play(5);
  await pass(300);
  const at = (): number => {
    const { past } = travel.store.getState();
    return past === null ? NaN : timeIn(past, now());
  };
  assert.equal(at(), 2_500);
  assert.deepEqual(reads, [1_000, 2_500]);
  travel.pause();
  assert.equal(travel.store.getState().past?.look.seq, 2);
  await pass(700);
  assert.equal(at(), 2_500, "where it was stopped, not where the last entry was");
  travel.play(60);
  await pass(300);
  assert.equal(travel.store.getState().past, null);
});

test("[WEB-33] what is shown is the past while one is there, whatever happens meanwhile, and then the present", async () => {
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

test("[WEB-33] who walks in the past is on the way at every instant of it, at any speed, and no instant is asked for twice", async () => {
  const path: [number, number, number][] = [
    [0, 0, 0],
    [4, 0, 0],
  ];
  // Begins after the moment one goes to, and before the next.
  const walk = { agent_id: "agent_eng_1", path, speed_mps: 2, started_at: 1_200 };
  for (const [speed, passes] of [
    [1, [300, 300]],
    [20, [15, 15]],
  ] as const) {
    const { travel, pass, reads, now } = stage([walk]);
    const store = createStore(() => EMPTY_VIEW);
    const world: World = {
      store,
      connect: () => undefined,
      act: async () => undefined,
      loadEarlier: async () => undefined,
    };
    const shown = createShownOffice(world, travel);
    await travel.goTo(1);
    travel.play(speed);
    const places: number[] = [];
    for (const ms of passes) {
      await pass(ms);
      const { office, past } = shown.getState();
      assert.ok(past !== null);
      const agents = [agent("eng_1", { pos: [0, 0, 0] })];
      const [figure] = figuresAt(cozyOffice, { ...office, agents }, timeIn(past, now()));
      assert.equal(figure?.posture, "walk");
      places.push(figure.whereabouts.pos[0]);
    }
    assert.deepEqual(
      places.map((place) => Math.round(place * 1_000) / 1_000),
      [0.2, 0.8],
    );
    assert.deepEqual(reads, [1_000]);
  }
});

test("[WEB-33] whoever has got to the end of a walk is looked at again there, also between two events", async () => {
  const path: [number, number, number][] = [
    [0, 0, 0],
    [1, 0, 0],
  ];
  const walk = { agent_id: "agent_eng_1", path, speed_mps: 2, started_at: 1_000 };
  const { travel, pass, reads } = stage([walk]);
  await travel.goTo(1);
  travel.play(1);
  await pass(300);
  assert.deepEqual(reads, [1_000]);
  await pass(300);
  assert.deepEqual(reads, [1_000, 1_600]);
});

test("[WEB-33] of what shares a millisecond, what came after the moment one went to has not happened; played on, it has", async () => {
  const together = [1, 2, 3].map((seq) => ({ ...happened[0], seq, at: 1_000 }) as Moment);
  const { travel, pass, now } = stage();
  assert.equal(shownIndex(together, null, now()), 2);
  await travel.goTo(1);
  const index = (): number => shownIndex(together, travel.store.getState().past, now());
  assert.equal(index(), 0);
  travel.play(1);
  await pass(10);
  assert.equal(index(), 2);
  travel.pause();
  assert.equal(index(), 2);
});

test("[WEB-20] the clock is read from whatever was on its way for the shortest time, not from what was made long ago", () => {
  const told = new Map<string, (message: { readonly ts: number }) => void>();
  const client = {
    snapshot: snapshotWith(),
    goals: new Map(),
    on: (type: string, hear: (message: { readonly ts: number }) => void) => told.set(type, hear),
  } as unknown as WorldClient;
  const store = createStore(() => EMPTY_VIEW);
  const due: (() => void)[] = [];
  createAgentOutputRecorder(
    {
      client,
      now: () => 100_000,
      later: (run) => void due.push(run),
      readBefore: async () => null,
    },
    store,
  );
  told.get("hello_ack")?.({ ts: 99_990 });
  told.get("snapshot")?.({ ts: 30_000 });
  for (const run of due) run();
  assert.equal(store.getState().clockLagMs, 10);
});
