import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { BUILD_STEPS } from "@atrium/wire/build";
import type { Turn } from "../agents/turn/agent-runtime.ts";
import { says } from "../runs/testing/stage.ts";
import {
  isOver,
  isWaiting,
  line,
  openBuildStage,
  ANN,
  RUNNING,
  END,
  step,
  STEPS,
  ASK,
  types,
  hangs,
} from "./testing/build-stage.ts";

test("[BUILD-12] a build that was under way when the server stopped goes on in the same session", async () => {
  const log = openMemoryLog();
  const prompts: string[] = [];
  const half = RUNNING + step("build_record") + line("progress.step.started", { step_id: "parse" });
  let id: string;
  {
    await using stage = await openBuildStage((turn, host) => {
      prompts.push(turn.prompt);
      return hangs(half, host);
    }, log);
    id = await stage.start("a bot");
    await stage.reached(id, ({ build }) => build.current === "parse");
  }
  await using stage = await openBuildStage((turn) => {
    prompts.push(turn.prompt);
    // It does everything again, as an agent without memory would.
    return says(RUNNING + BUILD_STEPS.map((each) => step(each.id)).join("") + END);
  }, log);
  await stage.stage.recover();
  await stage.conductor.recover();
  await stage.reached(id, isOver);
  const told = await stage.eventsOf(id);
  assert.deepEqual(
    types(told),
    types([
      { type: "session.started" },
      { type: "status.changed" },
      ...BUILD_STEPS.flatMap(() => [
        { type: "progress.step.started" },
        { type: "progress.step.completed" },
      ]),
      { type: "status.changed" },
      { type: "session.completed" },
    ]),
  );
  assert.equal(prompts.length, 2);
  assert.match(
    prompts[1] ?? "",
    /was interrupted[^]*completed: build_record\.[^]*under way: parse/,
  );
  const session = (prompt = ""): string => /\[SESSION_ID:.*\]/.exec(prompt)?.[0] ?? "";
  assert.equal(session(prompts[0]), session(prompts[1]));
});

test("[BUILD-12] a build that waited for an answer still waits after a restart", async () => {
  const log = openMemoryLog();
  let id: string;
  {
    await using stage = await openBuildStage(() => says(RUNNING + ASK), log);
    id = await stage.start("a bot");
    await stage.reached(id, isWaiting);
  }
  const turns: Turn[] = [];
  await using stage = await openBuildStage((turn) => {
    turns.push(turn);
    return says(STEPS + END);
  }, log);
  await stage.stage.recover();
  await stage.conductor.recover();
  assert.equal(stage.builds.get(id)?.build.stage, "waiting");
  await stage.commands.answer(id, [{ questionId: "name", optionId: null, text: "Bo" }], ANN);
  const { build } = await stage.reached(id, isOver);
  assert.equal(build.stage, "completed");
  assert.equal(turns.length, 1);
});

test("[BUILD-12] a turn that was wanted when the server died is run once", async () => {
  const log = openMemoryLog();
  {
    await using stage = await openBuildStage(() => says(END), log);
    // Dead before anyone could react.
    stage.conductor.close();
    await stage.start("a bot");
  }
  let turns = 0;
  await using stage = await openBuildStage(() => {
    turns++;
    return says(STEPS + END);
  }, log);
  await stage.stage.recover();
  await stage.conductor.recover();
  await stage.conductor.recover();
  const [row] = stage.builds.list(1);
  const { build } = await stage.reached(row?.build.id ?? "", isOver);
  await stage.stage.ended(build.turn.runId);
  assert.equal(turns, 1);
});

test("[BUILD-12] [BUILD-25] checks that were under way when the server stopped run again, and cancelling stops them", async () => {
  const log = openMemoryLog();
  const whole = RUNNING + BUILD_STEPS.map((each) => step(each.id)).join("") + END;
  const runs: AbortSignal[] = [];
  const endless = (_of: unknown, signal: AbortSignal): Promise<never> => {
    runs.push(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
  };
  let id: string;
  {
    await using stage = await openBuildStage(() => says(whole), log, endless);
    id = await stage.start("a bot", "checked");
    const other = await stage.start("another", "checked");
    for (const each of [id, other]) await stage.reached(each, ({ build }) => build.isChecking);
    await stage.commands.cancel(other, ANN);
    await stage.reached(other, isOver);
    assert.deepEqual(
      runs.map(({ aborted }) => aborted),
      [false, true],
    );
  }
  assert.equal(runs[0]?.aborted, true);
  const passed = { name: "test", required: true, verdict: "passed", exitCode: 0, ms: 1 } as const;
  let again = 0;
  await using stage = await openBuildStage(
    () => assert.fail("no turn is needed"),
    log,
    async ({ checks }) => {
      again += 1;
      assert.deepEqual(checks, [{ name: "test", command: ["true"], required: true }]);
      return { results: [{ ...passed, tail: "" }], problem: null };
    },
  );
  await stage.stage.recover();
  await stage.conductor.recover();
  const { build } = await stage.reached(id, isOver);
  assert.deepEqual([build.stage, again], ["completed", 1]);
  const told = types(await stage.eventsOf(id));
  assert.equal(told.filter((type) => type === "checks.started").length, 1);
  assert.equal(told.filter((type) => type === "session.completed").length, 1);
});
