import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { createProjects } from "../projections/projects.ts";
import { assignAll } from "./assignment.ts";
import type { ProjectCommand } from "./commands.ts";
import type { Project } from "./entities.ts";
import type { ProjectEvent } from "./events.ts";
import { project } from "./project.ts";

const ann: Answerer = { id: "ann", name: "Ann", via: "world" };
const at = 1_000;
const usage = { inputTokens: 10, outputTokens: 5 };
const content = { name: "plan.md", mediaType: "text/markdown", bytes: 3, digest: "abc" };

/** A project that takes commands and remembers what came of them. */
class Story {
  state = project.initial;
  readonly events: ProjectEvent[] = [];

  try(command: ProjectCommand) {
    const outcome = project.decide(this.state, command);
    if (outcome.ok) {
      for (const event of outcome.value) this.state = project.evolve(this.state, event);
      this.events.push(...outcome.value);
    }
    return outcome;
  }

  do(...commands: readonly ProjectCommand[]): this {
    for (const command of commands) {
      const outcome = this.try(command);
      assert.ok(outcome.ok, outcome.ok ? "" : `${command.type}: ${outcome.code} ${outcome.detail}`);
    }
    return this;
  }

  get project(): Project {
    assert.ok(this.state);
    return this.state;
  }

  names(): readonly string[] {
    return this.events.map(({ type }) => type.replace("project.", ""));
  }
}

const submit: ProjectCommand = {
  type: "submit",
  at,
  projectId: "proj_abc",
  title: "A page",
  text: "Make a page",
  constraints: {},
  attachments: [],
  by: ann,
};
const draft = (title: string, role: string | null = null) => ({ title, description: "", role });
const planned = (...titles: readonly string[]): Story =>
  new Story().do(
    submit,
    { type: "accept", at },
    { type: "start-kickoff", at, participants: ["agent_bd"], poiId: "poi_meeting_table" },
    { type: "start-planning", at, runId: "plan-1" },
    {
      type: "plan",
      at,
      runId: "plan-1",
      title: null,
      summary: "Two things",
      tasks: titles.map((title) => draft(title)),
    },
  );
const assign = (taskId: string, agentId = "agent_eng_1"): ProjectCommand => ({
  type: "assign",
  at,
  taskId,
  agentId,
  by: ann,
  isReassignment: false,
});
const start = (taskId: string, runId: string): ProjectCommand => ({
  type: "start-task",
  at,
  taskId,
  runId,
});
const make = (taskId: string, runId: string, name = "plan.md"): ProjectCommand => ({
  type: "create-artifact",
  at,
  taskId,
  runId,
  made: { name, kind: "document", content: { ...content, name } },
});
const finish = (taskId: string, runId: string): ProjectCommand => ({
  type: "finish-work",
  at,
  taskId,
  runId,
  usage,
});
const deliver = (taskId: string): ProjectCommand => ({
  type: "deliver",
  at,
  taskId,
  poiId: "poi_delivery_shelf",
});
const approve = (artifactId: string): ProjectCommand => ({
  type: "approve",
  at,
  artifactId,
  by: ann,
});
const reviewed = (): Story =>
  planned("One", "Two").do(
    assign("task_abc_1"),
    start("task_abc_1", "r1"),
    make("task_abc_1", "r1"),
    finish("task_abc_1", "r1"),
    deliver("task_abc_1"),
  );

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
  assert.equal(early.detail, "task_abc_1 is planned; possible now: assign, cancel");
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

test("[CORE-34] a decision holds its task up until it is settled, once", () => {
  const ask = (ref: string): ProjectCommand => ({
    type: "request-decision",
    at,
    ref,
    kind: "question",
    taskId: "task_abc_1",
    agentId: "agent_eng_1",
    prompt: "Who?",
    options: ["A", "B"],
  });
  const settle = (ref: string): ProjectCommand => ({
    type: "settle-decision",
    at,
    ref,
    choice: "A",
    note: null,
    by: ann,
  });
  const story = planned("One").do(
    assign("task_abc_1"),
    start("task_abc_1", "r1"),
    ask("q1"),
    ask("q2"),
  );
  assert.deepEqual(story.try(ask("q1")), accept([]));
  assert.equal(story.project.tasks[0]?.status, "blocked");
  story.do(settle("q1"));
  assert.equal(story.project.tasks[0]?.status, "blocked");
  story.do(settle("q2"));
  assert.equal(story.project.tasks[0]?.status, "in_progress");
  const again = story.try(settle("q1"));
  assert.ok(!again.ok && again.code === "decision.settled");
});

