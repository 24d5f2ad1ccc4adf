import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ProjectCommand } from "./model/commands.ts";
import { TASK_MOVES, type Project } from "./model/entities.ts";
import { evolve } from "./model/evolve.ts";
import { cycleIn } from "./model/task-order.ts";
import { project } from "./project.ts";

const at = 1;
const by = { id: "ann", name: "Ann", via: "world" };
const taskId = fc.constantFrom("task_abc_1", "task_abc_2", "task_abc_3", "task_abc_9");
const artifactId = fc.constantFrom("art_abc_1", "art_abc_2", "art_abc_3");
const runId = fc.constantFrom("r1", "r2", "r3");
const agentId = fc.constantFrom("agent_eng_1", "agent_eng_2");
const ref = fc.constantFrom("q1", "q2", "q3");
const name = fc.constantFrom("a.md", "b.md");

const version = fc.constantFrom(1, 2, 3);
const change = {
  commit: "c",
  base: "b",
  tree: "t",
  files: 1,
  added: 1,
  removed: 0,
  omitted: [],
  isCut: false,
  flagged: [],
};

const command: fc.Arbitrary<ProjectCommand> = fc.oneof(
  fc.record({
    type: fc.constant("assign" as const),
    at: fc.constant(at),
    taskId,
    agentId,
    by: fc.constant(by),
    isReassignment: fc.boolean(),
  }),
  fc.constant({
    type: "auto-assign" as const,
    at,
    candidates: [{ agentId: "agent_eng_1", role: "engineer", load: 0 }],
  }),
  fc.record({ type: fc.constant("start-task" as const), at: fc.constant(at), taskId, runId }),
  fc.record({ type: fc.constant("start-task" as const), at: fc.constant(at), taskId, runId }),
  fc.record({
    type: fc.constant("request-decision" as const),
    at: fc.constant(at),
    ref,
    kind: fc.constant("question" as const),
    taskId: fc.option(taskId),
    agentId: fc.constant(null),
    prompt: fc.constant("?"),
    options: fc.constant([]),
  }),
  fc.record({
    type: fc.constant("settle-decision" as const),
    at: fc.constant(at),
    ref,
    choice: fc.option(fc.constant("yes")),
    note: fc.constant(null),
    by: fc.constant(by),
  }),
  fc.record({ taskId, runId, name, isChange: fc.boolean() }).map((each) => ({
    type: "create-artifact" as const,
    at,
    taskId: each.taskId,
    runId: each.runId,
    made: {
      name: each.name,
      kind: each.isChange ? "change" : "document",
      content: { name: each.name, mediaType: "text/plain", bytes: 1, digest: "d" },
      ...(each.isChange && { change }),
    },
  })),
  fc.record({ artifactId, version }).map((rest) => ({
    type: "land-change" as const,
    at,
    ...rest,
    commit: "m",
    before: "c",
  })),
  fc.record({ artifactId, version }).map((rest) => ({
    type: "conflict-change" as const,
    at,
    ...rest,
    with: "m",
    paths: [{ path: "a", kind: "content" }],
  })),
  fc
    .record({ artifactId, version })
    .map((rest) => ({ type: "fail-landing" as const, at, ...rest, reason: "no disk" })),
  fc
    .record({ artifactId, version, verdict: fc.constantFrom("passed" as const, "failed" as const) })
    .map(({ verdict, ...rest }) => ({
      type: "finish-checks" as const,
      at,
      ...rest,
      results: [{ checkId: "k", name: "t", isRequired: true, verdict, exitCode: 1, ms: 1 }],
      poiId: "poi_shelf",
    })),
  fc.record({ artifactId }).map((rest) => ({ type: "request-revert" as const, at, ...rest, by })),
  fc
    .record({ artifactId })
    .map((rest) => ({ type: "revert-change" as const, at, ...rest, commit: "r", before: "m" })),
  fc.record({ taskId, after: fc.array(taskId, { maxLength: 2 }) }).map((rest) => ({
    type: "edit-task" as const,
    at,
    taskId: rest.taskId,
    changes: { after: rest.after },
    by,
  })),
  fc.record({ taskId }).map((rest) => ({ type: "remove-task" as const, at, ...rest, by })),
  fc
    .record({ before: fc.option(taskId), after: fc.array(taskId, { maxLength: 2 }) })
    .map((rest) => ({
      type: "add-task" as const,
      at,
      ...rest,
      draft: { title: "More", description: "", role: null },
      by,
    })),
  fc.record({ taskId, runId, isChecked: fc.boolean() }).map(({ isChecked, ...rest }) => ({
    type: "finish-work" as const,
    at,
    ...(isChecked && { checks: ["t"] }),
    ...rest,
    usage: { inputTokens: 1, outputTokens: 1 },
    poiId: "poi_shelf",
  })),
  fc.record({ taskId: fc.option(taskId), runId }).map((rest) => ({
    type: "count-usage" as const,
    at,
    ...rest,
    usage: { inputTokens: 1, outputTokens: 1, cost: 0.5 },
  })),
  fc
    .record({ taskId })
    .map((rest) => ({ type: "deliver" as const, at, ...rest, poiId: "poi_shelf" })),
  fc.record({ artifactId }).map((rest) => ({ type: "approve" as const, at, ...rest, by })),
  fc
    .record({ artifactId })
    .map((rest) => ({ type: "request-changes" as const, at, ...rest, instructions: "other", by })),
  fc
    .record({ artifactId })
    .map((rest) => ({ type: "split" as const, at, ...rest, titles: ["part"], by })),
  fc.record({ taskId }).map((rest) => ({
    type: "fork-task" as const,
    at,
    ...rest,
    from: { workspaceId: rest.taskId, seq: 7, tree: "t" },
    instructions: null,
    by,
  })),
  fc
    .record({ taskId, runId })
    .map((rest) => ({ type: "fail-task" as const, at, ...rest, reason: "broke" })),
  fc.record({ taskId }).map((rest) => ({ type: "cancel-task" as const, at, ...rest, by })),
  fc.record({ taskId }).map((rest) => ({ type: "rerun-task" as const, at, ...rest, by })),
  fc.constant({ type: "pause" as const, at, by, reason: "" }),
  fc.constant({ type: "resume" as const, at, by }),
);

