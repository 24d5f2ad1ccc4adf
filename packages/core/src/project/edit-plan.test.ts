import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse } from "../engine/refusal.ts";
import { planProblem } from "./deciders/decide-plan.ts";
import type { ProjectCommand } from "./model/commands.ts";
import type { DraftTask, Project } from "./model/entities.ts";
import { evolve } from "./model/evolve.ts";
import { waitingFor } from "./model/task-order.ts";
import { project } from "./project.ts";

const at = 1;
const by = { id: "ann", name: "Ann", via: "world" };
const draft = (title: string, after: readonly number[] = []): DraftTask => {
  return { title, description: "", role: null, after };
};
const [one, two, three] = ["task_abc_1", "task_abc_2", "task_abc_3"] as const;

function tell(state: Project | null, ...commands: readonly ProjectCommand[]): Project {
  for (const command of commands) {
    const outcome = project.decide(state, command);
    assert.ok(outcome.ok, `${command.type}: ${outcome.ok ? "" : outcome.detail}`);
    state = outcome.value.reduce(evolve, state);
  }
  assert.ok(state !== null);
  return state;
}

function planned(...tasks: readonly DraftTask[]): Project {
  const request = { projectId: "proj_abc", title: "t", text: "t", constraints: {} };
  return tell(
    null,
    { type: "submit", at, ...request, attachments: [], by },
    { type: "accept", at },
    { type: "start-kickoff", at, participants: [], poiId: "poi_table" },
    { type: "plan", at, runId: null, title: null, summary: "", tasks },
  );
}

const ids = ({ tasks }: Project) => tasks.map(({ taskId }) => taskId);
const after = ({ tasks }: Project, id: string) =>
  tasks.find(({ taskId }) => taskId === id)?.after ?? [];

test("[CORE-51] a plan with an unknown number, itself or a circle in what comes after what is refused by name", () => {
  const problems = [
    [[draft("a", [2])], "task 1 comes after task 2, and there are tasks 1 to 1"],
    [[draft("a", [0])], "task 1 comes after task 0, and there are tasks 1 to 1"],
    [[draft("a", [1.5])], "task 1 comes after task 1.5, and there are tasks 1 to 1"],
    [[draft("a", [1])], "task 1 comes after itself"],
    [[draft("a"), draft("b", [3]), draft("c", [2])], "tasks 2, 3 wait for each other"],
    [[draft("a"), draft("b", [1]), draft("c", [1, 2])], undefined],
  ] as const;
  for (const [tasks, problem] of problems) assert.equal(planProblem(tasks), problem);
  const long = { ...draft("a"), accept: ["x".repeat(301)] };
  assert.match(planProblem([long]) ?? "", /acceptance criterion/);
  assert.match(planProblem([{ ...draft("a"), verify: [" "] }]) ?? "", /command/);
});

test("[CORE-51] a task starts once what it comes after is done or cancelled", () => {
  const plan = planned(draft("a"), draft("b", [1]));
  const candidates = [{ agentId: "agent_eng", role: "eng", load: 0 }];
  const given = tell(plan, { type: "auto-assign", at, candidates });
  const start = { type: "start-task", at, taskId: two, runId: "r1" } as const;
  assert.deepEqual(project.decide(given, start), refuse("task.waiting", `${two} waits for ${one}`));
  const [, waiting] = given.tasks;
  assert.ok(waiting !== undefined);
  assert.deepEqual(waitingFor(given, waiting), [one]);
  tell(given, { type: "cancel-task", at, taskId: one, by }, start);
});

test("[CORE-51] people add, reword, remove and reorder tasks, and ids are never used twice", () => {
  const start = planned(draft("a"), draft("b", [1]), draft("c", [2]));
  const added = tell(
    start,
    { type: "remove-task", at, taskId: two, by },
    { type: "add-task", at, draft: draft("d"), after: [one], before: three, by },
  );
  assert.deepEqual(ids(added), [one, "task_abc_4", three]);
  assert.deepEqual(after(added, three), []);
  const edited = tell(
    added,
    { type: "edit-task", at, taskId: three, changes: { title: "C", after: ["task_abc_4"] }, by },
    { type: "reorder-tasks", at, taskIds: [three, "task_abc_4", one], by },
  );
  assert.deepEqual(ids(edited), [three, "task_abc_4", one]);
  assert.deepEqual(after(edited, three), ["task_abc_4"]);
  const refused: readonly (readonly [ProjectCommand, string])[] = [
    [{ type: "edit-task", at, taskId: one, changes: { after: [three] }, by }, "plan.malformed"],
    [{ type: "edit-task", at, taskId: one, changes: { after: [one] }, by }, "plan.malformed"],
    [{ type: "edit-task", at, taskId: one, changes: { title: " " }, by }, "plan.malformed"],
    [{ type: "edit-task", at, taskId: one, changes: { after: ["__proto__"] }, by }, "task.missing"],
    [{ type: "reorder-tasks", at, taskIds: [one, one, three], by }, "plan.malformed"],
    [{ type: "add-task", at, draft: draft("e"), after: ["x"], before: null, by }, "task.missing"],
    [{ type: "remove-task", at, taskId: two, by }, "task.missing"],
  ];
  for (const [command, code] of refused) {
    const outcome = project.decide(edited, command);
    assert.ok(!outcome.ok && outcome.code === code, command.type);
  }
});

test("[CORE-51] what was worked on is cancelled, not removed, and the last task stays", () => {
  const only = planned(draft("a"));
  const last = project.decide(only, { type: "remove-task", at, taskId: one, by });
  assert.ok(!last.ok && last.code === "plan.malformed");
  const candidates = [{ agentId: "agent_eng", role: "eng", load: 0 }];
  const begun = tell(
    planned(draft("a"), draft("b")),
    { type: "auto-assign", at, candidates },
    { type: "start-task", at, taskId: one, runId: "r1" },
  );
  const removed = project.decide(begun, { type: "remove-task", at, taskId: one, by });
  assert.ok(!removed.ok && removed.code === "task.status");
  const late = { type: "edit-task", at, taskId: one, changes: { after: [two] }, by } as const;
  assert.equal(project.decide(begun, late).ok, false);
});
