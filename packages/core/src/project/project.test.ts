import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { assignAll } from "./deciders/assignment.ts";
import type { ProjectCommand } from "./model/commands.ts";
import { project } from "./project.ts";
import {
  ann,
  at,
  Story,
  submit,
  draft,
  planned,
  assign,
  start,
  make,
  finish,
  approve,
  reviewed,
} from "./testing/stories.ts";

test("[CORE-31] a request becomes tasks, step by step", () => {
  const story = planned("One", "Two");
  assert.deepEqual(story.names(), [
    "request_submitted",
    "request_accepted",
    "kickoff_started",
    "planning_started",
    "tasks_created",
    "kickoff_finished",
  ]);
  assert.equal(story.project.status, "planned");
  assert.deepEqual(
    story.project.tasks.map(({ taskId, status }) => [taskId, status]),
    [
      ["task_abc_1", "planned"],
      ["task_abc_2", "planned"],
    ],
  );
  const empty = new Story().try({ ...submit, text: " \n" });
  assert.ok(!empty.ok && empty.code === "request.empty");
  const early = new Story().do(submit).try({ type: "start-planning", at, runId: "plan-1" });
  assert.ok(!early.ok && early.code === "project.status");
  const kickoff = new Story().do(
    submit,
    { type: "accept", at },
    { type: "start-kickoff", at, participants: [], poiId: "poi_meeting_table" },
    { type: "start-planning", at, runId: "plan-1" },
  );
  const bad = [[], [draft(" ")], Array.from({ length: 13 }, () => draft("x"))];
  for (const tasks of bad) {
    const outcome = kickoff.try({
      type: "plan",
      at,
      runId: "plan-1",
      title: null,
      summary: "",
      tasks,
    });
    assert.ok(!outcome.ok && outcome.code === "plan.malformed");
  }
});

test("[CORE-31] what cannot be done now is refused with what can", () => {
  const story = planned("One");
  const early = story.try(start("task_abc_1", "r1"));
  assert.ok(!early.ok && early.code === "task.status");
  assert.equal(early.detail, "task_abc_1 is planned; possible now: assign, cancel, edit, remove");
  const unknown = story.try(assign("task_abc_9"));
  assert.ok(!unknown.ok && unknown.code === "task.missing");
  const undelivered = reviewed().do(
    assign("task_abc_2"),
    start("task_abc_2", "r2"),
    make("task_abc_2", "r2"),
  );
  const outcome = undelivered.try(approve("art_abc_2"));
  assert.ok(!outcome.ok && outcome.code === "artifact.status");
  assert.match(outcome.detail ?? "", /art_abc_2 is created; possible now: revise, deliver/);
  const twice = reviewed().do(approve("art_abc_1")).try(approve("art_abc_1"));
  assert.ok(!twice.ok);
  assert.match(twice.detail ?? "", /approved; nothing more/);
});

test("[CORE-31] a guard that does not hold changes nothing", () => {
  const story = planned("One");
  const outcome = story.try({
    ...assign("task_abc_1"),
    guards: { expectedTaskStatus: "assigned" },
  } as ProjectCommand);
  assert.ok(!outcome.ok && outcome.code === "guard.broken");
  assert.equal(outcome.detail, "task_abc_1 is planned, not assigned");
  const paused = story.try({
    type: "pause",
    at,
    by: ann,
    reason: "",
    guards: { expectedProjectStatus: "executing" },
  });
  assert.ok(!paused.ok && paused.code === "guard.broken");
});

test("[CORE-33] a task has one assignee", () => {
  const story = planned("One").do(assign("task_abc_1"));
  const second = story.try(assign("task_abc_1", "agent_eng_2"));
  assert.ok(!second.ok && second.code === "task.status");
  assert.match(second.detail ?? "", /already assigned to agent_eng_1; reassign it/);
  story.do({ ...assign("task_abc_1", "agent_eng_2"), isReassignment: true } as ProjectCommand);
  assert.equal(story.project.tasks[0]?.assignee, "agent_eng_2");
  const nobody = planned("One").try({
    ...assign("task_abc_1"),
    isReassignment: true,
  } as ProjectCommand);
  assert.ok(!nobody.ok);
});

const take = (agentId: string): ProjectCommand => {
  return { type: "take-task", at, taskId: "task_abc_1", agentId };
};
const release = (agentId: string): ProjectCommand => {
  return { type: "release-task", at, taskId: "task_abc_1", agentId, reason: "it left" };
};

test("[JOIN-40] a session takes a task that is open, once, and nothing that is someone else's", () => {
  const story = planned("One").do(take("agent_joined_s1"));
  assert.equal(story.project.tasks[0]?.assignee, "agent_joined_s1");
  assert.deepEqual(story.try(take("agent_joined_s1")), accept([]));
  const second = story.try(take("agent_joined_s2"));
  assert.ok(!second.ok && second.code === "task.taken");
  const ordered = planned("One", "Two").do({
    type: "edit-task",
    at,
    taskId: "task_abc_1",
    changes: { after: ["task_abc_2"] },
    by: ann,
  });
  const early = ordered.try(take("agent_joined_s1"));
  assert.ok(!early.ok && early.code === "task.waiting");
});

