import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse, type Outcome } from "@atrium/core";
import { useTool } from "../agents/turn/use-tool.ts";
import type { Tool } from "../tools/toolbox.ts";
import type { RunMoment, WorkspaceOf } from "./run-workspace.ts";
import { openStage, says } from "./testing/stage.ts";

/** A tool that names what it wrote, as the test says; left out: it may have written anything. */
function writer(name: string, wrote?: readonly string[]): Tool {
  const result = { text: name, isError: false, ...(wrote !== undefined && { wrote }) };
  return { name, description: name, input: {}, call: () => Promise.resolve(result) };
}

const TOOLS = [writer("look", []), writer("edit", ["a.txt"]), writer("run")];

function workspaceWith(record: (moment: RunMoment) => Promise<Outcome<string>>): WorkspaceOf {
  return () =>
    Promise.resolve(
      accept({
        place: { folder: "/work", store: null },
        env: { ATRIUM_TASK_ID: "t1" },
        briefing: "You work in /work.",
        recordMoment: record,
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
    );
}

test("[RUN-17] files are recorded before a run, after each tool that may have written, and at its end", async () => {
  const moments: RunMoment[] = [];
  const workspaceOf = workspaceWith((moment) => {
    moments.push(moment);
    return Promise.resolve(accept(`tree ${moments.length}`));
  });
  await using stage = await openStage(
    async function* (turn, host) {
      assert.deepEqual(turn.env, { ATRIUM_TASK_ID: "t1" });
      assert.match(turn.instructions, /You work in \/work\.$/);
      for (const { name } of TOOLS) yield* useTool(host, { id: name, name, input: {} });
      yield { type: "completed", stopReason: "stop" };
    },
    { tools: TOOLS, workspaceOf },
  );
  await stage.send("r1", "work");
  await stage.ended("r1");
  assert.deepEqual(moments, [
    { cause: "person" },
    { cause: "tool", callId: "edit", paths: ["a.txt"] },
    { cause: "tool", callId: "run" },
    { cause: "turn" },
  ]);
  const trees = (await stage.events()).flatMap((event) =>
    event.type === "run.tool.returned" ? [event.tree] : [],
  );
  assert.deepEqual(trees, [undefined, "tree 2", "tree 3"]);
});

test("[RUN-17] a moment that cannot be recorded costs no result: it is said in the run and reported", async () => {
  const answers = [
    () => Promise.resolve(accept("tree")),
    () => Promise.resolve(refuse("disk.full", "no room")),
    () => Promise.reject(new Error("git is gone")),
  ];
  const workspaceOf = workspaceWith(
    () => (answers.shift() ?? answers[0])?.() ?? Promise.reject(new Error("late")),
  );
  await using stage = await openStage(
    async function* (_turn, host) {
      yield* useTool(host, { id: "1", name: "run", input: {} });
      yield* useTool(host, { id: "2", name: "edit", input: {} });
      yield* says("All done.");
    },
    { tools: TOOLS, workspaceOf },
  );
  const progress: string[] = [];
  stage.live.onEvent((_run, event) => {
    if (event.type === "progress") progress.push(event.text);
  });
  await stage.send("r1", "work");
  assert.equal((await stage.ended("r1")).type, "run.completed");
  const returned = (await stage.events()).filter(({ type }) => type === "run.tool.returned");
  assert.deepEqual(
    returned.map((event) => ["tree" in event, "text" in event && event.text]),
    [
      [false, "run"],
      [false, "edit"],
    ],
  );
  assert.match(progress[0] ?? "", /could not be recorded: The disk is full.*no room/);
  assert.match(progress[1] ?? "", /git is gone/);
  assert.equal(stage.faults.length, 3);
});

test("[RUN-18] a run that was to have a workspace and cannot fails with the reason, before its agent is asked", async () => {
  const reason = "The repository shop cannot be used: it is gone";
  await using stage = await openStage(() => assert.fail("the agent was asked"), {
    workspaceOf: () => Promise.resolve(refuse("repository.missing", reason)),
  });
  await stage.send("r1", "work");
  const ended = await stage.ended("r1");
  assert.deepEqual([ended.type, "reason" in ended && ended.reason], ["run.failed", reason]);
});
