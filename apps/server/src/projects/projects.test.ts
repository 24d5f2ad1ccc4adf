import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { addUsage, NOTHING_USED, readEnd, type Project } from "@atrium/core";
import { createRehearsal } from "../agents/rehearsal/rehearsal.ts";
import type { AgentRuntime } from "../agents/turn/agent-runtime.ts";
import { ann, openProjectStage, SEED, type ProjectStage } from "./testing/project-stage.ts";
import {
  candidates,
  isIn,
  isPlanned,
  planned,
  REQUEST,
  reviewed,
} from "./testing/project-steps.ts";

test("[DIR-1] a request becomes a kickoff, a plan and tasks, in the protocol's order", async () => {
  await using stage = await openProjectStage();
  await planned(stage);
  await stage.until("BD's word", () => true);
  const ours = new Set(["planning_started", "plan_drafted", "usage_counted"]);
  const names = (await stage.names()).filter((name) => !ours.has(name));
  assert.deepEqual(names.slice(0, 5), [
    "request_submitted",
    "request_accepted",
    "kickoff_started",
    "tasks_created",
    "kickoff_finished",
  ]);
  const { tasks, participants } = stage.project();
  assert.ok(tasks.length >= 2 && tasks.length <= 5);
  const walked = new Set((await stage.goals()).map(({ agentId }) => agentId));
  for (const agentId of participants) {
    assert.ok(walked.has(agentId), `${agentId} walks to the table`);
  }
  assert.deepEqual(stage.faults, []);
});

test("[DIR-1] the plan is told when everyone who was called to the kickoff is at the table", async () => {
  await using stage = await openProjectStage();
  await planned(stage);
  const events = await stage.events();
  const told = events.find(({ type }) => type === "project.tasks_created");
  const { participants } = stage.project();
  const walks = (await stage.goals()).filter(({ poiId }) => poiId === "poi_meeting_table");
  assert.deepEqual(new Set(walks.map(({ agentId }) => agentId)), new Set(participants));
  const last = Math.max(...walks.map(({ arrivesAt }) => arrivesAt));
  assert.ok((told?.at ?? 0) >= last, `told at ${told?.at}, the last is there at ${last}`);
  const started = events.find(({ type }) => type === "project.kickoff_started");
  assert.ok((told?.at ?? 0) - (started?.at ?? 0) < 10_000, "and that is within seconds");
  assert.equal(stage.project().draft, null);
});

test("[DIR-8] the tools an agent uses and how far it is are told as progress of its task", async () => {
  const rehearsal = createRehearsal("busy", { pace: 0, seed: SEED });
  const list = [
    { content: "Plan", status: "completed", activeForm: "Planning" },
    { content: "Test", status: "in_progress", activeForm: "Testing it" },
    { content: "Ship", status: "pending", activeForm: "Shipping" },
    { content: "Rest", status: "pending", activeForm: "Resting" },
  ];
  const runtime: AgentRuntime = {
    ...rehearsal,
    async *start(turn, host) {
      if (turn.form !== "task") {
        yield* rehearsal.start(turn, host);
        return;
      }
      yield { type: "thinking", delta: "Nobody may read that I think this." };
      yield { type: "tool.called", id: "c1", name: "TodoWrite", input: { todos: list } };
      yield { type: "tool.returned", id: "c1", text: "ok", isError: false };
      await turns();
      const input = { command: "npm test --token hunter2-hunter2\u202e" };
      yield { type: "tool.called", id: "c2", name: "Bash", input };
      yield { type: "tool.returned", id: "c2", text: "ok", isError: false };
      await turns();
      yield { type: "text", delta: "All of it is done." };
      yield { type: "completed", stopReason: "stop" };
    },
  };
  await using stage = await openProjectStage({ runtime });
  await planned(stage);
  await stage.tell({ type: "auto-assign", candidates });
  await stage.until("reviews", isIn("in_review"));
  const [task] = stage.project().tasks;
  const told = (await stage.events()).flatMap((event) => {
    if (event.type !== "project.task_progress" || event.taskId !== task?.taskId) return [];
    return [[event.kind, event.preview, event.percent]];
  });
  assert.deepEqual(told.slice(0, 2), [
    ["tool", "Testing it", 25],
    ["tool", "Running npm test --token [key]", 25],
  ]);
  assert.equal(JSON.stringify(told).includes("Nobody may read"), false);
  assert.equal(task?.percent, 25);
  assert.deepEqual(stage.faults, []);
});

