import assert from "node:assert/strict";
import { test } from "node:test";
import {
  artifact,
  decision,
  project,
  snapshotWith,
  task,
  toolCalled,
  toolReturned,
} from "../../../testing/snapshots.ts";
import { columnsOf, isGivable } from "../board/columns.ts";
import { isSame, lineDiff } from "../review/line-diff.ts";
import { gistOf } from "../task-stream/call-gist.ts";
import { toolCallsOf } from "../task-stream/tool-calls.ts";
import { noteKind } from "../task/note-kind.ts";
import { answersOf, NOTHING_GIVEN, pick, write } from "./given-answers.ts";
import { suggestedMove } from "./suggested-move.ts";

test("[WEB-34] a suggestion of the front desk does what it says while that makes sense, and nothing after", () => {
  const planned = snapshotWith({ projects: [project("a")], tasks: [task("a")] });
  assert.deepEqual(suggestedMove({ action: "auto_assign" }, "proj_a", planned), {
    type: "act",
    command: { name: "auto_assign", data: { project_id: "proj_a" } },
  });
  const given = snapshotWith({
    ...planned,
    tasks: [task("a", { assignee: "agent_x", status: "assigned" })],
  });
  assert.equal(suggestedMove({ action: "auto_assign" }, "proj_a", given), undefined);
  const failed = snapshotWith({
    projects: [project("a")],
    tasks: [task("a", { status: "failed" })],
  });
  assert.deepEqual(suggestedMove({ action: "rerun_task" }, "proj_a", failed), {
    type: "act",
    command: { name: "rerun_task", data: { task_id: "task_a" } },
  });
  const delivered = snapshotWith({ projects: [project("a")], artifacts: [artifact("x")] });
  assert.deepEqual(suggestedMove({ action: "open_review" }, "proj_a", delivered), {
    type: "open",
    view: { kind: "artifact", id: "art_x" },
  });
  assert.deepEqual(suggestedMove({ action: "open_task_board" }, undefined, null), {
    type: "open",
    view: { kind: "panel", name: "board" },
  });
  const offered = { action: "submit_request", text: "A tide table" };
  assert.deepEqual(suggestedMove(offered, undefined, null), {
    type: "act",
    command: { name: "submit_request", data: { text: "A tide table" } },
  });
  assert.equal(suggestedMove({ action: "submit_request" }, undefined, null), undefined);
  const again = { type: "act", command: { name: "start_kickoff", data: { project_id: "proj_a" } } };
  const unplanned = snapshotWith({ projects: [project("a", { status: "failed", ended_at: 5 })] });
  assert.deepEqual(suggestedMove({ action: "start_kickoff" }, "proj_a", unplanned), again);
  assert.equal(suggestedMove({ action: "start_kickoff" }, "proj_a", planned), undefined);
  assert.equal(suggestedMove({ action: "start_kickoff" }, "proj_gone", planned), undefined);
  const asking = snapshotWith({ projects: [project("a")], decisions: [decision("q")] });
  assert.deepEqual(suggestedMove({ action: "clarify" }, "proj_a", asking), {
    type: "open",
    view: { kind: "decision", id: "dec_q" },
  });
  assert.equal(suggestedMove({ action: "clarify" }, "proj_a", planned), undefined);
  assert.equal(suggestedMove({ action: "buy_a_boat" }, "proj_a", planned), undefined);
});

test("[WEB-34] a suggestion is about the task or the result it was made for, not about the first one there is", () => {
  const failed = { status: "failed" } as const;
  const office = snapshotWith({
    projects: [project("a")],
    tasks: [task("a", failed), task("b", failed), task("c")],
    artifacts: [artifact("x"), artifact("y", { status: "approved" })],
  });
  const rerun = (task_id: string): unknown =>
    suggestedMove({ action: "rerun_task", task_id }, "proj_a", office);
  assert.deepEqual(rerun("task_b"), {
    type: "act",
    command: { name: "rerun_task", data: { task_id: "task_b" } },
  });
  assert.equal(rerun("task_c"), undefined);
  assert.deepEqual(
    suggestedMove({ action: "open_review", artifact_id: "art_y" }, "proj_a", office),
    { type: "open", view: { kind: "artifact", id: "art_y" } },
  );
});

test("[WEB-34] what failed can be given to someone again; its note is told as what it is", () => {
  assert.equal(isGivable(task("a", { status: "failed" })), true);
  assert.equal(isGivable(task("a", { status: "in_review" })), false);
  const sentBack = [artifact("x", { task_id: "task_a", status: "changes_requested" })];
  assert.equal(noteKind("task_a", "failed", sentBack), "failed");
  assert.equal(noteKind("task_a", "in_progress", sentBack), "now");
  assert.equal(noteKind("task_a", "assigned", sentBack), "changes");
  assert.equal(noteKind("task_b", "assigned", sentBack), "last");
  assert.equal(noteKind("task_a", "done", []), "last");
});

