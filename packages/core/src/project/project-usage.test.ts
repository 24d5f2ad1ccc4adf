import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { createProjects } from "../projections/projects.ts";
import type { ProjectCommand } from "./model/commands.ts";
import { at, usage, planned, assign, start, make, finish, reviewed } from "./testing/stories.ts";

test("a project is found by what is in it, also after a restart", () => {
  const story = reviewed();
  const projects = createProjects();
  for (const [index, { type, ...data }] of story.events.entries()) {
    projects.apply({ seq: index + 1, stream: "project/proj_abc", at, type, data });
  }
  const again = createProjects();
  again.load(JSON.parse(JSON.stringify(projects.save())));
  for (const each of [projects, again]) {
    assert.equal(each.get("proj_abc")?.title, "A page");
    assert.equal(each.ofTask("task_abc_2")?.task.title, "Two");
    assert.equal(each.ofArtifact("art_abc_1")?.artifact.name, "plan.md");
    assert.equal(each.ofRun("r1")?.task?.taskId, "task_abc_1");
    assert.equal(each.ofRun("plan-1")?.task, null);
    assert.equal(each.ofDecision("dec_abc_1"), undefined);
  }
});

test("a run of earlier is still known to be a project's, also after a restart", () => {
  const story = planned("One").do(assign("task_abc_1"), start("task_abc_1", "r1"));
  const [started] = story.events.slice(-1);
  const projects = createProjects();
  for (const [index, { type, ...data }] of [
    ...story.events,
    { ...started, type: "project.task_started", runId: "r2" },
  ].entries()) {
    projects.apply({ seq: index + 1, stream: "project/proj_abc", at, type, data });
  }
  const again = createProjects();
  again.load(JSON.parse(JSON.stringify(projects.save())));
  for (const each of [projects, again]) {
    assert.equal(each.ofRun("r2")?.task?.taskId, "task_abc_1");
    assert.equal(each.ofRun("r1")?.project.projectId, "proj_abc");
  }
});

const count = (taskId: string | null, runId: string, cost?: number): ProjectCommand => ({
  type: "count-usage",
  at,
  taskId,
  runId,
  usage: cost === undefined ? usage : { ...usage, cost },
});

test("[CORE-23] a project and its tasks sum what all their runs used", () => {
  const story = planned("One", "Two").do(
    count(null, "plan-1", 0.1),
    assign("task_abc_1"),
    start("task_abc_1", "r1"),
    count("task_abc_1", "r0", 0.2),
    make("task_abc_1", "r1"),
    finish("task_abc_1", "r1"),
    finish("task_abc_1", "r1"),
  );
  const { used, tasks } = story.project;
  assert.deepEqual(used, { inputTokens: 30, outputTokens: 15, cost: 0.3, isCostPartial: true });
  assert.deepEqual(tasks[0]?.used, {
    inputTokens: 20,
    outputTokens: 10,
    cost: 0.2,
    isCostPartial: true,
  });
  assert.deepEqual(tasks[1]?.used, { inputTokens: 0, outputTokens: 0 });
});

test("[CORE-23] using nothing is no event, and a task must be there", () => {
  const story = planned("One");
  const nothing = { ...usage, inputTokens: 0, outputTokens: 0 };
  const free = { type: "count-usage", at, taskId: null, runId: "r", usage: nothing } as const;
  assert.deepEqual(story.try(free), accept([]));
  const lost = story.try(count("task_abc_9", "r"));
  assert.equal(lost.ok ? "" : lost.code, "task.missing");
});
