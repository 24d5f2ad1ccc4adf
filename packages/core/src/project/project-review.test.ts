import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import type { ProjectCommand } from "./model/commands.ts";
import { project } from "./project.ts";
import {
  ann,
  at,
  planned,
  assign,
  start,
  make,
  finish,
  deliver,
  approve,
  reviewed,
  usage,
} from "./testing/stories.ts";

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
  story.do(finish("task_abc_1", "r2"));
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
  story.do(make("task_abc_1", "r2"), finish("task_abc_1", "r2"));
  assert.equal(reviewer(), undefined);
  story.do(approve("art_abc_1"));
  assert.equal(reviewer(), "Ann");
});

test("[CORE-35] what is finished is up for review at once, and so is what an earlier version left on its way", () => {
  const story = planned("One").do(
    assign("task_abc_1"),
    start("task_abc_1", "r1"),
    make("task_abc_1", "r1"),
  );
  const early = story.try(deliver("task_abc_1"));
  assert.ok(!early.ok && early.code === "task.status");
  const finished = story.try(finish("task_abc_1", "r1"));
  assert.ok(finished.ok);
  const names = finished.value.map(({ type }) => type.replace("project.", ""));
  assert.deepEqual(names, ["work_finished", "artifact_delivered", "review_requested"]);

  const earlier = planned("One").do(
    assign("task_abc_1"),
    start("task_abc_1", "r1"),
    make("task_abc_1", "r1"),
  );
  const { state } = earlier;
  const left = {
    type: "project.work_finished",
    at,
    taskId: "task_abc_1",
    runId: "r1",
    usage,
  } as const;
  earlier.state = project.evolve(state, left);
  earlier.do(deliver("task_abc_1"));
  assert.equal(earlier.project.tasks[0]?.status, "in_review");
  assert.equal(earlier.project.artifacts[0]?.status, "delivered");
});

test("[CORE-35] a project ends with the last of its tasks", () => {
  const cancel = (taskId: string): ProjectCommand => ({ type: "cancel-task", at, taskId, by: ann });
  const story = reviewed().do(approve("art_abc_1"), cancel("task_abc_2"));
  assert.equal(story.names().at(-1), "completed");
  assert.equal(story.project.status, "completed");
  const nothing = planned("One", "Two").do(cancel("task_abc_1"), cancel("task_abc_2"));
  assert.equal(nothing.project.status, "cancelled");
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
