import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cellAt } from "./geometry/grid.ts";
import { directionOf, distance } from "./geometry/point.ts";
import { endOf } from "./goals.ts";
import type { OpenOffice, SetGoal } from "./office-events.ts";
import { cozyOffice } from "./scenes/cozy-office-v0.ts";
import { takePlaceNear } from "./seats.ts";
import { story } from "./testing/arbitrary.ts";
import { cozyFloor, join, openOffice, OPENED_AT, sendTo } from "./testing/office-under-test.ts";

const seatsOf = ({ agents }: OpenOffice): string[] =>
  [...agents.values()].flatMap(({ seatId }) => seatId ?? []);

test("[SIM-4] no two agents have one seat, or end on one spot on purpose", () => {
  fc.assert(
    fc.property(story, (commands) => {
      const office = openOffice();
      for (const command of commands) {
        const refusal = office.refusalOf(command);
        if (refusal !== undefined) {
          assert.equal(refusal, "agent.unknown");
          continue;
        }
        office.ask(command);
        const seats = seatsOf(office.state);
        assert.equal(new Set(seats).size, seats.length);
        // Whoever was told to wait stopped where they happened to be.
        const sent = [...office.state.agents.values()].filter(({ goal }) => goal?.kind !== "wait");
        const ends = sent.map(({ walk }) => String(endOf(walk.path)));
        assert.equal(new Set(ends).size, ends.length);
      }
    }),
    { numRuns: 200 },
  );
});

test("[SIM-4] the chair is for whoever is at home there, in whatever order they come", () => {
  const office = openOffice();
  office.ask(join("agent_visitor"));
  office.ask(join("agent_other", "poi_desk_2"));
  office.ask(sendTo("agent_visitor", "poi_desk_1"));
  office.ask(join("agent_owner", "poi_desk_1"));
  office.ask(sendTo("agent_other", "poi_desk_1"));
  const { agents } = office.state;
  assert.equal(agents.get("agent_visitor")?.seatId, "desk_1_visitor");
  assert.equal(agents.get("agent_owner")?.seatId, "desk_1_work");
  assert.equal(agents.get("agent_other")?.seatId, null);
  office.ask(sendTo("agent_other", "poi_desk_2"));
  assert.equal(office.state.agents.get("agent_other")?.seatId, "desk_2_work");
});

test("[SIM-4] when the seats are taken one stands near, apart from the others and off the seats", () => {
  const standingSeats = cozyOffice.pois
    .flatMap(({ seats }) => seats)
    .filter(({ pose }) => pose === "stand");
  for (const poiId of ["poi_meeting_table", "poi_coffee"]) {
    const office = openOffice();
    const poi = cozyFloor.poi(poiId);
    assert.ok(poi);
    const count = 20;
    for (let n = 0; n < count; n++) {
      office.ask(join(`agent_a${n}`));
      office.ask(sendTo(`agent_a${n}`, poiId));
    }
    assert.deepEqual(
      seatsOf(office.state),
      poi.seats.map(({ seat_id }) => seat_id),
    );
    const standing = [...office.state.agents.values()]
      .filter(({ seatId }) => seatId === null)
      .map(({ walk }) => endOf(walk.path));
    assert.equal(standing.length, count - poi.seats.length);
    for (const [at, spot] of standing.entries()) {
      assert.ok(distance(spot, poi.pos) < 4, `${distance(spot, poi.pos)} m away`);
      for (const other of standing.slice(at + 1)) assert.ok(distance(spot, other) >= 0.5);
      for (const { pos } of standingSeats) assert.ok(distance(spot, pos) >= 0.5);
    }
  }
});

test("[SIM-4] a seat that the player stands on is taken", () => {
  const office = openOffice();
  office.ask({ type: "move-player", to: { pos: [-5.1, 0, -1.1] }, at: OPENED_AT });
  office.ask(join("agent_a"));
  office.ask(sendTo("agent_a", "poi_coffee"));
  assert.deepEqual(seatsOf(office.state), ["coffee_stand_2"]);
});

test("[SIM-4] a full office is filled up cell by cell, then refuses", () => {
  const { centers, isOpen, scene } = cozyFloor;
  const open = centers.filter((_, cell) => isOpen[cell] === 1);
  const around = { around: [0, 0, 1], keepOff: 0 } as const;
  assert.equal(takePlaceNear(cozyFloor, around, [0, 0, 1], open), undefined);
  const [first, ...rest] = open;
  const place = takePlaceNear(cozyFloor, around, [0, 0, 1], rest);
  assert.ok(first);
  assert.deepEqual(place?.footing, {
    pos: first,
    cell: cellAt(scene.navigation, first),
    isOpen: true,
  });
  const office = openOffice();
  for (let n = 0; n < 600; n++) office.ask(join(`agent_a${n}`));
  const ends = [...office.state.agents.values()].map(({ walk }) => String(endOf(walk.path)));
  assert.equal(new Set(ends).size, 600);
  let joined = 600;
  while (office.refusalOf(join(`agent_a${joined}`)) === undefined) {
    office.ask(join(`agent_a${joined++}`));
  }
  assert.equal(office.refusalOf(join(`agent_a${joined}`)), "place.full");
  assert.equal(office.refusalOf(sendTo("agent_a0", "poi_entrance")), undefined);
});

test("[SIM-5] who comes to the player stands before them and looks at them", () => {
  const office = openOffice();
  const seek = (agentId: string): SetGoal => ({
    type: "set-goal",
    agentId,
    goal: { kind: "seek_decision", decisionId: "dec_a" },
    at: OPENED_AT,
    because: "evt_1",
  });
  office.ask({ type: "move-player", to: { pos: [4, 0, 0.5] }, at: OPENED_AT });
  for (let n = 0; n < 8; n++) office.ask(join(`agent_a${n}`, `poi_desk_${n + 1}`));
  for (let n = 0; n < 8; n++) office.ask(seek(`agent_a${n}`));
  const player = endOf(office.state.player.path);
  for (const { walk, seatId } of office.state.agents.values()) {
    const end = endOf(walk.path);
    assert.ok(distance(end, player) >= 0.75 && distance(end, player) <= 2, String(end));
    assert.deepEqual(walk.facing, directionOf(end, player));
    assert.equal(seatId, null);
  }
  // Seen elsewhere by their own word, the player is met there.
  office.ask({ ...seek("agent_a0"), playerPos: [-1, 0, 3] });
  const moved = office.state.agents.get("agent_a0");
  assert.ok(moved && distance(endOf(moved.walk.path), [-1, 0, 3]) <= 1.25);
});