test("[JOIN-43] a task that is released is open again, unless it is handed over or someone else's", () => {
  const story = planned("One").do(take("agent_joined_s1"), start("task_abc_1", "r1"));
  const other = story.try(release("agent_eng_1"));
  assert.ok(!other.ok && other.code === "task.stale");
  story.do(release("agent_joined_s1"));
  const [task] = story.project.tasks;
  assert.deepEqual(
    { status: task?.status, assignee: task?.assignee, note: task?.note, attempts: task?.attempts },
    { status: "planned", assignee: null, note: "it left", attempts: 1 },
  );
  assert.ok(!story.try(finish("task_abc_1", "r1")).ok);
  story.do(take("agent_joined_s2"), start("task_abc_1", "r2"), make("task_abc_1", "r2"));
  story.do(finish("task_abc_1", "r2"));
  assert.ok(!story.try(release("agent_joined_s2")).ok);
});

test("[CORE-33] a run that no longer works on a task has no say in it", () => {
  const story = planned("One").do(
    assign("task_abc_1"),
    start("task_abc_1", "r1"),
    start("task_abc_1", "r2"),
  );
  for (const late of [
    make("task_abc_1", "r1"),
    finish("task_abc_1", "r1"),
    { type: "fail-task", at, taskId: "task_abc_1", runId: "r1", reason: "x" } as const,
    {
      type: "progress",
      at,
      taskId: "task_abc_1",
      runId: "r1",
      kind: "token",
      preview: "x",
    } as const,
  ]) {
    const outcome = story.try(late);
    assert.ok(!outcome.ok && outcome.code === "task.stale", late.type);
  }
  assert.equal(story.project.tasks[0]?.attempts, 2);
});

test("[CORE-36] a project that failed says why, and is taken up again as if it had not ended, or dismissed", () => {
  const story = new Story().do(
    submit,
    { type: "accept", at },
    { type: "start-kickoff", at, participants: ["agent_bd"], poiId: "poi_meeting_table" },
    { type: "start-planning", at, runId: "plan-1" },
    { type: "fail", at: 2_000, reason: "the model is away" },
  );
  const failed = story.project;
  assert.deepEqual(
    [failed.status, failed.failure, failed.endedAt],
    ["failed", "the model is away", 2_000],
  );
  story.do({ type: "start-kickoff", at: 3_000, participants: [], poiId: "poi_meeting_table" });
  assert.deepEqual(
    [story.project.status, story.project.failure, story.project.endedAt],
    ["kickoff", null, null],
  );
  story.do({ type: "fail", at: 4_000, reason: "again" }, { type: "cancel", at: 5_000, by: ann });
  assert.deepEqual([story.project.status, story.project.endedAt], ["cancelled", 5_000]);
  assert.equal(story.try({ type: "cancel", at, by: ann }).ok, false);
});

test("[CORE-36] a project that is cancelled ends with all that is left of it, and asks nobody any more", () => {
  const asked = { ref: "q1", kind: "question", prompt: "Which?", options: [] } as const;
  const story = planned("one", "two", "three").do(
    assign("task_abc_1"),
    { type: "start-task", at, taskId: "task_abc_1", runId: "run-1" },
    { type: "request-decision", at, ...asked, taskId: "task_abc_1", agentId: "agent_eng_1" },
  );
  const before = story.events.length;
  const guards = { expectedProjectStatus: "planned" } as const;
  assert.equal(story.try({ type: "cancel", at, by: ann, guards }).ok, false);
  story.do({ type: "cancel", at: 9_000, by: ann });
  assert.deepEqual(story.names().slice(before), [
    "task_cancelled",
    "task_cancelled",
    "task_cancelled",
    "cancelled",
  ]);
  assert.deepEqual(
    story.project.decisions.map(({ status }) => status),
    ["expired"],
  );
  assert.equal(story.project.endedAt, 9_000);
});

test("[CORE-33] tasks go to the least busy of those whose role fits", () => {
  const candidates = [
    { agentId: "agent_eng_1", role: "engineer", load: 2 },
    { agentId: "agent_eng_2", role: "engineer", load: 0 },
    { agentId: "agent_writer_1", role: "writer", load: 0 },
  ];
  const { tasks } = planned("Build", "Build more", "Write", "Whatever").project;
  const roles = ["engineering", "Engineer", "writing", null];
  const chosen = assignAll(
    tasks.map((task, index) => ({ ...task, role: roles[index] ?? null })),
    candidates,
  );
  assert.deepEqual(
    chosen.map(({ agentId }) => agentId),
    ["agent_eng_2", "agent_eng_2", "agent_writer_1", "agent_writer_1"],
  );
  assert.deepEqual(assignAll(tasks, []), []);
});

test("[CORE-40] a project keeps the repository that it names, and has none where none is named", () => {
  const named = new Story().do({ ...submit, repository: "shop" });
  assert.equal(named.project.repository, "shop");
  const none = new Story().do(submit);
  assert.equal(none.project.repository, null);
  const [event] = none.events;
  assert.ok(event !== undefined && !("repository" in project.write(event)));
});
