import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BUILT_IN_CREW,
  cozyOffice,
  createActivities,
  createApprovals,
  createBuilds,
  createDispatch,
  createFloor,
  createOffice,
  createOfficeView,
  createProjects,
  createQuestions,
  createVisitors,
  project,
} from "@atrium/core";
import { openMemoryLog } from "@atrium/log";
import { lookAt } from "./snapshot.ts";
import { createTimeMachine } from "./time-machine.ts";

const SCENE = cozyOffice.scene_id;

test("[WORLD-40] the state at a seq is the same however it is reached: from the start, by checkpoints, live", async () => {
  await using log = openMemoryLog();
  const floor = createFloor(cozyOffice);
  const office = createOffice([floor]);
  let now = 1_000;
  const dispatch = createDispatch({ log, clock: { now: () => now }, settled: () => undefined });
  await dispatch(office, SCENE, { type: "create", sceneId: SCENE, at: now });
  const places = ["poi_bd_desk", "poi_lounge", "poi_coffee", "poi_task_board"];
  const by = { id: "x", name: "tester", via: "test" };
  for (let n = 0; n < 2_400; n++) {
    now += 700;
    const poiId = places[n % places.length] ?? "";
    await dispatch(office, SCENE, { type: "move-player", to: { poiId }, at: now });
    if (n % 100 !== 0) continue;
    const projectId = `proj_p${n}`;
    const request = { title: "t", text: "t", constraints: {}, attachments: [], by };
    await dispatch(project, projectId, { type: "submit", projectId, ...request, at: now });
  }
  const crew = BUILT_IN_CREW.map((member) => ({
    ...member,
    runtime: "rehearsal",
    isRehearsal: true,
  }));
  const scenery = {
    sceneId: SCENE,
    usageOf: () => undefined,
    crew,
    projects: createProjects(),
    view: createOfficeView(floor),
    activities: createActivities(),
    visitors: createVisitors(),
    approvals: createApprovals(),
    questions: createQuestions(),
    builds: createBuilds(),
  };
  const used = createTimeMachine({ log, floor, scenery });
  await used.goTo(log.head);
  const live = { ...scenery, projects: createProjects(), view: createOfficeView(floor) };
  let folded = 0;
  for (const seq of [1, 7, 999, 1_000, 1_001, 1_600, log.head]) {
    const then = await used.goTo(seq);
    assert.deepEqual(then, await createTimeMachine({ log, floor, scenery }).goTo(seq));
    for await (const entry of log.read({ after: folded, before: seq + 1 })) {
      live.projects.apply(entry);
      live.view.apply(entry);
      folded = entry.seq;
    }
    assert.deepEqual(then.look, lookAt(live, then.at));
  }
  assert.equal((await used.goTo(999_999)).seq, log.head);
});
