import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { accept, refuse } from "../engine/refusal.ts";
import { given } from "../testing/index.ts";
import { createFloor } from "./floor.ts";
import type { OfficeCommand, OfficeEvent, SetGoal } from "./office-events.ts";
import { createOffice } from "./office.ts";
import { cozyOffice } from "./scenes/cozy-office-v0.ts";
import { story } from "./testing/arbitrary.ts";
import {
  cozyFloor,
  CREATE,
  join,
  openOffice,
  OPENED_AT,
  sendTo,
  type OfficeUnderTest,
} from "./testing/office-under-test.ts";

const office = createOffice([cozyFloor]);
const created: OfficeEvent = {
  type: "office.created",
  sceneId: "cozy_office_v0",
  playerPos: [-0.625, 0, 2.625],
  playerFacing: [0, 0, -1],
  at: OPENED_AT,
};
/** In the chair at desk 1. */
const joined: OfficeEvent = {
  type: "agent.joined",
  agentId: "agent_a",
  homePoiId: "poi_desk_1",
  seatId: "desk_1_work",
  pos: [-4, 0, -3],
  facing: [0, 0, -1],
  at: OPENED_AT,
};
const unlocked: OfficeEvent = {
  type: "decor.unlocked",
  decorId: "trophy_cup",
  anchorId: "trophy_shelf_01",
  projectId: "proj_a",
};

const wait: SetGoal = {
  type: "set-goal",
  agentId: "agent_a",
  goal: { kind: "wait" },
  at: OPENED_AT,
  because: "evt_1",
};
const unlock: OfficeCommand = { type: "unlock-decor", decorId: "trophy_cup", projectId: "proj_a" };
const move: OfficeCommand = { type: "move-player", to: { pos: [0, 0, 0.5] }, at: OPENED_AT };
const waiting: OfficeEvent = {
  type: "agent.goal_set",
  agentId: "agent_a",
  goal: { kind: "wait" },
  seatId: "desk_1_work",
  path: [[-4, 0, -3]],
  facing: [0, 0, -1],
  speedMps: 1.2,
  arrivalRadius: 0.15,
  at: OPENED_AT,
  because: "evt_1",
};
const moved: OfficeEvent = {
  type: "player.goal_set",
  path: [
    [-0.625, 0, 2.625],
    [0, 0, 0.5],
  ],
  facing: [0.282, 0, -0.959],
  speedMps: 1.2,
  at: OPENED_AT,
};

/** Every command before the office is there, in the empty office, and with an agent and a trophy in it. */
const TABLE: readonly (readonly [OfficeCommand, ...ReturnType<typeof office.decide>[]])[] = [
  [CREATE, accept([created]), accept([]), accept([])],
  [join("agent_a", "poi_desk_1"), refuse("office.missing"), accept([joined]), accept([])],
  [
    { type: "leave", agentId: "agent_a" },
    refuse("office.missing"),
    accept([]),
    accept([{ type: "agent.left", agentId: "agent_a" }]),
  ],
  [wait, refuse("office.missing"), refuse("agent.unknown", "agent_a"), accept([waiting])],
  [move, refuse("office.missing"), accept([moved]), accept([moved])],
  [unlock, refuse("office.missing"), accept([unlocked]), accept([])],
];

test("[JOIN-2] whoever comes in to work at a desk starts at the entrance and takes its chair", () => {
  const come = { type: "join", agentId: "agent_x", homePoiId: "poi_desk_6", at: 5 } as const;
  const arrived = given(office, created).when({ ...come, isArriving: true });
  assert.ok(arrived.ok);
  const [event] = arrived.value;
  assert.ok(event?.type === "agent.joined");
  assert.equal(event.homePoiId, "poi_desk_6");
  assert.equal(cozyFloor.poiOfSeat(event.seatId ?? "")?.kind ?? "entrance", "entrance");
  const goal = { kind: "go_to_poi", poiId: "poi_desk_6" } as const;
  const sent = given(office, created, event).when({
    type: "set-goal",
    agentId: "agent_x",
    goal,
    at: 6,
    because: "test",
  });
  assert.ok(sent.ok && sent.value[0]?.type === "agent.goal_set");
  assert.equal(sent.value[0].seatId, "desk_6_work");
  const nowhere = { ...come, homePoiId: "poi_gone", isArriving: true } as const;
  assert.deepEqual(given(office, created).when(nowhere), refuse("poi.unknown", "poi_gone"));
});

