import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import * as fc from "fast-check";
import { createDispatch } from "../engine/dispatch.ts";
import { openProjections } from "../engine/projection-runner.ts";
import { createOfficeView, type OfficeView } from "../projections/office-view.ts";
import { createTestTime } from "../testing/index.ts";
import { OFFICE_CHAT, officeChat } from "./chat.ts";
import { createOffice } from "./office.ts";
import { cozyOffice } from "./scenes/cozy-office-v0.ts";
import { AGENT_IDS, story } from "./testing/arbitrary.ts";
import {
  cozyFloor,
  CREATE,
  join,
  openOffice,
  OPENED_AT,
  sendTo,
} from "./testing/office-under-test.ts";

const answersOf = (view: OfficeView, time: number): unknown => ({
  isOpen: view.isOpen,
  agents: view.agents(),
  positions: view.positionsAt(time),
  player: view.playerAt(time),
  poses: AGENT_IDS.map((agentId) => view.poseAt(agentId, time, "working")),
  seating: [...view.seating()],
  decor: view.decor(),
  isAnythingMoving: view.isAnythingMoving(time),
  next: view.nextArrivalAfter(time),
});

test("[SIM-11] a saved and loaded view answers as the one that folded everything", () => {
  const times = fc.integer({ min: -10_000, max: 200_000 });
  fc.assert(
    fc.property(story, times, (commands, time) => {
      const office = openOffice();
      for (const command of commands) {
        if (office.refusalOf(command) === undefined) office.ask(command);
      }
      const loaded = createOfficeView(cozyFloor);
      loaded.load(JSON.parse(JSON.stringify(office.view.save())));
      assert.deepEqual(
        answersOf(loaded, OPENED_AT + time),
        answersOf(office.view, OPENED_AT + time),
      );
    }),
    { numRuns: 60 },
  );
  const empty = createOfficeView(cozyFloor);
  const loaded = createOfficeView(cozyFloor);
  loaded.load(JSON.parse(JSON.stringify(empty.save())));
  assert.deepEqual(answersOf(loaded, 0), answersOf(empty, 0));
  assert.deepEqual(
    [empty.isOpen, empty.playerAt(0), empty.isAnythingMoving(0)],
    [false, undefined, false],
  );
});

test("[SIM-11] behind dispatch and a log it folds its own scene and nothing else", async () => {
  await using log = openMemoryLog();
  const view = createOfficeView(cozyFloor);
  await using projections = await openProjections(log, [view]);
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: projections.settled });
  const office = createOffice([cozyFloor]);
  const sceneId = cozyOffice.scene_id;
  const say = { type: "say", messageId: "m1", from: "Ann", to: "everyone", text: "hi" } as const;
  await dispatch(officeChat, OFFICE_CHAT, say);
  assert.equal(view.isOpen, false);
  const commands = [CREATE, join("agent_a", "poi_desk_1"), sendTo("agent_a", "poi_coffee")];
  const outcomes = await Promise.all(commands.map((command) => dispatch(office, sceneId, command)));
  assert.ok(outcomes.every(({ ok }) => ok));
  await dispatch(office, "elsewhere", CREATE);
  await dispatch(office, "elsewhere", join("agent_b"));
  assert.deepEqual([...view.seating()], [["coffee_stand_1", "agent_a"]]);
  const again = createOfficeView(cozyFloor);
  for await (const entry of log.read({ after: 0 })) again.apply(entry);
  assert.deepEqual(answersOf(again, 3_000), answersOf(view, 3_000));
});

test("[SIM-11] it tells who has which seat, what moves, and who arrives next", () => {
  const office = openOffice();
  const { view } = office;
  office.ask(join("agent_a0", "poi_desk_1"));
  office.ask(join("agent_a1", "poi_desk_2"));
  assert.deepEqual(
    [view.isAnythingMoving(OPENED_AT), view.nextArrivalAfter(OPENED_AT)],
    [false, undefined],
  );
  office.ask(sendTo("agent_a0", "poi_meeting_table", 2_000));
  office.ask(sendTo("agent_a1", "poi_coffee", 2_000));
  office.ask({ type: "move-player", to: { pos: [4.4, 0, 3.4] }, at: 2_000 });
  assert.deepEqual(
    [...view.seating()],
    [
      ["meeting_table_1", "agent_a0"],
      ["coffee_stand_1", "agent_a1"],
    ],
  );
  const arrivals: number[] = [];
  for (
    let next = view.nextArrivalAfter(2_000);
    next !== undefined;
    next = view.nextArrivalAfter(next)
  ) {
    assert.equal(view.isAnythingMoving(next - 1), true);
    arrivals.push(next);
  }
  const last = arrivals.at(-1) ?? 0;
  assert.equal(arrivals.length, 3);
  assert.equal(view.isAnythingMoving(last), false);
  assert.equal(view.playerAt(last)?.hasArrived, true);
  assert.deepEqual(
    [view.poseAt("agent_a0", 2_500, "meeting"), view.poseAt("agent_a0", last, "meeting")],
    ["WalkingToPOI", "InMeeting"],
  );
  office.ask({
    type: "set-goal",
    agentId: "agent_a0",
    goal: { kind: "wait" },
    at: last,
    because: "evt_1",
  });
  assert.equal(view.poseAt("agent_a0", last, "meeting"), "InMeeting");
  assert.equal(view.poseAt("agent_nobody", last, "none"), undefined);
  office.ask(join("agent_a2"));
  assert.equal(view.poseAt("agent_a2", last, "none"), "IdleAtHome");
});
