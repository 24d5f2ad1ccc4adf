import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { createProjects, type Project } from "@atrium/core";
import { openMemoryLog } from "@atrium/log";
import {
  ann,
  createStageBlobs,
  openProjectStage,
  type ProjectStage,
} from "./testing/project-stage.ts";
import {
  answerAll,
  candidates,
  isIn,
  isPlanned,
  planned,
  REQUEST,
} from "./testing/project-steps.ts";

test("[DIR-11] a plan that waits for people survives a kill, a pause and a second kickoff, and is told once", async () => {
  for (const what of ["killed", "paused"] as const) {
    const log = openMemoryLog();
    const blobs = createStageBlobs();
    const first = await openProjectStage({ log, blobs });
    await first.submit(REQUEST);
    for await (const batch of log.tail(0)) {
      if (batch.some(({ type }) => type === "project.plan_drafted")) break;
    }
    if (what === "paused") await first.tell({ type: "pause", by: ann, reason: "lunch" });
    first.kill();
    await first[Symbol.asyncDispose]();
    const second = await openProjectStage({ log, blobs });
    if (what === "paused") {
      assert.ok((await second.tell({ type: "resume", by: ann })).ok);
    }
    await second.until("a plan", isPlanned);
    const names = await second.names();
    for (const once of ["planning_started", "plan_drafted", "tasks_created", "kickoff_finished"]) {
      assert.equal(names.filter((name) => name === once).length, 1, `${once}, ${what}`);
    }
    assert.deepEqual(second.faults, []);
    await second[Symbol.asyncDispose]();
    await log.close();
  }
});

test("[DIR-11] whatever moment the process is killed at, the project goes on and nothing happens twice", async () => {
  for (let killAt = 1; killAt <= 40; killAt += 3) {
    const log = openMemoryLog();
    const blobs = createStageBlobs();
    const finish = async (stage: ProjectStage): Promise<void> => {
      await stage.until("a plan", ({ tasks }) => tasks.length > 0);
      if (stage.project().tasks.some(({ status }) => status === "planned")) {
        await stage.tell({ type: "auto-assign", candidates });
      }
      while (!isIn("in_review")(stage.project())) {
        const isWaited = (of: Project): boolean =>
          isIn("in_review")(of) || stage.questions().length > 0;
        await stage.until("a question or a review", isWaited);
        await answerAll(stage);
      }
    };
    const first = await openProjectStage({ log, blobs });
    const before = log.head;
    const killed = (async () => {
      for await (const batch of log.tail(before)) {
        if ((batch.at(-1)?.seq ?? 0) >= before + killAt) return first.kill();
      }
    })();
    const running = (async () => {
      await first.submit(REQUEST);
      await finish(first);
    })();
    await Promise.race([killed, running]);
    first.kill();
    running.catch(() => undefined);
    await first[Symbol.asyncDispose]();

    const second = await openProjectStage({ log, blobs });
    if ((await second.names()).length === 0) await second.submit(REQUEST);
    await finish(second);
    const { tasks, artifacts, decisions } = second.project();
    assert.ok(isIn("in_review")(second.project()), `killed at ${killAt}`);
    assert.equal(artifacts.length, tasks.length, `killed at ${killAt}: one artifact a task`);
    const answered = decisions.filter(({ status }) => status === "resolved");
    assert.ok(answered.length >= 1, `killed at ${killAt}`);
    const names = await second.names();
    for (const once of [
      "request_accepted",
      "kickoff_started",
      "tasks_created",
      "kickoff_finished",
    ]) {
      assert.equal(names.filter((name) => name === once).length, 1, `${once}, killed at ${killAt}`);
    }
    assert.deepEqual(second.faults, []);
    const again = createProjects();
    for await (const entry of log.read({ after: 0 })) again.apply(entry);
    assert.deepEqual(again.get("proj_abc"), second.project(), `killed at ${killAt}: the fold`);
    await second[Symbol.asyncDispose]();
    await log.close();
  }
});