test("[SIM-7] [SIM-8] [SIM-2] [SIM-9] every command, before and after", () => {
  for (const [command, absent, empty, lively] of TABLE) {
    assert.deepEqual(given(office).when(command), absent, command.type);
    assert.deepEqual(given(office, created).when(command), empty, command.type);
    assert.deepEqual(given(office, created, joined, unlocked).when(command), lively, command.type);
  }
});

test("[SIM-7] a scene that is not known is refused, also when it was known once", () => {
  assert.deepEqual(
    given(office).when({ ...CREATE, sceneId: "castle_v0" }),
    refuse("scene.unknown", "castle_v0"),
  );
  assert.deepEqual(
    given(createOffice([]), created).when(wait),
    refuse("scene.unknown", "cozy_office_v0"),
  );
  assert.deepEqual(given(office, joined, unlocked, waiting).state, { state: "absent" });
});

test("[SIM-8] visitors begin at the entrance, and who left leaves their seat to others", () => {
  const open = openOffice();
  const seats = ["agent_v1", "agent_v2"].map((agentId) => open.ask(join(agentId))[0]);
  assert.deepEqual(
    seats.map((event) => event?.type === "agent.joined" && [event.seatId, event.homePoiId]),
    [
      ["entrance_stand_1", null],
      ["entrance_stand_2", null],
    ],
  );
  open.ask({ type: "leave", agentId: "agent_v1" });
  const [third] = open.ask(join("agent_v3"));
  assert.ok(third?.type === "agent.joined");
  assert.equal(third.seatId, "entrance_stand_1");
  assert.equal(open.refusalOf(join("agent_v4", "poi_moon")), "poi.unknown");
  assert.deepEqual(open.state.agents.size, 2);
});

function deskWorker(): OfficeUnderTest {
  const open = openOffice();
  open.ask(join("agent_a", "poi_desk_1"));
  return open;
}

test("[SIM-7] a goal comes with its seat, path, speed, time and cause", () => {
  const open = deskWorker();
  const [set] = open.ask(sendTo("agent_a", "poi_meeting_table", 2_000));
  assert.ok(set?.type === "agent.goal_set");
  const { path, ...rest } = set;
  assert.deepEqual(rest, {
    type: "agent.goal_set",
    agentId: "agent_a",
    goal: { kind: "go_to_poi", poiId: "poi_meeting_table" },
    seatId: "meeting_table_1",
    facing: [0, 0, 1],
    speedMps: 1.2,
    arrivalRadius: 0.15,
    at: 2_000,
    because: "evt_agent_a",
  });
  assert.deepEqual(
    [path[0], path.at(-1)],
    [
      [-4, 0, -3],
      [2, 0, 1],
    ],
  );
  assert.equal(open.refusalOf(sendTo("agent_a", "poi_moon")), "poi.unknown");
  assert.equal(open.refusalOf(sendTo("agent_b", "poi_coffee")), "agent.unknown");
});

test("[SIM-7] a delivery goes to the shelf unless it names a place", () => {
  const open = deskWorker();
  const deliver = (poiId?: string): readonly OfficeEvent[] =>
    open.ask({
      ...wait,
      goal: {
        kind: "deliver_artifact",
        artifactId: "art_a",
        ...(poiId !== undefined && { poiId }),
      } as SetGoal["goal"],
    });
  const [toShelf] = deliver();
  assert.ok(toShelf?.type === "agent.goal_set");
  assert.deepEqual(toShelf.goal, {
    kind: "deliver_artifact",
    artifactId: "art_a",
    poiId: "poi_delivery_shelf",
  });
  assert.equal(toShelf.seatId, "delivery_shelf_stand_1");
  assert.deepEqual(deliver("poi_delivery_shelf"), []);
  assert.equal(deliver("poi_bd_desk").length, 1);
  const shelfless = createOffice([
    createFloor({
      ...cozyOffice,
      pois: cozyOffice.pois.filter(({ kind }) => kind !== "delivery_shelf"),
    }),
  ]);
  const outcome = given(shelfless, created, joined).when({
    ...wait,
    goal: { kind: "deliver_artifact", artifactId: "art_a" },
  });
  assert.equal(outcome.ok ? undefined : outcome.code, "poi.unknown");
});

