import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project } from "@atrium/core";
import {
  ann,
  createStageBlobs,
  openProjectStage,
  type ProjectStage,
} from "./testing/project-stage.ts";
import { isPlanned, planned } from "./testing/project-steps.ts";
import { planOf, scriptAgents } from "./testing/scripted-agents.ts";

const ENGINEERS = ["agent_eng_1", "agent_eng_2"] as const;
const task = (stage: ProjectStage, title: string) => {
  const found = stage.project().tasks.find((each) => each.title === title);
  assert.ok(found, title);
  return found;
};
const statusOf = (project: Project, title: string) =>
  project.tasks.find((each) => each.title === title)?.status;

async function assign(stage: ProjectStage, title: string, agentId: string): Promise<void> {
  const { taskId, assignee } = task(stage, title);
  const isReassignment = assignee !== null;
  const done = await stage.tell({ type: "assign", taskId, agentId, by: ann, isReassignment });
  assert.ok(done.ok);
}

async function approve(stage: ProjectStage, title: string): Promise<void> {
  await stage.until(`${title} is reviewed`, (of) => statusOf(of, title) === "in_review");
  const { taskId } = task(stage, title);
  for (const each of stage.project().artifacts.filter((made) => made.taskId === taskId)) {
    const { artifactId } = each;
    assert.ok((await stage.tell({ type: "approve", artifactId, by: ann })).ok);
  }
}

async function openPlan(tasks: Readonly<Record<string, object>>) {
  const agents = scriptAgents({ plan: () => planOf(tasks), task: () => "Done." });
  const stage = await openProjectStage(agents);
  await planned(stage);
  return { stage, turns: agents.turns };
}

test("[DIR-13] a plan says what a task comes after, is accepted by, is verified with and yields", async () => {
  const { stage } = await openPlan({
    Look: { kind: "document", accept: [" Names three sources. "], role: null, verify: null },
    Build: { after: [1], verify: ["npm test"], accept: ["It works."], description: null },
  });
  await using _ = stage;
  const [look, build] = stage.project().tasks;
  assert.deepEqual(
    [look?.kind, look?.accept, look?.verify, look?.after],
    ["document", ["Names three sources."], [], []],
  );
  assert.deepEqual(
    [build?.kind, build?.accept, build?.verify, build?.after],
    ["change", ["It works."], ["npm test"], [look?.taskId]],
  );
});

test("[DIR-13] a plan that cannot be followed is sent back with what is wrong, and then a person decides", async () => {
  const flaws: readonly [Readonly<Record<string, object>>, RegExp][] = [
    [{ A: { after: [2] }, B: { after: [1] } }, /tasks 1, 2 wait for each other/],
    [{ A: {}, B: { after: [3] } }, /task 2 comes after task 3, and there are tasks 1 to 2/],
    [{ A: { after: [0] } }, /task 1 comes after task 0/],
    [{ A: { after: [1] } }, /task 1 comes after itself/],
    [{ A: { after: [0.5] } }, /task 1 comes after task 0\.5/],
    [{ A: { after: ["1"] } }, /after/],
    [{ A: { kind: "poem" } }, /kind/],
    [{ A: { accept: ["x".repeat(301)] } }, /acceptance criterion/],
    [{ A: { verify: Array.from({ length: 6 }, () => "true") } }, /6 commands/],
  ];
  for (const [tasks, why] of flaws) {
    const agents = scriptAgents({ plan: () => planOf(tasks), task: () => "Done." });
    await using stage = await openProjectStage(agents);
    await stage.submit("Build it");
    await stage.until("a decision", ({ decisions }) => decisions.length === 1);
    assert.equal(agents.turns.length, 2);
    assert.match(agents.turns[1]?.prompt ?? "", why);
    assert.match(agents.turns[1]?.prompt ?? "", /^This plan cannot be used:\n> /);
    assert.match(stage.project().decisions[0]?.prompt ?? "", why);
    assert.deepEqual(stage.project().tasks, []);
  }
});

test("[DIR-14] a task starts when what it comes after is done, and its agent does others meanwhile", async () => {
  const { stage, turns } = await openPlan({
    A: {},
    B: { after: [1] },
    C: {},
    D: { after: [1, 3] },
  });
  await using _ = stage;
  await assign(stage, "B", "agent_eng_1");
  await assign(stage, "D", "agent_eng_2");
  await stage.idle();
  assert.equal(statusOf(stage.project(), "B"), "assigned");
  const { taskId } = task(stage, "B");
  const early = await stage.tell({ type: "start-task", taskId, runId: "early" });
  assert.ok(!early.ok && early.code === "task.waiting");
  // C comes after nothing, so it goes before B, which was given first.
  await assign(stage, "C", "agent_eng_1");
  await assign(stage, "A", "agent_eng_2");
  await approve(stage, "C");
  await stage.idle();
  assert.equal(
    statusOf(stage.project(), "D"),
    "assigned",
    "half of what it waits for is not enough",
  );
  await approve(stage, "A");
  await approve(stage, "B");
  await approve(stage, "D");
  await stage.until("an end", ({ status }) => status === "completed");
  const order = turns.map(({ prompt }) => /^Task \d of 4: (.)/.exec(prompt)?.[1] ?? "plan");
  assert.equal(order[0], "plan");
  assert.ok(order.indexOf("B") > order.indexOf("A"));
  assert.ok(order.indexOf("D") > Math.max(order.indexOf("A"), order.indexOf("C")));
  assert.equal(order.length, 5);
  assert.deepEqual(stage.faults, []);
});