test("[WEB-30] two versions are compared line by line, and what stayed the same is left out but for its neighbors", () => {
  const before = ["a", "b", "c", "d", "e", "f", "g", "h"].join("\n");
  const after = ["a", "b", "c", "d", "e", "f", "G", "h", "i"].join("\n");
  assert.deepEqual(lineDiff(`${before}\n`, `${after}\n`), [
    { type: "skipped", count: 4 },
    { type: "same", text: "e", line: 5 },
    { type: "same", text: "f", line: 6 },
    { type: "removed", text: "g", line: 7 },
    { type: "added", text: "G", line: 7 },
    { type: "same", text: "h", line: 8 },
    { type: "added", text: "i", line: 9 },
  ]);
  assert.equal(isSame(lineDiff("x\ny", "x\ny") ?? []), true);
  assert.equal(isSame(lineDiff("x", "y") ?? []), false);
});

test("[WEB-30] the board has a column for every status in use, what waits first", () => {
  const columns = columnsOf([
    task("a", { status: "done" }),
    task("b", { status: "blocked" }),
    task("c", { status: "done" }),
  ]);
  assert.deepEqual(
    columns.map(({ status, tasks }) => [status, tasks.map(({ title }) => title)]),
    [
      ["blocked", ["b"]],
      ["done", ["a", "c"]],
    ],
  );
});

test("[WEB-31] a tool is shown with what came back, how long it took, and never before it happened", () => {
  const moments = [
    toolCalled(1, "c1", { input: '{"q":"tide"}' }),
    toolCalled(2, "c1", { run_id: "r2", input: "{cut", is_cut: true }),
    toolReturned(3, "c1", "high at noon"),
    toolCalled(4, "c9", { task_id: "task_b" }),
    toolReturned(5, "c7", "to a question nobody heard"),
  ];
  const shown = toolCallsOf(moments, "task_a");
  assert.deepEqual(
    shown.map(({ input, startedAt, result }) => [input.text, startedAt, result?.text, result?.at]),
    [
      ['{\n  "q": "tide"\n}', 1_000, "high at noon", 3_000],
      ["{cut", 2_000, undefined, undefined],
    ],
  );
  assert.deepEqual([shown[0]?.input.isCut, shown[1]?.input.isCut], [false, true]);
  assert.deepEqual(
    toolCallsOf(moments, "task_a", 2).map(({ result }) => result),
    [null, null],
  );
  assert.deepEqual(toolCallsOf(moments, "task_a", 0), []);
});

test("[WEB-31] in a few words, what a tool was called with is one short line", () => {
  assert.equal(gistOf('{\n  "q": "tide"\n}'), '"q": "tide"');
  assert.equal(gistOf("{}"), "");
  assert.equal(gistOf('{"content":"x","path":"src/tide.ts"}'), "src/tide.ts");
  assert.equal(gistOf('{"pattern":"TODO","path":"src"}'), "TODO");
  const items = [
    { text: "Write it", state: "done" },
    { text: "Run it", state: "active" },
  ];
  assert.equal(gistOf(JSON.stringify({ items })), "Run it");
  assert.equal(gistOf("x".repeat(200)).length, 72);
});

test("[WEB-22] several questions are answered each by itself, once all that must be are", () => {
  const color = { question_id: "color", prompt: "Which?", options: ["Red", "Blue"] };
  const size = {
    ...color,
    question_id: "size",
    allows_several: true as const,
    allows_other: true as const,
  };
  const note = { question_id: "note", prompt: "More?", options: [], is_optional: true as const };
  const questions = [color, size, note];
  const red = pick(color, pick(color, NOTHING_GIVEN, "Blue"), "Red");
  assert.equal(answersOf(questions, new Map([["color", red]])), null);
  const both = pick(size, pick(size, NOTHING_GIVEN, "Red"), "Blue");
  const given = new Map([
    ["color", red],
    ["size", write(size, pick(size, both, "Red"), " huge ")],
  ]);
  assert.deepEqual(answersOf(questions, given), [
    { question_id: "color", choices: ["Red"] },
    { question_id: "size", choices: ["Blue", "huge"] },
  ]);
  const own = new Map(given).set("color", write(color, red, "green"));
  assert.deepEqual(answersOf(questions, own)?.[0]?.choices, ["green"]);
  assert.equal(answersOf([note], new Map()), null);
});