/** As long as it takes for whatever is under way to be written down. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await turnOfLoop();
}

test("[DIR-2] from assignment to trophy: ask, deliver, review, done", async () => {
  await using stage = await openProjectStage();
  await reviewed(stage);
  for (const { artifactId } of stage.project().artifacts) {
    assert.ok((await stage.tell({ type: "approve", artifactId, by: ann })).ok);
  }
  await stage.until("an end", ({ status }) => status === "completed");
  const names = await stage.names();
  for (const name of [
    "task_assigned",
    "task_started",
    "decision_requested",
    "task_blocked",
    "decision_resolved",
    "artifact_created",
    "work_finished",
    "artifact_delivered",
    "review_requested",
    "review_approved",
    "task_done",
    "completed",
  ]) {
    assert.ok(names.includes(name), name);
  }
  assert.equal(names.filter((name) => name === "decision_requested").length, 1);
  const goals = await stage.goals();
  const kinds = new Set(goals.map(({ kind }) => kind));
  assert.deepEqual([...kinds].toSorted(), ["deliver_artifact", "go_to_poi", "seek_decision"]);
  const carried = goals.filter(({ kind }) => kind === "deliver_artifact");
  const delivered = (await stage.events()).filter(
    (event) => event.type === "project.artifact_delivered",
  );
  const places = [...carried, ...delivered].map(({ poiId }) => poiId);
  assert.deepEqual(new Set(places), new Set(["poi_delivery_shelf"]));
  await stage.idle();
  const { projectId } = stage.project();
  const unlocked = (await Array.fromAsync(stage.log.read({}))).filter(
    ({ type }) => type === "decor.unlocked",
  );
  assert.deepEqual(
    unlocked.map(({ data }) => Reflect.get(Object(data), "projectId")),
    [projectId],
  );
  assert.deepEqual(stage.faults, []);
});

test("[PAGE-10] the conversations in which a project is planned and its tasks are worked on are named after them", async () => {
  await using stage = await openProjectStage();
  await reviewed(stage);
  const { title, tasks } = stage.project();
  const labels = new Set<string | undefined>();
  for await (const { stream, type, data } of stage.log.read({})) {
    if (!/:(?:project|task):/.test(stream) || type !== "conversation.patched") continue;
    const { changes } = data as { readonly changes: { readonly label?: string } };
    labels.add(changes.label);
  }
  // It is planned before it has a title of its own.
  const expected = new Set([
    `Plan · ${REQUEST}`,
    ...tasks.map((task) => `${task.title} · ${title}`),
  ]);
  assert.deepEqual(labels, expected);
});

test("[DIR-3] changes go back to the same agent and come as the next version", async () => {
  await using stage = await openProjectStage();
  await reviewed(stage);
  const [artifact] = stage.project().artifacts;
  assert.ok(artifact);
  const { artifactId, taskId } = artifact;
  const changes = { artifactId, instructions: "Shorter, please", by: ann };
  assert.ok((await stage.tell({ type: "request-changes", ...changes })).ok);
  await stage.until("a new version", ({ artifacts }) =>
    artifacts.some(
      (each) => each.artifactId === artifactId && each.version === 2 && each.status === "delivered",
    ),
  );
  const task = stage.project().tasks.find((each) => each.taskId === taskId);
  assert.equal(task?.status, "in_review");
  assert.equal(task.attempts, 2);
  const agents = (await stage.events()).flatMap((event) =>
    event.type === "project.task_started" && event.taskId === taskId ? [event.agentId] : [],
  );
  assert.deepEqual(agents, [task.assignee, task.assignee]);
  const runs = (await stage.runs("run.requested")).filter(({ runId }) => runId.includes(taskId));
  assert.equal(runs.length, 2);
  assert.equal(runs[0]?.stream, runs[1]?.stream);
});

test("[DIR-4] a person is asked about a plan that cannot be followed, after it was repaired in vain", async () => {
  const said = ["no plan", "still none", "none", "none"];
  await using stage = await openProjectStage({
    runtime: {
      name: "bad",
      type: "test",
      model: { provider: "test", id: "bad", contextTokens: 1_000 },
      async *start() {
        yield { type: "text", delta: said.shift() ?? "nothing" };
        yield { type: "completed", stopReason: "stop" };
      },
    },
  });
  await stage.submit(REQUEST);
  await stage.until("a decision", ({ decisions }) => decisions.length === 1);
  assert.equal(stage.project().planAttempts, 2);
  const [question] = stage.questions();
  assert.match(question?.text ?? "", /there is no JSON object in it/);
  await stage.humanInput.answerQuestion(question?.id ?? "", { answer: ["Make it one task"] }, ann);
  await stage.until("a plan", isPlanned);
  assert.equal(stage.project().tasks[0]?.title, REQUEST);
});

test("[DIR-5] a failed turn fails its task and says so; it can be done again", async () => {
  await using stage = await openProjectStage();
  await planned(stage, `${REQUEST} [[fail: the disk is full]]`);
  const [first] = stage.project().tasks;
  assert.ok(first);
  const { taskId } = first;
  const give = { agentId: "agent_eng_1", by: ann, isReassignment: false };
  await stage.tell({ type: "assign", taskId, ...give });
  await stage.until("a failure", ({ tasks }) => tasks[0]?.status === "failed");
  assert.equal(stage.project().tasks[0]?.note, "the disk is full");
  assert.ok((await stage.tell({ type: "rerun-task", taskId, by: ann })).ok);
  await stage.until("a second try", ({ tasks }) => tasks[0]?.attempts === 2);
  await stage.until("a second failure", ({ tasks }) => tasks[0]?.status === "failed");
});

/** Resolves once the run is stopped; never, if it goes on or ends in another way. */
async function stopped(stage: ProjectStage, runId: string | null | undefined): Promise<void> {
  let aborted: readonly { readonly runId: string }[] = [];
  await stage.until(`${runId} is stopped`, () => {
    void stage.runs("run.aborted").then((runs) => (aborted = runs));
    return aborted.some((run) => run.runId === runId);
  });
}

