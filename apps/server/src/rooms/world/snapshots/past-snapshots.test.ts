import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BUILT_IN_CREW,
  cozyOffice,
  createActivities,
  createApprovals,
  createBuilds,
  createJoinedSessions,
  createDispatch,
  createFloor,
  createOffice,
  createOfficeView,
  createProjects,
  createQuestions,
  createVisitors,
  project,
  startWalk,
  whereaboutsAt,
  type Floor,
} from "@atrium/core";
import { openMemoryLog } from "@atrium/log";
import { createPastSnapshots } from "./past-snapshots.ts";
import { snapshotAt, type SnapshotSources } from "./snapshot.ts";

const SCENE = cozyOffice.scene_id;

function sceneryOn(floor: Floor): SnapshotSources {
  return {
    sceneId: SCENE,
    usageOf: () => undefined,
    crew: BUILT_IN_CREW.map((member) => ({ ...member, runtime: "rehearsal", isRehearsal: true })),
    projects: createProjects(),
    view: createOfficeView(floor),
    activities: createActivities(),
    visitors: createVisitors(),
    joinedSessions: createJoinedSessions(),
    liveSession: () => undefined,
    takesTasks: () => false,
    terminalOf: () => undefined,
    approvals: createApprovals(),
    questions: createQuestions(),
    builds: createBuilds(),
  };
}

test("[WORLD-20] the state at a seq is the same however it is reached: from the start, by checkpoints, live", async () => {
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
  const scenery = sceneryOn(floor);
  const used = createPastSnapshots({ log, floor, scenery });
  await used.goTo({ seq: log.head });
  const live = { ...scenery, projects: createProjects(), view: createOfficeView(floor) };
  let folded = 0;
  for (const seq of [1, 7, 999, 1_000, 1_001, 1_600, log.head]) {
    const then = await used.goTo({ seq });
    assert.deepEqual(then, await createPastSnapshots({ log, floor, scenery }).goTo({ seq }));
    for await (const entry of log.read({ after: folded, before: seq + 1 })) {
      live.projects.apply(entry);
      live.view.apply(entry);
      folded = entry.seq;
    }
    assert.deepEqual(then.look, snapshotAt(live, then.at));
  }
  assert.equal((await used.goTo({ seq: 999_999 })).seq, log.head);
});

test("[WORLD-20] at two instants of a walk one is at two points of its path, and walks that begin soon are told ahead", async () => {
  await using log = openMemoryLog();
  const floor = createFloor(cozyOffice);
  const office = createOffice([floor]);
  let now = 1_000;
  const dispatch = createDispatch({ log, clock: { now: () => now }, settled: () => undefined });
  await dispatch(office, SCENE, { type: "create", sceneId: SCENE, at: now });
  await dispatch(office, SCENE, {
    type: "join",
    agentId: "agent_eng_1",
    homePoiId: "poi_desk_1",
    at: now,
  });
  const walkTo = async (poiId: string): Promise<void> => {
    const goal = { kind: "go_to_poi", poiId } as const;
    const command = { agentId: "agent_eng_1", goal, at: now, because: "test" };
    await dispatch(office, SCENE, { type: "set-goal", ...command });
  };
  now = 10_000;
  await walkTo("poi_lounge");
  now = 60_000;
  await walkTo("poi_task_board");
  const machine = createPastSnapshots({ log, floor, scenery: sceneryOn(floor) });

  const standing = await machine.goTo({ seq: log.head, time: 9_000 });
  assert.deepEqual([standing.at, standing.walks], [9_000, []]);
  const looks = await Promise.all(
    [11_000, 12_000].map((time) => machine.goTo({ seq: log.head, time })),
  );
  const places = looks.map(({ look }) => look.agents[0]?.pos);
  assert.notDeepEqual(places[0], places[1]);
  for (const [at, { walks, at: time }] of looks.entries()) {
    const [walk] = walks;
    assert.ok(walk !== undefined && walks.length === 1);
    const { path, speed_mps: speedMps, started_at } = walk;
    const facing = [0, 0, 1] as const;
    assert.deepEqual(
      whereaboutsAt(startWalk({ path, speedMps, at: started_at, facing }), time).pos,
      places[at],
    );
  }
  const ahead = await machine.goTo({ seq: log.head, time: 9_000, aheadMs: 55_000 });
  assert.deepEqual(
    ahead.walks.map(({ started_at }) => started_at),
    [10_000, 60_000],
  );
  assert.deepEqual(ahead.look, standing.look);
  assert.equal(
    (await machine.goTo({ seq: log.head, time: 9_000, aheadMs: 5_000 })).walks.length,
    1,
  );
});

test("[CORE-14] what was erased is not kept for looking back, whoever is reading meanwhile", async () => {
  await using log = openMemoryLog();
  const floor = createFloor(cozyOffice);
  const office = createOffice([floor]);
  const dispatch = createDispatch({ log, clock: { now: () => 1 }, settled: () => undefined });
  const by = { id: "x", name: "tester", via: "test" };
  const request = { title: "secret", text: "t", constraints: {}, attachments: [], by };
  await dispatch(project, "proj_p", { type: "submit", projectId: "proj_p", ...request, at: 1 });
  await dispatch(office, SCENE, { type: "create", sceneId: SCENE, at: 1 });
  for (let n = 0; n < 1_200; n++) {
    const to = { poiId: n % 2 === 0 ? "poi_lounge" : "poi_coffee" };
    await dispatch(office, SCENE, { type: "move-player", to, at: n * 700 });
  }
  let title = "secret";
  const past = createPastSnapshots({
    log: {
      epoch: log.epoch,
      head: log.head,
      async *read(options) {
        const then = title;
        for await (const entry of log.read(options)) {
          const isIt = entry.type === "project.request_submitted";
          yield isIt ? { ...entry, data: { ...(entry.data as object), title: then } } : entry;
        }
      },
    },
    floor,
    scenery: sceneryOn(floor),
  });
  const titles = async (): Promise<readonly unknown[]> =>
    (await past.goTo({ seq: log.head })).look.projects.map((each) => each.title);
  const reading = titles();
  title = "";
  past.forget();
  assert.deepEqual(await reading, ["secret"], "it had begun before");
  assert.deepEqual(await titles(), [""]);
  title = "other";
  past.forget();
  assert.deepEqual(await titles(), ["other"]);
});