test("[CORE-35] changes make the next version; approval of everything ends the task", () => {
  const story = reviewed();
  assert.equal(story.project.tasks[0]?.status, "in_review");
  story.do(
    { type: "request-changes", at, artifactId: "art_abc_1", instructions: "Shorter", by: ann },
    start("task_abc_1", "r2"),
    make("task_abc_1", "r2", "plan-2.md"),
    finish("task_abc_1", "r2"),
    deliver("task_abc_1"),
  );
  const [artifact, ...others] = story.project.artifacts;
  assert.deepEqual(others, []);
  assert.equal(artifact?.version, 2);
  assert.deepEqual(
    artifact.versions.map(({ name }) => name),
    ["plan.md", "plan-2.md"],
  );
  story.do(approve("art_abc_1"));
  assert.equal(story.project.tasks[0]?.status, "done");
  const parts = reviewed().do({
    type: "split",
    at,
    artifactId: "art_abc_1",
    titles: ["Head", "Tail"],
    by: ann,
  });
  assert.deepEqual(
    parts.project.tasks.map(({ title, status }) => `${title} ${status}`),
    ["One done", "Two planned", "Head planned", "Tail planned"],
  );
});

test("[WORLD-10] a verdict on a version that is no longer the newest is refused, and says which one is there", () => {
  const story = reviewed();
  const of = { at, artifactId: "art_abc_1", by: ann } as const;
  const seen = (version: number) => ({ ...of, guards: { expectedVersion: version } });
  story.do(
    { type: "request-changes", instructions: "Shorter", ...seen(1) },
    start("task_abc_1", "r2"),
    make("task_abc_1", "r2"),
  );
  // Before it is delivered too: what can be done with version 2 is no answer about version 1.
  const early = story.try({ type: "approve", ...seen(1) });
  assert.ok(!early.ok && early.code === "artifact.superseded");
  story.do(finish("task_abc_1", "r2"), deliver("task_abc_1"));
  const verdicts: readonly ProjectCommand[] = [
    { type: "approve", ...seen(1) },
    { type: "request-changes", instructions: "Longer", ...seen(1) },
    { type: "split", titles: ["Head"], ...seen(1) },
  ];
  for (const verdict of verdicts) {
    const outcome = story.try(verdict);
    assert.ok(!outcome.ok && outcome.code === "artifact.superseded", verdict.type);
    assert.equal(outcome.detail, "version 2 is there by now");
  }
  const ahead = story.try({ type: "approve", ...seen(3) });
  assert.ok(!ahead.ok && /no version 3 yet/.test(ahead.detail ?? ""));
  story.do({ type: "approve", ...seen(2) });
  assert.equal(story.project.artifacts[0]?.status, "approved");
});

test("[WORLD-10] who reviewed a version has not reviewed the next", () => {
  const story = reviewed().do(
    { type: "request-changes", at, artifactId: "art_abc_1", instructions: "Shorter", by: ann },
    start("task_abc_1", "r2"),
  );
  const reviewer = (): string | undefined => story.project.artifacts[0]?.reviewer?.name;
  assert.equal(reviewer(), "Ann");
  story.do(make("task_abc_1", "r2"), finish("task_abc_1", "r2"), deliver("task_abc_1"));
  assert.equal(reviewer(), undefined);
  story.do(approve("art_abc_1"));
  assert.equal(reviewer(), "Ann");
});

test("[CORE-35] a project ends with the last of its tasks", () => {
  const cancel = (taskId: string): ProjectCommand => ({ type: "cancel-task", at, taskId, by: ann });
  const story = reviewed().do(approve("art_abc_1"), cancel("task_abc_2"));
  assert.equal(story.names().at(-1), "completed");
  assert.equal(story.project.status, "completed");
  const nothing = planned("One", "Two").do(cancel("task_abc_1"), cancel("task_abc_2"));
  assert.equal(nothing.project.status, "cancelled");
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

test("[CORE-34] a paused project starts nothing and goes on where it was", () => {
  const story = planned("One").do(assign("task_abc_1"), {
    type: "pause",
    at,
    by: ann,
    reason: "lunch",
  });
  const outcome = story.try(start("task_abc_1", "r1"));
  assert.ok(!outcome.ok && outcome.code === "project.status");
  story.do({ type: "resume", at, by: ann }, start("task_abc_1", "r1"));
  assert.equal(story.project.status, "executing");
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

test("[CORE-40] a project keeps the repository that it names, and has none where none is named", () => {
  const named = new Story().do({ ...submit, repository: "shop" });
  assert.equal(named.project.repository, "shop");
  const none = new Story().do(submit);
  assert.equal(none.project.repository, null);
  const [event] = none.events;
  assert.ok(event !== undefined && !("repository" in project.write(event)));
});
