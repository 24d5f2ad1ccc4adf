import assert from "node:assert/strict";
import { test } from "node:test";
import {
  accept,
  createDispatch,
  createProjects,
  openProjections,
  project,
  type Answerer,
  type ProjectCommand,
} from "@atrium/core";
import { openMemoryLog } from "@atrium/log";
import type { DeliveryRequest } from "../../workspaces/port/delivery.ts";
import { createDeliverProject } from "./deliver-project.ts";

const by: Answerer = { id: "ann", name: "Ann", via: "world" };
const projectId = "proj_abc";
const taskId = "task_abc_1";
const artifactId = "art_abc_1";
const usage = { inputTokens: 0, outputTokens: 0 };
const content = { name: "a.patch", mediaType: "text/x-patch", bytes: 1, digest: "d" };
const counts = { files: 1, added: 1, removed: 0, omitted: [], isCut: false, flagged: [] };
const change = { commit: "c1", base: "c0", tree: "t1", ...counts };

/** Up to a change that has landed. */
const STORY: readonly WithoutTime[] = [
  { type: "submit", projectId, title: "Shop", text: "Do it", constraints: {}, attachments: [], by },
  { type: "accept" },
  { type: "start-kickoff", participants: [], poiId: "poi_meeting_table" },
  {
    type: "plan",
    runId: null,
    title: null,
    summary: "",
    tasks: [{ title: "One", description: "", role: null }],
  },
  { type: "assign", taskId, agentId: "agent_eng_1", by, isReassignment: false },
  { type: "start-task", taskId, runId: "r1" },
  {
    type: "create-artifact",
    taskId,
    runId: "r1",
    made: { name: "a.patch", kind: "change", content, change },
  },
  { type: "finish-work", taskId, runId: "r1", usage, poiId: "poi_delivery_shelf" },
  { type: "approve", artifactId, by },
  { type: "land-change", artifactId, version: 1, commit: "m1", before: "c0" },
];

type WithoutTime = ProjectCommand extends infer Command
  ? Command extends ProjectCommand
    ? Omit<Command, "at">
    : never
  : never;

test("[SHOP-22] whoever asks again under the same key only missed the answer: nothing is delivered a second time", async () => {
  await using log = openMemoryLog();
  const projects = createProjects();
  await using projections = await openProjections(log, [projects]);
  const clock = { now: () => 1_000 };
  const dispatch = createDispatch({ log, clock, settled: projections.settled });
  const made: DeliveryRequest[] = [];
  const line = { commit: "m1", tree: "t1", base: "c0" };
  const spaces = {
    async deliver(_repositoryId: string, _lineId: string, request: DeliveryRequest) {
      made.push(request);
      return accept({
        how: request.how,
        ref: `${request.name}-${made.length}`,
        commit: "m1",
        to: "/",
      });
    },
    exportLine: () => assert.fail("files are made when they are fetched"),
    findLine: async () => accept(line),
  };
  const repositories = { find: () => undefined };
  const deps = { dispatch, log, projects, repositories, clock, use: async () => spaces };
  const deliver = createDeliverProject(deps);
  for (const command of STORY) {
    const done = await dispatch(project, projectId, { ...command, at: 1_000 });
    assert.ok(done.ok, command.type);
  }
  const once = { id: "key-1", digest: "d" };
  const wish = { projectId, how: "branch", by } as const;
  const first = await deliver(wish, once);
  assert.ok(first.ok);
  assert.deepEqual(await deliver(wish, once), first);
  assert.equal(made.length, 1);
  const [other, another] = await Promise.all([deliver(wish), deliver(wish)]);
  assert.ok(other.ok && another.ok);
  assert.equal(projects.get(projectId)?.deliveries.length, 3);
});
