import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createMomentAt,
  createProjects,
  createWorkspaces,
  project,
  streamOf,
  workspace,
  type ProjectEvent,
  type WorkspaceEvent,
} from "@atrium/core";
import { openMemoryLog } from "@atrium/log";
import { createFindMoment } from "./find-moment.ts";

const at = 1;
const by = { id: "ann", name: "Ann", via: "world" };
const submitted: ProjectEvent = {
  type: "project.request_submitted",
  at,
  projectId: "proj_a",
  title: "A page",
  text: "Make a page",
  constraints: {},
  attachments: [],
  by,
};
const task = (taskId: string) => ({ taskId, title: taskId, description: "", role: null });
const created: ProjectEvent = {
  type: "project.tasks_created",
  at,
  title: null,
  tasks: ["task_a_1", "task_a_2", "task_a_3"].map(task),
  artifactId: null,
};
const opened = (taskId: string): WorkspaceEvent => ({
  type: "workspace.opened",
  workspaceId: taskId,
  repositoryId: "shop",
  purpose: { type: "task", projectId: "proj_a", taskId },
  forkedFrom: null,
});
const ready = (tree: string): WorkspaceEvent => {
  return { type: "workspace.ready", base: "c", tree, ms: 1 };
};
const moment = (tree: string): WorkspaceEvent => {
  return { type: "workspace.moment", tree, cause: "turn", runId: null };
};

async function openStory() {
  const log = openMemoryLog();
  const [projects, workspaces] = [createProjects(), createWorkspaces()];
  const append = async (stream: string, type: string, data: object): Promise<void> => {
    const done = await log.append(stream, "any", [{ type, at, data }]);
    assert.ok(done.ok);
    for (const entry of done.entries) for (const each of [projects, workspaces]) each.apply(entry);
  };
  for (const event of [submitted, created]) {
    await append(streamOf(project, "proj_a"), event.type, project.write(event));
  }
  const tell = async (id: string, ...events: readonly WorkspaceEvent[]): Promise<void> => {
    for (const event of events) {
      await append(streamOf(workspace, id), event.type, workspace.write(event));
    }
  };
  const findMoment = createFindMoment({
    workspaces,
    projects,
    isBuild: (id) => Promise.resolve(id === "b1"),
    momentAt: createMomentAt(log),
    head: () => log.head,
  });
  return { tell, findMoment, log };
}

test("[FILES-1] where no task is named, the one that changed last by then is meant", async () => {
  const { tell, findMoment, log } = await openStory();
  await tell("task_a_1", opened("task_a_1"), ready("T1"));
  await tell("task_a_2", opened("task_a_2"), ready("T2"), moment("T3"));
  await tell("task_a_1", moment("T4"));
  const seen: string[] = [];
  for (let seq = 0; seq <= log.head; seq++) {
    const found = await findMoment.ofProject("proj_a", undefined, seq);
    seen.push(found.ok ? `${found.value.workspace.workspaceId} ${found.value.tree}` : found.code);
  }
  assert.deepEqual(seen, [
    ...Array.from({ length: 4 }, () => "moment.missing"),
    "task_a_1 T1",
    "task_a_1 T1",
    "task_a_2 T2",
    "task_a_2 T3",
    "task_a_1 T4",
  ]);
  const now = await findMoment.ofProject("proj_a");
  assert.ok(now.ok && now.value.tree === "T4");
  const named = await findMoment.ofProject("proj_a", "task_a_2");
  assert.ok(named.ok && named.value.tree === "T3" && named.value.seq === 7);
});

test("[FILES-2] a task that nobody has worked on, another's, and a build without files are told apart", async () => {
  const { tell, findMoment } = await openStory();
  await tell("task_a_1", opened("task_a_1"), ready("T1"));
  const outcomes = await Promise.all([
    findMoment.ofProject("proj_a", "task_a_3"),
    findMoment.ofProject("proj_a", "task_b_1"),
    findMoment.ofProject("proj_b"),
    findMoment.ofProject("proj_a", undefined, 1_000),
    findMoment.ofBuild("b1"),
    findMoment.ofBuild("task_a_1"),
    findMoment.ofWorkspace("constructor"),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.ok ? "found" : outcome.code)),
    [
      "moment.missing",
      "task.missing",
      "project.missing",
      "params.invalid",
      "moment.missing",
      "build.missing",
      "workspace.missing",
    ],
  );
});
