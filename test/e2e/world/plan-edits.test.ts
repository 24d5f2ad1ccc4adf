/** A plan in people's hands, over the world protocol. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldTask } from "@atrium/wire/world";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { codeOf, enterWorld, plannedProject } from "../../kit/world-peer.ts";

async function tasksAt(atrium: TestAtrium, projectId: string): Promise<readonly WorldTask[]> {
  await using peer = await enterWorld(atrium);
  const [snapshot] = peer.told("snapshot");
  const tasks: readonly WorldTask[] = snapshot?.payload.tasks ?? [];
  return tasks.filter(({ project_id }) => project_id === projectId);
}

test("[WORLD-28] people add, edit, remove and reorder tasks, everyone is told, and a task says what it waits for", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using other = await enterWorld(atrium);
  const { projectId, tasks } = await plannedProject(peer);
  const [first = "", second = ""] = tasks;
  const words = { accept: ["It starts.\u0000"], verify: ["npm test"], kind: "document" };
  await peer.ask("add_task", {
    project_id: projectId,
    title: "Write it up",
    after: [first],
    before: second,
    ...words,
  });
  const added = (await tasksAt(atrium, projectId)).find(({ title }) => title === "Write it up");
  const id = added?.task_id ?? "";
  await peer.ask("edit_task", { task_id: second, title: "Build it", after: [id] });
  const edited = await other.event("task_edited");
  assert.deepEqual([edited.payload.title, edited.payload.after], ["Build it", [id]]);
  const before = await tasksAt(atrium, projectId);
  assert.deepEqual(before.map(({ task_id }) => task_id).slice(0, 3), [first, id, second]);
  const [, made, waiting] = before;
  assert.deepEqual(
    [made?.accept, made?.verify, made?.kind, made?.waiting_for],
    [["It starts."], ["npm test"], "document", [first]],
  );
  assert.deepEqual(waiting?.waiting_for, [id]);
  await peer.ask("remove_task", { task_id: id });
  await other.event("task_removed");
  const rest = await tasksAt(atrium, projectId);
  assert.equal(rest.find(({ task_id }) => task_id === second)?.waiting_for, undefined);
  const reversed = rest.map(({ task_id }) => task_id).toReversed();
  await peer.ask("reorder_tasks", { project_id: projectId, task_ids: reversed });
  await other.event("tasks_reordered");
  const last = await tasksAt(atrium, projectId);
  assert.deepEqual(
    last.map(({ task_id }) => task_id),
    reversed,
  );
  assert.deepEqual(atrium.faults, []);
});

test("[WORLD-28] an edit that would leave a plan nobody can follow is refused by name and changes nothing", async () => {
  await using atrium = await openTestAtrium({ limits: { worldCommandBurst: 100 } });
  await using peer = await enterWorld(atrium);
  const { projectId, tasks } = await plannedProject(peer);
  const [first = "", second = ""] = tasks;
  await peer.ask("edit_task", { task_id: second, after: [first] });
  const before = await tasksAt(atrium, projectId);
  const cases: readonly (readonly [string, object, string, RegExp])[] = [
    ["edit_task", { task_id: first, after: [second] }, "VALIDATION_FAILED", /wait for each other/],
    ["edit_task", { task_id: first, after: [first] }, "VALIDATION_FAILED", /wait for each other/],
    ["edit_task", { task_id: first, after: ["__proto__"] }, "NOT_FOUND", /__proto__/],
    ["edit_task", { task_id: "constructor", title: "x" }, "NOT_FOUND", /constructor/],
    ["edit_task", { task_id: first, title: "\u0000" }, "VALIDATION_FAILED", /title/],
    [
      "add_task",
      { project_id: projectId, title: "x", before: "toString" },
      "NOT_FOUND",
      /toString/,
    ],
    ["add_task", { project_id: "proj_none", title: "x" }, "NOT_FOUND", /proj_none/],
    [
      "reorder_tasks",
      { project_id: projectId, task_ids: [first, first] },
      "VALIDATION_FAILED",
      /once/,
    ],
    ["remove_task", { task_id: "task_none" }, "NOT_FOUND", /task_none/],
    ["revert_artifact", { artifact_id: "__proto__" }, "NOT_FOUND", /__proto__/],
    ["resolve_comment", { artifact_id: "art_1", comment_id: "c" }, "NOT_FOUND", /art_1/],
    ["update_project", { project_id: projectId }, "CONFLICT", /merged/],
  ];
  for (const [name, data, code, says] of cases) {
    const answer = await peer.command(name, data);
    assert.equal(codeOf(answer), code, `${name} ${JSON.stringify(data)} ${JSON.stringify(answer)}`);
    assert.match(answer.payload.message, says, name);
  }
  assert.deepEqual(await tasksAt(atrium, projectId), before);
});
