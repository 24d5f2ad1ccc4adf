import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { directionOf, distance } from "./geometry/point.ts";
import { isUnderWay, startWalk, WALKING_SPEED_MPS, whereaboutsAt, type Walk } from "./motion.ts";
import { findPath } from "./paths.ts";
import { anyPlace } from "./testing/arbitrary.ts";
import { cozyFloor, join, openOffice, OPENED_AT, sendTo } from "./testing/office-under-test.ts";

const around: Walk = startWalk({
  path: [
    [0, 0, 0],
    [3, 0, 0],
    [3, 0, 3],
  ],
  speedMps: 1.2,
  at: 10_000,
  facing: [0, 0, -1],
});

test("[SIM-6] where one is follows from the path, the speed and the time", () => {
  assert.equal(around.arrivesAt, 15_000);
  const seen = [0, 10_000, 11_000, 12_500, 13_000, 14_999, 15_000, 99_000].map((time) => {
    const { pos, hasArrived } = whereaboutsAt(around, time);
    return [pos, hasArrived, isUnderWay(around, time)];
  });
  assert.deepEqual(seen, [
    [[0, 0, 0], false, false],
    [[0, 0, 0], false, true],
    [[1.2, 0, 0], false, true],
    [[3, 0, 0], false, true],
    [[3, 0, 0.6], false, true],
    [[3, 0, 2.999], false, true],
    [[3, 0, 3], true, false],
    [[3, 0, 3], true, false],
  ]);
  const still = startWalk({ path: [[1, 0, 1]], speedMps: 1.2, at: 500, facing: [1, 0, 0] });
  assert.equal(still.arrivesAt, 500);
  assert.deepEqual(whereaboutsAt(still, 0).pos, [1, 0, 1]);
});

const walks = fc
  .tuple(anyPlace, anyPlace, fc.integer({ min: 0, max: 1e6 }))
  .map(([from, to, at]) => {
    const footing = cozyFloor.footing(to, from);
    const path = footing && findPath(cozyFloor, from, footing);
    assert.ok(path);
    return startWalk({ path, speedMps: WALKING_SPEED_MPS, at, facing: [1, 0, 0] });
  });

test("[SIM-6] every walk is continuous, no faster than its speed, and arrives", () => {
  fc.assert(
    fc.property(walks, fc.integer({ min: 1, max: 400 }), (walk, stepMs) => {
      const slack = 0.002;
      let before = whereaboutsAt(walk, walk.at).pos;
      assert.deepEqual(before, walk.path[0]);
      for (let time = walk.at; time < walk.arrivesAt + stepMs; time += stepMs) {
        const { pos, hasArrived } = whereaboutsAt(walk, time);
        assert.ok(distance(before, pos) <= (WALKING_SPEED_MPS * stepMs) / 1000 + slack);
        assert.equal(hasArrived, time >= walk.arrivesAt);
        before = pos;
      }
      assert.deepEqual(whereaboutsAt(walk, walk.arrivesAt).pos, walk.path.at(-1));
      const length = walk.milestones.at(-1) ?? 0;
      assert.ok(Math.abs(walk.arrivesAt - walk.at - (length / WALKING_SPEED_MPS) * 1000) <= 1);
    }),
  );
});

test("[SIM-6] a new goal starts from where the agent is by then, never before the old one began", () => {
  const office = openOffice();
  office.ask(join("agent_a"));
  office.ask(sendTo("agent_a", "poi_delivery_shelf", 5_000));
  const walking = office.view.agent("agent_a");
  assert.ok(walking);
  for (const [poiId, at] of [
    ["poi_desk_8", 7_345],
    ["poi_lounge", 8_001],
    ["poi_coffee", 8_002],
  ] as const) {
    const before = office.view.positionsAt(at)[0]?.pos;
    const [set] = office.ask(sendTo("agent_a", poiId, at));
    assert.ok(set?.type === "agent.goal_set");
    assert.deepEqual([set.path[0], set.at], [before, at]);
    assert.deepEqual(office.view.positionsAt(at)[0]?.pos, before);
  }
  const [early] = office.ask(sendTo("agent_a", "poi_desk_8", OPENED_AT));
  assert.ok(early?.type === "agent.goal_set");
  assert.equal(early.at, 8_002);
  const move = (x: number, at: number): void =>
    void office.ask({ type: "move-player", to: { pos: [x, 0, 0.5] }, at });
  move(3, 5_000);
  move(0, 4_000);
  assert.equal(office.state.player.at, 5_000);
});

test("[SIM-6] wherever and whenever an agent is sent elsewhere, it does not jump", () => {
  const pois = cozyFloor.scene.pois.map(({ poi_id }) => poi_id);
  const goals = fc.array(
    fc.record({ poiId: fc.constantFrom(...pois), afterMs: fc.integer({ min: 0, max: 8_000 }) }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(goals, (sent) => {
      const office = openOffice();
      office.ask(join("agent_a", "poi_desk_3"));
      let at = OPENED_AT;
      for (const { poiId, afterMs } of sent) {
        at += afterMs;
        const before = office.view.positionsAt(at)[0];
        office.ask(sendTo("agent_a", poiId, at));
        const after = office.view.positionsAt(at)[0];
        assert.deepEqual(after?.pos, before?.pos);
      }
    }),
  );
});

/** To the millimeter. */
const ASLANT = Math.round(Math.SQRT1_2 * 1000) / 1000;

test("[SIM-6] one looks ahead while walking, and as the place says once there", () => {
  assert.deepEqual(whereaboutsAt(around, 11_000).facing, [1, 0, 0]);
  assert.deepEqual(whereaboutsAt(around, 14_000).facing, [0, 0, 1]);
  assert.deepEqual(whereaboutsAt(around, 15_000).facing, [0, 0, -1]);
  assert.deepEqual(directionOf([0, 0, 0], [1, 0, -1]), [ASLANT, 0, -ASLANT]);
  assert.equal(directionOf([1, 0, 1], [1, 0, 1]), undefined);
});
