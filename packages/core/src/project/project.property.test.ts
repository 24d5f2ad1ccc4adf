import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ProjectCommand } from "./model/commands.ts";
import { TASK_MOVES, type Project } from "./model/entities.ts";
import { evolve } from "./model/evolve.ts";
import { project } from "./project.ts";

const at = 1;
const by = { id: "ann", name: "Ann", via: "world" };
const taskId = fc.constantFrom("task_abc_1", "task_abc_2", "task_abc_3", "task_abc_9");
const artifactId = fc.constantFrom("art_abc_1", "art_abc_2", "art_abc_3");
const runId = fc.constantFrom("r1", "r2", "r3");
const agentId = fc.constantFrom("agent_eng_1", "agent_eng_2");
const ref = fc.constantFrom("q1", "q2", "q3");
const name = fc.constantFrom("a.md", "b.md");

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
  fc.record({ taskId, runId, name }).map(({ name: called, ...rest }) => ({
    type: "create-artifact" as const,
    at,
    ...rest,
    made: {
      name: called,
      kind: "document",
      content: { name: called, mediaType: "text/plain", bytes: 1, digest: "d" },
    },
  })),
  fc.record({ taskId, runId }).map((rest) => ({
    type: "finish-work" as const,
    at,
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
        assert.ok(mine.some((each) => each.status === "delivered"));
        break;
      case "done":
        assert.ok(mine.length > 0);
        for (const each of mine) assert.match(each.status, /approved|split|withdrawn/);
        break;
      case "failed":
        assert.notEqual(task.note, null);
        break;
      case "cancelled":
        for (const each of mine) assert.match(each.status, /approved|split|withdrawn/);
    }
    assert.ok(task.status in TASK_MOVES);
  }
  for (const each of artifacts) {
    assert.equal(each.versions.length, each.version);
    assert.deepEqual(
      each.versions.map(({ version }) => version),
      each.versions.map((_, index) => index + 1),
    );
  }
  const isOver = tasks.every((task) => task.status === "done" || task.status === "cancelled");
  assert.equal(isOver, status === "completed" || status === "cancelled");
}

test("[CORE-32] any sequence of commands leaves legal states", () => {
  const start = opening.reduce<Project | null>((state, each) => {
    const outcome = project.decide(state, each);
    assert.ok(outcome.ok);
    return outcome.value.reduce(evolve, state);
  }, null);
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      let state = start;
      for (const each of commands) {
        const outcome = project.decide(state, each);
        if (!outcome.ok) continue;
        state = outcome.value.reduce(evolve, state);
        assert.ok(state);
        assertLegal(state);
      }
    }),
    { numRuns: 500 },
  );
});