test("[DIR-14] what waits starts when what it waits for is cancelled, removed, or no longer needed", async () => {
  const ends: Readonly<Record<string, (stage: ProjectStage) => Promise<unknown>>> = {
    cancelled: (stage) =>
      stage.tell({ type: "cancel-task", taskId: task(stage, "A").taskId, by: ann }),
    removed: (stage) =>
      stage.tell({ type: "remove-task", taskId: task(stage, "A").taskId, by: ann }),
    edited: (stage) =>
      stage.tell({
        type: "edit-task",
        taskId: task(stage, "B").taskId,
        changes: { after: [] },
        by: ann,
      }),
  };
  for (const [how, end] of Object.entries(ends)) {
    const { stage } = await openPlan({ A: {}, B: { after: [1] } });
    await using _ = stage;
    await assign(stage, "B", ENGINEERS[0]);
    await stage.idle();
    assert.equal(statusOf(stage.project(), "B"), "assigned", how);
    await end(stage);
    await stage.until(`B starts: ${how}`, (of) => statusOf(of, "B") === "in_review");
    assert.deepEqual(stage.faults, [], how);
  }
});

test("[DIR-15] a task's prompt has the request, what it is accepted by, the plan, and results it builds on", async () => {
  const { stage, turns } = await openPlan({
    Look: { kind: "document", description: "Find three sources." },
    Build: { after: [1], accept: ["It is fast."], verify: ["npm test"] },
  });
  await using _ = stage;
  await assign(stage, "Look", ENGINEERS[0]);
  await assign(stage, "Build", ENGINEERS[1]);
  await approve(stage, "Look");
  await approve(stage, "Build");
  const [plan, look, build] = turns.map(({ prompt }) => prompt);
  assert.match(plan ?? "", /^What was asked:\n> Create a landing page/m);
  assert.match(plan ?? "", /^The team:\n- BD, front desk\n/m);
  assert.match(
    look ?? "",
    /^Task 1 of 2: Look\n\n> Find three sources\.\n\nIt is part of: All of it\n/,
  );
  assert.match(look ?? "", /^It yields a document:/m);
  assert.match(build ?? "", /^It is accepted when:\n> - It is fast\.$/m);
  assert.match(build ?? "", /^Checks that what you hand over must pass:\n> - npm test$/m);
  assert.match(
    build ?? "",
    /^The plan:\n1\. Look \(Eng 1, done\)\n2\. Build \(Eng 2, in progress, after 1\) <- this task$/m,
  );
  assert.match(
    build ?? "",
    /^What it builds on:\nTask 1, Look \(done\):\n> Done\.\nHanded over: look\.md \(art_abc_1\)$/m,
  );
  for (const { instructions } of turns.slice(1)) assert.match(instructions, /Do not\s+commit/);
});

test("[DIR-19] whoever takes a task over gets what came with the request and what was said before", async () => {
  const agents = scriptAgents({
    plan: () => planOf({ Build: { description: "Build it." } }),
    task: async ({ agent }, host) => {
      if (agent.id === ENGINEERS[0]) await host.sleep(1e9);
      return `Done by ${agent.name}.`;
    },
  });
  const blobs = createStageBlobs();
  await using stage = await openProjectStage({ ...agents, blobs });
  const digest = await blobs.put(Buffer.from("A keel."));
  const attachments = [{ name: "boat.txt", mediaType: "text/plain", bytes: 7, digest }];
  const request = { title: "A boat", text: "Build me a boat", constraints: {}, attachments };
  await stage.tell({ type: "submit", projectId: "proj_abc", ...request, by: ann });
  await stage.until("a plan", isPlanned);
  await assign(stage, "Build", ENGINEERS[0]);
  await stage.until("work", (of) => statusOf(of, "Build") === "in_progress");
  await stage.until("a turn", () => agents.turns.length === 2);
  await assign(stage, "Build", ENGINEERS[1]);
  await stage.until("a review", (of) => statusOf(of, "Build") === "in_review");
  const [, first, second] = agents.turns;
  assert.equal(second?.agent.id, ENGINEERS[1]);
  assert.match(second?.prompt ?? "", /^> Build it\.$/m);
  assert.match(second?.prompt ?? "", /An earlier attempt at this task was interrupted/);
  assert.deepEqual(second?.history[0], { role: "user", text: first?.prompt });
  assert.deepEqual(second?.attachments, first?.attachments);
  assert.equal(second?.attachments[0]?.name, "boat.txt");
  // Whoever goes on alone is told nothing twice.
  const { artifactId = "" } = stage.project().artifacts[0] ?? {};
  await stage.tell({ type: "request-changes", artifactId, instructions: "Red.", by: ann });
  await stage.until("a third turn", () => agents.turns.length === 4);
  const own = agents.turns[3]?.history.map(({ text }) => text) ?? [];
  assert.equal(own.filter((text) => text === "Done by Eng 2.").length, 1);
  assert.deepEqual(agents.turns[3]?.attachments, []);
});