/** Fails until it is told not to. */
function unwell(failures: number): AgentRuntime {
  const well = createRehearsal("well", { pace: 0, seed: SEED });
  let left = failures;
  return {
    ...well,
    start(turn, host) {
      if (left-- <= 0) return well.start(turn, host);
      return (async function* fail() {
        yield { type: "failed", kind: "unavailable", reason: "the model is away" } as const;
      })();
    },
  };
}

test("[DIR-5] a plan that fails says why; the project is planned again when asked to, or dismissed with all that hangs on it", async () => {
  await using stage = await openProjectStage({ runtime: unwell(1) });
  await stage.submit(REQUEST);
  await stage.until("a failure", ({ status }) => status === "failed");
  assert.equal(stage.project().failure, "the model is away");
  const again = { participants: ["agent_bd"], poiId: "poi_meeting_table" };
  assert.ok((await stage.tell({ type: "start-kickoff", ...again })).ok);
  await stage.until("a plan", isPlanned);
  assert.equal(stage.project().failure, null);

  await stage.tell({ type: "auto-assign", candidates });
  await stage.until("a question", ({ decisions }) => decisions.length > 0);
  const waitingRuns = stage
    .project()
    .tasks.flatMap(({ status, runId }) => (status === "blocked" && runId !== null ? [runId] : []));
  assert.ok(waitingRuns.length > 0);
  assert.ok((await stage.tell({ type: "cancel", by: ann })).ok);
  await stage.until("an end", ({ status }) => status === "cancelled");
  const isOver = (): boolean => stage.questions().length === 0;
  await stage.until("nothing asked", isOver);
  assert.ok(stage.project().tasks.every(({ status }) => status === "cancelled"));
  await stage.idle();
  for (const runId of waitingRuns) await stopped(stage, runId);
});

test("[DIR-9] a project beyond its budget pauses and asks once; it goes on when told to, and stays paused when not", async () => {
  for (const [answer, isOver] of [
    ["Continue", false],
    ["Stop", true],
  ] as const) {
    await using stage = await openProjectStage({ budget: { tokens: 200 } });
    await stage.submit(REQUEST);
    await stage.until("a question", ({ decisions }) => decisions.length > 0);
    await stage.until("a pause", ({ status }) => status === "paused");
    const [decision] = stage.project().decisions;
    assert.deepEqual([decision?.kind, decision?.options], ["budget", ["Continue", "Stop"]]);
    assert.match(decision?.prompt ?? "", /has used \d+ tokens; its budget is 200\. Go on\?/);
    assert.equal(stage.questions().length, 1);
    for (const { id } of stage.questions()) {
      await stage.humanInput.answerQuestion(id, { answer: [answer] }, ann);
    }
    await stage.until("an answer", ({ decisions }) => decisions[0]?.status === "resolved");
    if (isOver) {
      assert.equal(stage.project().status, "paused");
      assert.equal((await stage.names()).includes("resumed"), false);
      continue;
    }
    await stage.until("going on", isPlanned);
    // It asks again when as much again is used.
    await stage.tell({ type: "auto-assign", candidates });
    await stage.until("another question", ({ decisions }) =>
      decisions.some(({ prompt }) => /its budget is 400/.test(prompt)),
    );
    await stage.until("another pause", ({ status }) => status === "paused");
  }
});