test("[DIR-11] a plan that waits for its meeting, and whoever is on the way to the shelf, arrive after a restart", async () => {
  const log = openMemoryLog();
  const blobs = createStageBlobs();
  /** Stops when everything is handled, so that the next start hears of none of it again. */
  const restart = async (stage: ProjectStage): Promise<ProjectStage> => {
    await stage.idle();
    await stage[Symbol.asyncDispose]();
    return openProjectStage({ log, blobs });
  };
  const first = await openProjectStage({ log, blobs });
  first.holdTimers();
  await first.submit(REQUEST);
  await first.until("a draft", ({ draft }) => draft !== null);

  const second = await restart(first);
  await second.until("a plan", isPlanned);
  second.holdTimers();
  const [task] = second.project().tasks;
  assert.ok(task);
  const { taskId } = task;
  const give = { agentId: "agent_research_1", by: ann, isReassignment: false };
  await second.tell({ type: "assign", taskId, ...give });
  await second.until("a question", () => second.questions().length > 0);
  await answerAll(second);
  await second.until("a review", ({ tasks }) => tasks[0]?.status === "in_review");
  await second.idle();
  assert.equal((await second.goals()).at(-1)?.kind, "deliver_artifact", "on the way to the shelf");

  const third = await restart(second);
  let goal = (await third.goals()).at(-1);
  for (let turn = 0; turn < 1_000 && goal?.kind !== "go_to_poi"; turn++) {
    await turnOfLoop();
    goal = (await third.goals()).at(-1);
  }
  assert.equal(goal?.poiId, "poi_desk_1", "and home from there");
  const names = await third.names();
  for (const once of ["tasks_created", "kickoff_finished", "work_finished", "artifact_delivered"]) {
    assert.equal(names.filter((name) => name === once).length, 1, once);
  }
  assert.deepEqual(third.faults, []);
  await third[Symbol.asyncDispose]();
  await log.close();
});

test("[DIR-11] work that an earlier version left on its way to the shelf is up for review after the start", async () => {
  const log = openMemoryLog();
  const blobs = createStageBlobs();
  const first = await openProjectStage({ log, blobs, isBusy: (type) => type === "finish-work" });
  await planned(first);
  const [task] = first.project().tasks;
  assert.ok(task);
  const { taskId } = task;
  const give = { agentId: "agent_research_1", by: ann, isReassignment: false };
  await first.tell({ type: "assign", taskId, ...give });
  await first.until("a question", () => first.questions().length > 0);
  await answerAll(first);
  await first.until("a result", ({ artifacts }) => artifacts.length > 0);
  const { runId } = first.project().tasks[0] ?? {};
  first.kill();
  await first[Symbol.asyncDispose]();
  const usage = { inputTokens: 1, outputTokens: 1 };
  const at = Date.now();
  const data = { at, taskId, runId, usage };
  const stream = "project/proj_abc";
  const newest = (await Array.fromAsync(log.read({ stream }))).at(-1);
  await log.append(stream, newest?.seq ?? 0, [{ type: "project.work_finished", at, data }]);

  const second = await openProjectStage({ log, blobs });
  await second.until("a review", ({ tasks }) => tasks[0]?.status === "in_review");
  await second.idle();
  const names = await second.names();
  for (const once of ["work_finished", "artifact_delivered", "review_requested"]) {
    assert.equal(names.filter((name) => name === once).length, 1, once);
  }
  assert.deepEqual(second.faults, []);
  await second[Symbol.asyncDispose]();
  await log.close();
});

test("[DIR-11] stopped while the log is too busy for what follows, a project goes on after the next start", async () => {
  const log = openMemoryLog();
  let attempts = 0;
  const isBusy = (command: string): boolean => command === "accept" && ++attempts > 0;
  const first = await openProjectStage({ log, isBusy });
  await first.submit(REQUEST);
  await first.until("a third attempt", () => attempts > 2);
  await first[Symbol.asyncDispose]();
  assert.deepEqual(first.faults, []);
  const second = await openProjectStage({ log });
  await second.until("a plan", isPlanned);
  await second[Symbol.asyncDispose]();
  await log.close();
});

test("[DIR-11] what an agent is asked, and where people go, does not get lost in a busy log", async () => {
  let left = 3;
  const isBusy = (command: string): boolean =>
    (command === "send" || command === "set-goal") && left-- > 0;
  await using stage = await openProjectStage({ isBusy });
  await planned(stage);
  const walked = new Set((await stage.goals()).map(({ agentId }) => agentId));
  assert.deepEqual(walked, new Set(stage.project().participants));
});

test("[SERVER-9] a reaction that is refused for a minute is given up and reported", async () => {
  const log = openMemoryLog();
  const isBusy = (command: string): boolean => command === "accept";
  await using stage = await openProjectStage({ log, isBusy });
  await stage.submit(REQUEST);
  await stage.until("a fault", () => stage.faults.length > 0);
  await stage.idle();
  const [fault, ...more] = stage.faults;
  assert.match(String(fault?.cause), /refused for too long/);
  assert.deepEqual(more, []);
});
