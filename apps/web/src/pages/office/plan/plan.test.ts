import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, snapshotWith, task } from "../../../testing/snapshots.ts";
import { movedTo, proposedPeople } from "./proposals.ts";
import { changesIn, textOf } from "./task-text.ts";

test("[WEB-63] tasks are proposed to those whose role fits and who have least to do, never to the front desk or a visitor", () => {
  const crew = [
    agent("bd", { role: "front desk" }),
    agent("eng_1"),
    agent("eng_2"),
    agent("design", { role: "designer" }),
    agent("guest", { is_visitor: true }),
  ];
  const tasks = [
    task("a", { role: "engineer" }),
    task("b", { role: "design" }),
    task("c", { role: "engineer" }),
    task("d", { role: "engineer", assignee: "agent_eng_1", status: "in_progress" }),
    task("e"),
  ];
  const people = proposedPeople(tasks, snapshotWith({ agents: crew, tasks }));
  assert.deepEqual(Object.fromEntries(people), {
    task_a: "agent_eng_2",
    task_b: "agent_design",
    task_c: "agent_eng_1",
    task_e: "agent_eng_2",
  });
  const alone = [agent("bd")];
  assert.deepEqual(
    [...proposedPeople([task("a")], snapshotWith({ agents: alone }))],
    [["task_a", "agent_bd"]],
  );
  assert.deepEqual([...proposedPeople([task("a")], snapshotWith())], []);
});

test("[WEB-63] a task moves to the place of the one it is dropped on, up or down", () => {
  const ids = ["a", "b", "c", "d"];
  assert.deepEqual(movedTo(ids, "d", "b"), ["a", "d", "b", "c"]);
  assert.deepEqual(movedTo(ids, "a", "c"), ["b", "c", "a", "d"]);
  assert.deepEqual(movedTo(ids, "a", "a"), ids);
  assert.deepEqual(movedTo(ids, "a", "gone"), ids);
});

test("[WEB-63] of an edited task only what was changed is sent", () => {
  const before = textOf(task("a", { description: "one", accept: ["x"], after: ["task_b"] }));
  assert.deepEqual(changesIn(before, before), {});
  assert.deepEqual(changesIn(before, { ...before, description: "", after: [] }), {
    description: "",
    after: [],
  });
  assert.deepEqual(changesIn(textOf(undefined), { ...before, title: " a ", kind: "document" }), {
    title: "a",
    description: "one",
    kind: "document",
    accept: ["x"],
    after: ["task_b"],
  });
});