test("[CORE-23] what every run used is counted once, whatever became of it", async () => {
  const rehearsal = createRehearsal("priced", { pace: 0, seed: SEED });
  const runtime: AgentRuntime = {
    ...rehearsal,
    async *start(turn, host) {
      for await (const event of rehearsal.start(turn, host)) {
        const isUsage = event.type === "usage";
        yield isUsage ? { ...event, usage: { ...event.usage, cost: 0.01 } } : event;
      }
    },
  };
  await using stage = await openProjectStage({ runtime });
  await planned(stage, `${REQUEST} [[fail: the disk is full]]`);
  await stage.tell({ type: "auto-assign", candidates });
  const isSettled = ({ tasks }: Project): boolean =>
    tasks.every(({ status }) => status === "failed" || status === "in_review");
  await stage.until("all tried", isSettled);
  const failed = stage.project().tasks.find(({ status }) => status === "failed");
  assert.ok(failed);
  assert.ok((await stage.tell({ type: "rerun-task", taskId: failed.taskId, by: ann })).ok);
  const runs = 1 + stage.project().tasks.length + 1;
  const isCounted = ({ used }: Project): boolean => used.cost === runs / 100;
  await stage.until("a plan and all tries counted", isCounted);
  const ends = (await Array.fromAsync(stage.log.read({}))).flatMap((entry) => {
    return /^run\.(?:completed|failed)$/.test(entry.type) ? (readEnd(entry) ?? []) : [];
  });
  const usages = ends.flatMap((ended) => ("usage" in ended ? [ended.usage] : []));
  assert.deepEqual(stage.project().used, usages.reduce(addUsage, NOTHING_USED));
  const twice = stage.project().tasks.find(({ taskId }) => taskId === failed.taskId);
  assert.equal(twice?.used.cost, 0.02);
});

test("[DIR-6] permissions are decisions too; whoever answers first decides", async () => {
  await using stage = await openProjectStage();
  await planned(stage, `${REQUEST} [[approve: shell npm publish]]`);
  const give = { agentId: "agent_eng_1", by: ann, isReassignment: false };
  await stage.tell({ type: "assign", taskId: stage.project().tasks[0]?.taskId ?? "", ...give });
  await stage.until("a decision", ({ decisions }) => decisions.length === 1);
  assert.equal(stage.project().decisions[0]?.kind, "permission");
  assert.equal(stage.project().tasks[0]?.status, "blocked");
  const [approval] = stage.approvals();
  await stage.humanInput.resolveApproval(approval?.id ?? "", { type: "deny" }, ann);
  await stage.until("a verdict", ({ decisions }) => decisions[0]?.choice === "Deny");
  await stage.until("a review", ({ tasks }) => tasks[0]?.status === "in_review");
});

test("[DIR-7] a paused project does nothing and goes on with what was under way", async () => {
  await using stage = await openProjectStage();
  await planned(stage, `${REQUEST} [[hang]]`);
  const give = { agentId: "agent_eng_1", by: ann, isReassignment: false };
  await stage.tell({ type: "assign", taskId: stage.project().tasks[0]?.taskId ?? "", ...give });
  await stage.until("work", ({ tasks }) => tasks[0]?.status === "in_progress");
  const { runId } = stage.project().tasks[0] ?? {};
  assert.ok((await stage.tell({ type: "pause", by: ann, reason: "lunch" })).ok);
  await stopped(stage, runId);
  assert.equal(stage.project().tasks[0]?.attempts, 1);
  assert.ok((await stage.tell({ type: "resume", by: ann })).ok);
  await stage.until("a second run", ({ tasks }) => tasks[0]?.attempts === 2);
  assert.equal(stage.project().tasks[0]?.status, "in_progress");
});

test("[DIR-7] a task that is given to someone else stops here and goes on there", async () => {
  await using stage = await openProjectStage();
  await planned(stage, `${REQUEST} [[sleep: 10m]]`);
  const [first] = stage.project().tasks;
  const taskId = first?.taskId ?? "";
  await stage.tell({
    type: "assign",
    taskId,
    agentId: "agent_eng_1",
    by: ann,
    isReassignment: false,
  });
  await stage.until("work", ({ tasks }) => tasks[0]?.status === "in_progress");
  const { runId } = stage.project().tasks[0] ?? {};
  await stage.tell({
    type: "assign",
    taskId,
    agentId: "agent_eng_2",
    by: ann,
    isReassignment: true,
  });
  await stage.until("work elsewhere", ({ tasks }) => tasks[0]?.attempts === 2);
  assert.equal(stage.project().tasks[0]?.assignee, "agent_eng_2");
  await stopped(stage, runId);
});