const opening: readonly ProjectCommand[] = [
  {
    type: "submit",
    at,
    projectId: "proj_abc",
    title: "t",
    text: "t",
    constraints: {},
    attachments: [],
    by,
  },
  { type: "accept", at },
  { type: "start-kickoff", at, participants: [], poiId: "poi_meeting_table" },
  {
    type: "plan",
    at,
    runId: null,
    title: null,
    summary: "",
    tasks: ["One", "Two", "Three"].map((title) => ({ title, description: "", role: null })),
  },
];

function assertLegal({ status, tasks, artifacts, decisions }: Project): void {
  for (const task of tasks) {
    const mine = artifacts.filter((each) => each.taskId === task.taskId);
    const isOpen = decisions.some((each) => each.taskId === task.taskId && each.status === "open");
    switch (task.status) {
      case "planned":
        assert.ok(task.assignee === null || task.attempts > 0 || mine.length === 0);
        break;
      case "assigned":
        assert.notEqual(task.assignee, null);
        break;
      case "in_progress":
        assert.notEqual(task.assignee, null);
        assert.notEqual(task.runId, null);
        if (task.isCarrying) assert.ok(task.attempts > 0);
        break;
      case "blocked":
        assert.ok(isOpen, "a blocked task has an open decision");
        break;
      case "in_review":
        assert.ok(
          mine.some((each) => each.status === "delivered" || each.landing?.state === "pending"),
        );
        break;
      case "done":
        assert.ok(mine.length > 0);
        for (const each of mine) {
          assert.match(each.status, /approved|split|withdrawn/);
          assert.notEqual(each.landing?.state, "pending", "what was approved is merged");
        }
        break;
      case "failed":
        assert.notEqual(task.note, null);
        break;
      case "cancelled":
        for (const each of mine) assert.match(each.status, /approved|split|withdrawn/);
    }
    assert.ok(task.status in TASK_MOVES);
    if (task.isChecking) {
      assert.ok(mine.some((each) => each.checks?.state === "running"));
      assert.equal(task.status, "in_progress");
    }
    assert.ok(task.checkRounds <= 1 && task.conflictRounds <= 3);
    for (const id of task.after) assert.ok(tasks.some(({ taskId: other }) => other === id));
  }
  for (const each of artifacts) {
    assert.equal(each.versions.length, each.version);
    assert.deepEqual(
      each.versions.map((made) => made.version),
      each.versions.map((_, index) => index + 1),
    );
  }
  assert.equal(cycleIn(new Map(tasks.map((task) => [task.taskId, task.after]))), undefined);
  assert.equal(new Set(tasks.map(({ taskId: id }) => id)).size, tasks.length);
  const isOver = tasks.every((task) => task.status === "done" || task.status === "cancelled");
  assert.equal(isOver, status === "completed" || status === "cancelled");
}

/** What people have cancelled only people take up again, and a merge that ended is not pending any more. */
function assertGivenUp(before: Project | null, after: Project, done: ProjectCommand): void {
  for (const { taskId: id, status } of before?.tasks ?? []) {
    if (status !== "cancelled" || (done.type === "rerun-task" && done.taskId === id)) continue;
    assert.equal(after.tasks.find(({ taskId: of }) => of === id)?.status, "cancelled");
  }
  if (done.type !== "fail-landing" && done.type !== "conflict-change") return;
  const tried = after.artifacts.find((each) => each.artifactId === done.artifactId);
  assert.notEqual(tried?.landing?.state, "pending");
}

/** What each task has made is approved, and nothing of it is merged yet. */
const approving: readonly ProjectCommand[] = [1, 2, 3].flatMap((number): ProjectCommand[] => {
  const [taskOf, run] = [`task_abc_${number}`, `r${number}`];
  const content = { name: "a.md", mediaType: "text/plain", bytes: 1, digest: "d" };
  const made = { name: "a.md", kind: "change", content, change };
  const work = { at, taskId: taskOf, runId: run };
  const usage = { inputTokens: 1, outputTokens: 1 };
  const agent = { agentId: "agent_eng_1", isReassignment: false };
  return [
    { type: "assign", at, taskId: taskOf, ...agent, by },
    { type: "start-task", ...work },
    { type: "create-artifact", ...work, made },
    { type: "finish-work", ...work, usage, poiId: "poi_shelf" },
    { type: "approve", at, artifactId: `art_abc_${number}`, by },
  ];
});

function told(commands: readonly ProjectCommand[]): Project | null {
  return commands.reduce<Project | null>((state, each) => {
    const outcome = project.decide(state, each);
    assert.ok(outcome.ok, each.type);
    return outcome.value.reduce(evolve, state);
  }, null);
}

for (const [where, start] of [
  ["a plan", told(opening)],
  ["approved changes", told([...opening, ...approving])],
] as const) {
  test(`[CORE-32] any sequence of commands leaves legal states, from ${where} on`, () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 20, maxLength: 120 }), (commands) => {
        let state = start;
        for (const each of commands) {
          const outcome = project.decide(state, each);
          if (!outcome.ok) continue;
          const before = state;
          state = outcome.value.reduce(evolve, state);
          assert.ok(state);
          assertLegal(state);
          assertGivenUp(before, state, each);
        }
      }),
      { numRuns: 2000 },
    );
  });
}