test("[SIM-7] whoever waits stays, and keeps a seat only when they have reached it", () => {
  const open = deskWorker();
  open.ask(wait);
  assert.equal(open.state.agents.get("agent_a")?.seatId, "desk_1_work");
  open.ask(sendTo("agent_a", "poi_lounge", 2_000));
  const halfway = open.view.positionsAt(4_000)[0];
  open.ask({ ...wait, at: 4_000 });
  const { seatId, walk } = open.state.agents.get("agent_a") ?? {};
  assert.deepEqual([seatId, walk?.path, walk?.arrivesAt], [null, [halfway?.pos], 4_000]);
  assert.equal(open.view.isAnythingMoving(4_000), false);
});

test("[SIM-5] the goal an agent has is not set again", () => {
  const open = deskWorker();
  const goals: readonly SetGoal["goal"][] = [
    { kind: "go_to_poi", poiId: "poi_coffee" },
    { kind: "go_to_player" },
    { kind: "seek_decision", decisionId: "dec_a" },
    { kind: "seek_decision", decisionId: "dec_b" },
    { kind: "deliver_artifact", artifactId: "art_a" },
    { kind: "deliver_artifact", artifactId: "art_b" },
    { kind: "wait" },
    { kind: "go_to_poi", poiId: "poi_desk_1" },
    { kind: "go_to_poi", poiId: "poi_lounge" },
  ];
  for (const [at, goal] of goals.entries()) {
    const command = { ...wait, goal, at: OPENED_AT + at * 700 };
    assert.equal(open.ask(command).length, 1, JSON.stringify(goal));
    assert.deepEqual(open.ask({ ...command, at: command.at + 100, because: "evt_2" }), []);
  }
});

test("[SIM-5] going to the player is set again once they are out of earshot", () => {
  for (const goal of [
    { kind: "go_to_player" },
    { kind: "seek_decision", decisionId: "dec_a" },
  ] as const) {
    const open = deskWorker();
    const seek: SetGoal = { ...wait, goal };
    open.ask(seek);
    open.ask({ type: "move-player", to: { pos: [-0.6, 0, 2.4] }, at: OPENED_AT });
    assert.deepEqual(open.ask(seek), []);
    open.ask({ type: "move-player", to: { pos: [4.4, 0, 3.4] }, at: OPENED_AT });
    assert.equal(open.ask(seek).length, 1);
    assert.deepEqual(open.ask(seek), []);
  }
});

test("[SIM-2] the player goes where one can stand, and nowhere else", () => {
  const open = openOffice();
  for (const pos of [
    [2, 0, 2.25],
    [-3.625, 0, -3.5],
    [6.5, 0, 0],
    [0, 0, Number.NaN],
  ] as const) {
    const command = { type: "move-player", to: { pos }, at: OPENED_AT } as const;
    assert.equal(open.refusalOf(command), "place.unreachable", String(pos));
  }
  const toPoi = (poiId: string): OfficeCommand => ({
    type: "move-player",
    to: { poiId },
    at: 2_000,
  });
  assert.equal(open.refusalOf(toPoi("poi_moon")), "poi.unknown");
  const [went] = open.ask(toPoi("poi_bd_desk"));
  assert.ok(went?.type === "player.goal_set");
  assert.deepEqual(went.path[0], created.playerPos);
  assert.deepEqual(open.ask(move).length, 1);
  assert.deepEqual(open.ask(move), []);
});

test("[SIM-9] each project has one trophy, on the next free anchor, while there is one", () => {
  const open = openOffice();
  const anchors = cozyOffice.decor_anchors.map(({ anchor_id }) => anchor_id);
  const unlockFor = (n: number): OfficeCommand => ({
    type: "unlock-decor",
    decorId: "trophy_cup",
    projectId: `proj_p${n}`,
  });
  for (const n of anchors.keys()) open.ask(unlockFor(n));
  assert.deepEqual(
    open.state.decor.map(({ anchorId }) => anchorId),
    anchors,
  );
  assert.deepEqual(open.ask({ ...unlock, decorId: "trophy_plant", projectId: "proj_p3" }), []);
  assert.equal(open.refusalOf(unlockFor(99)), "decor.full");
});

test("[SIM-3] the same commands give the same events, every time", () => {
  const play = (commands: readonly OfficeCommand[]): readonly OfficeEvent[] => {
    const open = openOffice();
    for (const command of commands) {
      if (open.refusalOf(command) === undefined) open.ask(command);
    }
    return open.events;
  };
  fc.assert(
    fc.property(story, (commands) => {
      const events = play(commands);
      assert.deepEqual(play(structuredClone(commands)), events);
      // What rests in the log is what was decided, to the digit.
      assert.deepEqual(JSON.parse(JSON.stringify(events)), events);
    }),
    { numRuns: 60 },
  );
});
