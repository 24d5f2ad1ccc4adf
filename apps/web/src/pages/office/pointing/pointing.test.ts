import assert from "node:assert/strict";
import { test } from "node:test";
import { cozyOffice } from "@atrium/core";
import type { UserSignal } from "../../../app/server/send-signal.ts";
import { textsOf } from "../../../i18n/texts.ts";
import {
  boundsBetween,
  isOnFloor,
  MAX_PINGS,
  ontoFloor,
} from "../../../office/marks/floor-marks.ts";
import { figuresAt } from "../../../office/people/figures.ts";
import { EMPTY_STATE } from "../../../office/state/office-state.ts";
import { TestSource } from "../../../shell/testing/test-source.ts";
import { agent, project, task } from "../../../testing/snapshots.ts";
import { readPing, withPing } from "./pings.ts";
import { placeAt, placesOf } from "./places.ts";
import { createPointingStore } from "./pointing-store.ts";
import { distributeTasks, peopleIn, projectsOf, readZone, waitingTasks, zoneText } from "./zone.ts";

const signal = (more: object = {}) => ({
  id: "p1",
  type: "user.point",
  timestamp: 1,
  source: "atrium:web",
  payload: { position: { x: 1, y: -2 } },
  ...more,
});

function stage() {
  const source = new TestSource();
  const due: (() => void)[] = [];
  const told: UserSignal[] = [];
  const pointing = createPointingStore((each) => told.push(each), {
    open: () => source.asEventSource,
    later: (run) => void due.push(run),
  });
  pointing.listen();
  return { pointing, source, due, told };
}

test("[WEB-35] a ping is shown with who points, once, and goes away", () => {
  const { pointing, source, due } = stage();
  const metadata = { by: "Ada\u202E", target: "agent_bd" };
  source.tell(JSON.stringify(signal({ metadata })));
  source.tell(JSON.stringify(signal({ metadata })), "9.0");
  assert.deepEqual(pointing.store.getState().pings, [
    { id: "p1", spot: { x: 1, z: -2 }, by: "Ada", about: "agent_bd" },
  ]);
  for (const run of due.splice(0)) run();
  assert.deepEqual(pointing.store.getState().pings, []);
});

test("[WEB-35] who points anew points there alone, and only so many point at once", () => {
  const ping = (id: string, by?: string) => ({
    id,
    by,
    spot: { x: 0, z: 0 },
    about: undefined,
  });
  const both = withPing(withPing([ping("1", "Ada")], ping("2", "Bob")), ping("3", "Ada"));
  assert.deepEqual(
    both.map(({ id }) => id),
    ["2", "3"],
  );
  let many: ReturnType<typeof withPing> = [];
  for (let at = 0; at < 20; at++) many = withPing(many, ping(String(at)));
  assert.equal(many.length, MAX_PINGS);
  assert.equal(many.at(-1)?.id, "19");
});

test("[WEB-35] of other producers the source is the name; what has no place is no ping", () => {
  assert.equal(readPing(signal({ source: "robot" }))?.by, "robot");
  assert.equal(readPing(signal())?.by, undefined);
  assert.equal(readPing(signal({ payload: { position: { x: 0, y: 0 }, zone: "z" } }))?.about, "z");
  for (const payload of [{}, { position: null }, { position: { x: "1", y: 2 } }]) {
    assert.equal(readPing(signal({ payload })), undefined);
  }
  assert.equal(readPing(signal({ type: "user.click" })), undefined);
});

test("[WEB-35] pointing tells where, and at whom or what", () => {
  const { pointing, told } = stage();
  pointing.point({ x: 1, z: 2 }, { zone: "poi_lounge" });
  pointing.point({ x: 1, z: 2 }, { target: "agent_bd" });
  pointing.tellZone({ x: -1, z: 0, width: 2, depth: 3 }, "look");
  assert.deepEqual(told, [
    { type: "user.point", payload: { position: { x: 1, y: 2 }, zone: "poi_lounge" } },
    {
      type: "user.point",
      payload: { position: { x: 1, y: 2 } },
      metadata: { target: "agent_bd" },
    },
    { type: "user.zone", payload: { bounds: { x: -1, y: 0, w: 2, h: 3 }, intent: "look" } },
  ]);
});

test("[WEB-35] a zone lies between two corners on the floor, whichever came first, and stands in the address", () => {
  const { size } = cozyOffice;
  assert.ok(!isOnFloor({ x: 99, z: 0 }, size));
  assert.deepEqual(ontoFloor({ x: 99, z: -0.001 }, size), { x: 6, z: 0 });
  const bounds = boundsBetween({ x: 2, z: 1 }, { x: -1, z: -0.5 });
  assert.deepEqual(bounds, { x: -1, z: -0.5, width: 3, depth: 1.5 });
  assert.deepEqual(readZone(zoneText(bounds)), bounds);
  for (const text of ["", "1,2,3", "1,2,3,x", "1,2,-3,4", "1,2,3,4,5"]) {
    assert.equal(readZone(text), undefined, text);
  }
});

test("[WEB-35] every place of the scene is a zone with a name in every language, and holds its seats", () => {
  for (const language of ["en", "de"] as const) {
    const places = placesOf(cozyOffice, textsOf(language).places);
    assert.equal(new Set(places.map(({ name }) => name)).size, cozyOffice.pois.length);
    for (const { poi_id, seats } of cozyOffice.pois) {
      const bounds = places.find(({ poiId }) => poiId === poi_id)?.bounds;
      const seated = seats.map(({ pos }, at) => agent(`${at}`, { pos: [...pos] }));
      const figures = figuresAt(cozyOffice, { ...EMPTY_STATE, agents: seated }, 0);
      assert.ok(bounds !== undefined);
      assert.equal(peopleIn(bounds, figures).length, seats.length, poi_id);
    }
    assert.equal(placeAt(places, { x: 2, z: 2.25 })?.poiId, "poi_meeting_table");
    assert.equal(placeAt(places, { x: -0.5, z: 4.2 }), undefined);
  }
});

test("[WEB-35] what waits is dealt out to those with the least to do", () => {
  const tasks = [
    task("1"),
    task("2"),
    task("3"),
    task("4", { status: "in_progress", assignee: "agent_a" }),
    task("5", { status: "done", assignee: "agent_b" }),
  ];
  const waiting = waitingTasks(tasks).map(({ task_id }) => task_id);
  assert.deepEqual(waiting, ["task_1", "task_2", "task_3"]);
  assert.deepEqual(
    distributeTasks(waiting, ["agent_a", "agent_b"], tasks).map(({ agentId }) => agentId),
    ["agent_b", "agent_a", "agent_b"],
  );
  assert.deepEqual(distributeTasks(waiting, [], tasks), []);
});

test("[WEB-35] what can be paused is what they have at hand", () => {
  const tasks = [
    task("1", { assignee: "agent_a", status: "in_progress" }),
    task("2", { assignee: "agent_b", status: "in_progress", project_id: "proj_b" }),
    task("3", { assignee: "agent_a", status: "done", project_id: "proj_c" }),
  ];
  const projects = [project("a"), project("b"), project("c"), project("d", { status: "paused" })];
  const ids = projectsOf(new Set(["agent_a"]), tasks, projects).map(({ project_id }) => project_id);
  assert.deepEqual(ids, ["proj_a"]);
});
