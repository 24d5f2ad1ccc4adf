import assert from "node:assert/strict";
import { test } from "node:test";
import type { Snapshot, WorldStatus } from "@atrium/client";
import { agent, snapshotWith } from "../testing/snapshots.ts";
import { createViewerPlace } from "./viewer-place.ts";

function openStage() {
  const state: { status: WorldStatus; snapshot: Snapshot | null; shown: string | undefined } = {
    status: { state: "connecting" },
    snapshot: null,
    shown: undefined,
  };
  const told: unknown[] = [];
  const due: (() => void)[] = [];
  const update = createViewerPlace({
    world: () => state,
    act: async ({ name, data }) => void told.push([name, "pos" in data ? data.pos : null]),
    shown: () => state.shown,
    later: (run) => void due.push(run),
  });
  const pass = (): void => {
    for (const run of due.splice(0)) run();
  };
  return { state, told, due, update, pass };
}

test("a page tells where its viewer is on entering, beside what they look at, and only when it changed", () => {
  const { state, told, due, update, pass } = openStage();
  update();
  assert.deepEqual([told, due.length], [[], 0]);
  const eng = agent("eng_1", { pos: [3, 0, 2] });
  state.snapshot = snapshotWith({ agents: [eng], player: { pos: [0, 0, 4], facing: [0, 0, 1] } });
  state.status = { state: "connected" };
  update();
  assert.deepEqual(told, [["player_pos", [0, 0, 4]]]);
  // Moving about quickly is told once, when it is over.
  state.shown = "agent:agent_eng_1";
  update();
  update();
  assert.equal(told.length, 1);
  pass();
  assert.deepEqual(told.at(-1), ["player_pos", [3, 0, 2]]);
  pass();
  state.snapshot = snapshotWith({ agents: [{ ...eng, pos: [3.4, 0, 2] }] });
  update();
  assert.deepEqual([told.length, due.length], [2, 0]);
  state.shown = "agent:__proto__";
  update();
  assert.deepEqual(told.at(-1), ["player_pos", [0, 0, 4]]);
  pass();
  state.status = { state: "stale", retries: 1, delayMs: null, reason: "" };
  update();
  state.status = { state: "connected" };
  update();
  assert.deepEqual([told.length, told.at(-1)], [4, ["player_pos", [0, 0, 4]]]);
});
