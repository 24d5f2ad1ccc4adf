import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { BuildCommand } from "./events.ts";
import {
  allSteps,
  ann,
  ask,
  begin,
  CHECKED_START,
  complete,
  failed,
  finish,
  open,
  play,
  record,
  running,
  tellingsOf,
  told,
  whys,
  type PlayedBuild,
} from "./testing/builds.ts";

const whole = [running, ...allSteps, complete, { what: "completed" } as const];
const lines = (events = whole, runId = "build:b1:1"): readonly BuildCommand[] =>
  events.map((event, at) => record(event, at + 1, runId));
const endTurn = (number = 1, how: "completed" | "failed" | "cut-off" = "completed") =>
  ({ type: "end-turn", runId: `build:b1:${number}`, how, reason: "Gone." }) as const;

type Verdict = "passed" | "failed" | "error" | "skipped";

function checks(number: number, tests: Verdict, lint: Verdict = "passed"): BuildCommand {
  const result = (name: string, required: boolean, verdict: Verdict) => {
    const exitCode = verdict === "failed" ? 1 : null;
    return { name, required, verdict, exitCode, ms: 5, tail: `the end of ${name}` };
  };
  const results = [result("test", true, tests), result("lint", false, lint)];
  return { type: "finish-checks", runId: `build:b1:${number}`, results, problem: null };
}

const sinceValidate = (played: PlayedBuild): readonly string[] =>
  told(played).slice(told(played).indexOf("> validate"));

test("[BUILD-25] nobody is told that validate is over, or what comes after it, before the checks have passed", () => {
  const said = play(CHECKED_START, ...lines());
  assert.deepEqual(sinceValidate(said), ["> validate"]);
  const checking = play(CHECKED_START, ...lines(), endTurn());
  assert.deepEqual(sinceValidate(checking), ["> validate", "checks-started"]);
  assert.ok(checking.state.stage === "working" && checking.state.isChecking);
  const done = play(CHECKED_START, ...lines(), endTurn(), checks(1, "passed", "failed"));
  assert.deepEqual(sinceValidate(done), [
    "> validate",
    "checks-started",
    "checks passed",
    "< validate",
    "> finalize",
    "< finalize",
    "status complete",
    "completed",
  ]);
  assert.equal(done.state.stage, "completed");
  const again = [endTurn(), checks(1, "passed", "failed"), ...lines(), checks(1, "failed")];
  const twice = play(CHECKED_START, ...lines(), ...again, ...again);
  assert.deepEqual(told(twice), told(done));
});

test("[BUILD-25] the story is the same whether a repository has checks that pass or none", () => {
  fc.assert(
    fc.property(fc.subarray(whole), (events) => {
      const { checks: _, ...unchecked } = CHECKED_START;
      const plain = play(unchecked, ...lines(events), endTurn());
      const checked = play(CHECKED_START, ...lines(events), endTurn(), checks(1, "passed"));
      const story = told(checked).filter((each) => !each.startsWith("checks"));
      assert.deepEqual(story, told(plain));
    }),
  );
});

test("[BUILD-26] a required check that fails goes back to the agent once, with its output, then the build fails", () => {
  const once = [...lines(), endTurn(), checks(1, "failed")];
  const back = play(CHECKED_START, ...once);
  const wanted = back.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.match(wanted.turn.body, /“test” failed with exit code 1:\nthe end of test/);
  assert.doesNotMatch(wanted.turn.body, /the end of lint/);
  assert.match(wanted.turn.body, /Step under way: validate/);
  assert.deepEqual(sinceValidate(back), ["> validate", "checks-started", "checks failed"]);
  const rest = [finish("validate"), begin("finalize"), finish("finalize"), complete];
  const second = [...once, ...lines(rest, "build:b1:2"), endTurn(2)];
  const mended = play(CHECKED_START, ...second, checks(2, "passed"));
  assert.equal(mended.state.stage, "completed");
  const lost = play(CHECKED_START, ...second, checks(2, "error"));
  assert.ok(lost.state.stage === "failed");
  assert.match(lost.state.reason ?? "", /“test” could not be run/);
  assert.deepEqual(told(lost).slice(-3), ["checks failed", "status failed", "failed"]);
});

test("[BUILD-26] a check that nobody allowed to run has not failed, and one that cannot be started says why", () => {
  const skipped = play(CHECKED_START, ...lines(), endTurn(), checks(1, "skipped"));
  assert.equal(skipped.state.stage, "completed");
  const problem = "the disk is full";
  const runId = "build:b1:1";
  const command = { type: "finish-checks", runId, results: [], problem } as const;
  const broken = play(CHECKED_START, ...lines(), endTurn(), command);
  assert.ok(broken.state.stage === "failed");
  assert.match(broken.state.reason ?? "", /could not be run: the disk is full/);
});

test("[BUILD-25] a turn that says complete later is checked again, and a question waits for the checks", () => {
  const upToValidate = [...allSteps.slice(0, 12), begin("finalize"), ask(open("colour"))];
  const asking = play(CHECKED_START, ...lines(upToValidate), endTurn());
  assert.equal(asking.state.stage, "working");
  const asked = [...lines(upToValidate), endTurn(), checks(1, "passed")];
  const waiting = play(CHECKED_START, ...asked);
  assert.equal(waiting.state.stage, "waiting");
  const answer: BuildCommand = {
    type: "answer",
    answers: [{ questionId: "colour", optionId: null, text: "red" }],
  };
  const more = [...asked, answer, ...lines([finish("finalize"), complete], "build:b1:2")];
  const said = play(CHECKED_START, ...more, endTurn(2));
  assert.deepEqual(told(said).slice(-2), ["< finalize", "checks-started"]);
  const done = play(CHECKED_START, ...more, endTurn(2), checks(2, "passed"));
  assert.equal(done.state.stage, "completed");
});

test("[BUILD-25] giving up, cancelling and being cut off need no checks", () => {
  const gaveUp = play(CHECKED_START, ...lines([...whole.slice(0, -2), failed]), endTurn());
  assert.equal(gaveUp.state.stage, "failed");
  assert.ok(!told(gaveUp).includes("checks-started"));
  const cancelled = play(CHECKED_START, ...lines(), endTurn(), { type: "cancel", by: ann });
  assert.ok(cancelled.state.stage === "cancelled" && !cancelled.state.isChecking);
  assert.deepEqual(
    play(CHECKED_START, ...lines(), endTurn(), { type: "cancel", by: ann }, checks(1, "passed"))
      .events,
    cancelled.events,
  );
  const cut = play(CHECKED_START, ...lines(), endTurn(1, "cut-off"));
  assert.ok(cut.state.stage === "working" && cut.state.held.length === 0);
  assert.match(JSON.stringify(cut.events.at(-1)), /Step under way: validate/);
});

test("[BUILD-25] an agent that never ends is not held for ever", () => {
  const message = { what: "message", text: "More." } as const;
  const many = Array.from({ length: 300 }, (_, n) => ({ ...message, text: `More ${n}.` }));
  const played = play(CHECKED_START, ...lines([...whole, ...many]), endTurn(), checks(1, "passed"));
  assert.equal(whys(played, "build.rejected").length, 300);
  assert.ok(tellingsOf(played).length < 40);
});
