import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldAgent } from "@atrium/wire/world";
import * as fc from "fast-check";
import type { AgentGoal } from "../state/office-state.ts";
import { corrected, correctionFrom, isSettled } from "./correction.ts";
import { jointsOf } from "./joints.ts";
import { shortestTurn, whereabouts } from "./walk.ts";

const STARTED = 10_000;
const goal: AgentGoal = {
  seq: 1,
  agent_id: "agent_a",
  goal: { kind: "go_to_poi", poi_id: "poi_desk_1" },
  path: [
    [0, 0, 0],
    [2, 0, 0],
    [2, 0, 1],
  ],
  speed_mps: 1,
  arrival_radius: 0.15,
  started_at: STARTED,
};
const agentAt = (x: number, z: number): WorldAgent => ({
  agent_id: "agent_a",
  name: "A",
  role: "engineer",
  pos: [x, 0, z],
  facing: [0, 0, -1],
  state: "WalkingToPOI",
});

const before = STARTED - 1;

test("[WEB-10] an agent is where its path, its speed and the time say", () => {
  const at = (ms: number) => whereabouts(agentAt(9, 9), goal, before, STARTED + ms);
  assert.deepEqual(at(0).pos, [0, 0, 0]);
  assert.deepEqual(at(500).pos, [0.5, 0, 0]);
  assert.deepEqual(at(2500).pos, [2, 0, 0.5]);
  assert.equal(at(500).heading, Math.PI / 2);
  assert.equal(at(2500).isWalking, true);
  assert.deepEqual([at(3000).pos, at(3000).isWalking], [[2, 0, 1], false]);
  assert.deepEqual(at(99_000).pos, [2, 0, 1]);
});

test("[WEB-10] once there, it looks where the snapshot says", () => {
  assert.equal(Math.abs(whereabouts(agentAt(2, 1), goal, before, STARTED + 5000).heading), Math.PI);
});

test("[WEB-10] without a goal an agent is where the snapshot has it", () => {
  const { pos, isWalking } = whereabouts(agentAt(3, -2), undefined, STARTED, STARTED + 900);
  assert.deepEqual([pos, isWalking], [[3, 0, -2], false]);
});

test("[WEB-10] positions are continuous: no step is longer than the speed allows", () => {
  const time = fc.integer({ min: -500, max: 4_000 });
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 200 }), (from, later) => {
      const [one, two] = [from, from + later].map(
        (ms) => whereabouts(agentAt(9, 9), goal, before, STARTED + ms).pos,
      );
      const step = Math.hypot(two![0] - one![0], two![2] - one![2]);
      assert.ok(step <= (later / 1000) * goal.speed_mps + 1e-9);
    }),
  );
});

test("[WEB-10] a snapshot that differs a little is followed beside the path", () => {
  const { pos, isWalking } = whereabouts(agentAt(1.25, 0.5), goal, STARTED + 1000, STARTED + 1500);
  assert.deepEqual([pos, isWalking], [[1.75, 0, 0.5], true]);
});

test("[WEB-10] a snapshot that differs a lot is believed alone", () => {
  const { pos, isWalking } = whereabouts(agentAt(-4, 3), goal, STARTED + 1000, STARTED + 1500);
  assert.deepEqual([pos, isWalking], [[-4, 0, 3], false]);
});

test("[WEB-10] news that moves an agent a little makes it glide, from where it was to where it is", () => {
  const shown = whereabouts(agentAt(1, 0), undefined, 0, 0);
  const truth = whereabouts(agentAt(1.6, 0.3), undefined, 0, 0);
  const correction = correctionFrom(shown, truth, 1000);
  assert.ok(correction !== undefined);
  assert.deepEqual(corrected(truth, correction, 1000).pos, shown.pos);
  const [halfway] = corrected(truth, correction, 1225).pos;
  assert.ok(halfway > 1.01 && halfway < 1.59);
  assert.deepEqual(corrected(truth, correction, 1450).pos, truth.pos);
  assert.ok(isSettled(correction, 1450));
});

test("[WEB-10] news that moves an agent far, or a clock that went back, shows the truth at once", () => {
  const shown = whereabouts(agentAt(-5, 0), undefined, 0, 0);
  const truth = whereabouts(agentAt(5, 0), undefined, 0, 0);
  assert.equal(correctionFrom(shown, truth, 1000), undefined);
  const small = correctionFrom(whereabouts(agentAt(5.5, 0), undefined, 0, 0), truth, 1000);
  assert.deepEqual(corrected(truth, small, 900).pos, truth.pos);
});

test("[WEB-10] turning takes the shorter way round", () => {
  assert.ok(Math.abs(shortestTurn(3, -3) - (2 * Math.PI - 6)) < 1e-9);
  fc.assert(
    fc.property(
      fc.double({ min: -9, max: 9, noNaN: true }),
      fc.double({ min: -9, max: 9, noNaN: true }),
      (from, to) => {
        assert.ok(Math.abs(shortestTurn(from, to)) <= Math.PI + 1e-9);
      },
    ),
  );
});

test("legs move with the way walked, not with time, so that feet do not slide", () => {
  assert.deepEqual(jointsOf("walk", 1, 0.4), jointsOf("walk", 77, 0.4));
  assert.notDeepEqual(jointsOf("walk", 1, 0.4), jointsOf("walk", 1, 0.55));
  const { leftLeg, rightLeg } = jointsOf("walk", 0, 0.2);
  assert.equal(leftLeg.pitch, -rightLeg.pitch);
});
