import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dispatch, ProjectCommandOf, Projects } from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import type { LiveRun } from "../../runs/live-runs.ts";
import { createProgress } from "./progress.ts";

function openStage() {
  const hand = createTestTime(0);
  const told: (readonly [number, string, string, number | undefined])[] = [];
  const run = { runId: "r1", text: "" };
  const state = { status: "in_progress" };
  const found = {
    project: { projectId: "proj_a" },
    task: {
      taskId: "task_a_1",
      get status() {
        return state.status;
      },
    },
  };
  const progress = createProgress({
    ...hand,
    projects: { ofRun: (id: string) => (id === "r1" ? found : undefined) } as unknown as Projects,
    dispatch: (async (_of: unknown, _id: string, command: ProjectCommandOf<"progress">) => {
      told.push([hand.clock.now(), command.kind, command.preview, command.percent]);
    }) as unknown as Dispatch,
  });
  const live = run as LiveRun;
  return {
    hand,
    told,
    state,
    progress,
    say: (delta: string): void => {
      run.text += delta;
      progress.onLiveEvent(live, { type: "text", delta });
    },
    call: (
      name: string,
      input: unknown,
      runId = "r1",
      stream = "conversation/agent:eng:task:task_a_1",
    ): void => {
      const data = { runId, messageId: "m", callId: "c", name, input };
      progress.onBatch([{ seq: 1, stream, type: "run.tool.called", at: 1, data }]);
    },
    live,
  };
}

test("[DIR-8] the first at once, then one a second at most; what is done goes before what is said", () => {
  const { hand, told, say, call } = openStage();
  hand.advance(5_000);
  say("I will look into it now.\n");
  for (let at = 0; at < 990; at += 10) {
    hand.advance(10);
    say(`Words that come quickly, ${at}.\n`);
    if (at === 500) call("Read", { file_path: "src/page.ts" });
  }
  hand.advance(10);
  say("And now some more words.\n");
  hand.advance(1_000);
  hand.advance(60_000);
  assert.deepEqual(told, [
    [5_000, "token", "I will look into it now.", undefined],
    [6_000, "tool", "Reading src/page.ts", undefined],
    [7_000, "token", "And now some more words.", undefined],
  ]);
  assert.equal(hand.pending, 0);
  call("Bash", { command: "npm test" });
  assert.deepEqual(told.at(-1)?.slice(1, 3), ["tool", "Running npm test"]);
});

test("[DIR-8] nothing is told of thoughts, of other work, or of a task that waits", () => {
  const { hand, told, state, call, progress, live } = openStage();
  progress.onLiveEvent(live, { type: "thinking", delta: "What nobody is meant to read" });
  call("Bash", { command: "ls" }, "another run");
  call("Bash", { command: "ls" }, "r1", "conversation/agent:eng:main");
  call("ask", { text: "May I?" });
  state.status = "blocked";
  call("Bash", { command: "ls" });
  hand.advance(60_000);
  assert.deepEqual(told, []);
  state.status = "in_progress";
  progress.onLiveEvent(live, { type: "progress", text: "Half of it", percent: 50 });
  assert.deepEqual(told, [[60_000, "tool", "Half of it", 50]]);
});
