import assert from "node:assert/strict";
import { test } from "node:test";
import { textsOf } from "../../../i18n/texts.ts";
import { artifact, snapshotWith, task } from "../../../testing/snapshots.ts";
import { workNotes } from "./work-notes.ts";

const change = { commit: "c", base: "b", files: 1, added: 1, removed: 0, omitted: [], flagged: [] };
const checks = { version: 1, names: ["test"], results: [] };

test("[WEB-65] a task tells what it waits for by the plan's numbers, how its checks went and whether it is merged", () => {
  const first = task("a");
  const other = task("z", { project_id: "proj_b" });
  const last = task("b", { waiting_for: ["task_c", "task_a"], status: "assigned" });
  const tasks = [other, first, last, task("c")];
  const notes = (
    one = last,
    ...artifacts: readonly Parameters<typeof artifact>[1][]
  ): readonly string[] =>
    workNotes(
      one,
      snapshotWith({
        tasks,
        artifacts: artifacts.map((rest) => artifact("x", { task_id: one.task_id, ...rest })),
      }),
      textsOf("en"),
    ).map(({ text, tone }) => (tone === undefined ? text : `${text} (${tone})`));
  assert.deepEqual(notes(), ["waits for 1, 3"]);
  assert.deepEqual(notes({ ...last, status: "in_progress" }), []);
  assert.deepEqual(notes(first, {}), [], "a document has neither");
  assert.deepEqual(notes({ ...first, is_checking: true }, { change }), ["Checks running"]);
  assert.deepEqual(notes(first, { change, checks: { ...checks, state: "failed" } }), [
    "Checks failed (bad)",
  ]);
  assert.deepEqual(
    notes(first, { change, checks: { ...checks, state: "passed" }, landing: "landed" }),
    ["Checks passed (good)", "Merged (good)"],
  );
  assert.deepEqual(notes(first, { change, landing: "conflicted" }), ["Conflict (bad)"]);
});
