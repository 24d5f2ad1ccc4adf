import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { given } from "../testing/index.ts";
import type { ProjectEvent } from "./model/events.ts";
import { project } from "./project.ts";

const ann: Answerer = { id: "ann", name: "Ann", via: "world" };
const at = 1_000;
const from = { workspaceId: "task_abc_1", seq: 40, tree: "T4" };

const submitted: ProjectEvent = {
  type: "project.request_submitted",
  at,
  projectId: "proj_abc",
  title: "A page",
  text: "Make a page",
  constraints: {},
  attachments: [],
  by: ann,
};
const created = (title: string): ProjectEvent => ({
  type: "project.tasks_created",
  at,
  title: null,
  tasks: [{ taskId: "task_abc_1", title, description: "In blue.", role: "engineer" }],
  artifactId: null,
});
const planned = (title = "Draw it"): readonly ProjectEvent[] => [
  submitted,
  created(title),
  { type: "project.kickoff_finished", at, summary: "" },
];
const assigned: ProjectEvent = {
  type: "project.task_assigned",
  at,
  taskId: "task_abc_1",
  agentId: "eng_1",
  previous: null,
  by: null,
};
const fork = {
  type: "fork-task",
  at,
  taskId: "task_abc_1",
  from,
  instructions: null,
  by: ann,
} as const;

test("[CORE-45] a fork is a task beside the other, from its moment, for whoever has the other", () => {
  const outcome = given(project, ...planned(), assigned).when({ ...fork, instructions: "In red." });
  assert.ok(outcome.ok);
  const { state } = given(project, ...planned(), assigned, ...outcome.value);
  const [, task] = state?.tasks ?? [];
  assert.equal(task?.taskId, "task_abc_2");
  assert.equal(task.title, "Draw it (fork)");
  assert.equal(task.description, "In blue.\n\nIn red.");
  assert.equal(task.role, "engineer");
  assert.deepEqual(task.forkedFrom, from);
  assert.deepEqual([task.status, task.assignee, task.attempts], ["assigned", "eng_1", 0]);
  assert.equal(state?.tasks[0]?.forkedFrom, null);
});

test("[CORE-45] nobody has the fork of what nobody has, and its title stays within the limit", () => {
  const outcome = given(project, ...planned("x".repeat(120))).when(fork);
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.value.map(({ type }) => type),
    ["project.tasks_created"],
  );
  const [event] = outcome.value;
  assert.ok(event?.type === "project.tasks_created");
  assert.equal(event.tasks[0]?.title, `${"x".repeat(113)} (fork)`);
});

test("[CORE-45] nothing is forked of what is not there, of a project that is over, or without end", () => {
  const story = given(project, ...planned());
  assert.deepEqual(
    story.when({ ...fork, taskId: "__proto__" }),
    refuse("task.missing", "__proto__"),
  );
  const over = given(project, ...planned(), { type: "project.completed", at, reviewer: null });
  const why = "proj_abc is completed; nothing more can be done with it";
  assert.deepEqual(over.when(fork), refuse("project.status", why));
  const many = Array.from({ length: 144 }, () => created("One"));
  const full = given(project, ...planned(), ...many).when(fork);
  assert.deepEqual(full, refuse("plan.malformed", "the project has too many tasks"));
  const guards = { expectedTaskStatus: "done" } as const;
  const broken = story.when({ ...fork, guards });
  assert.ok(!broken.ok && broken.code === "guard.broken");
});
