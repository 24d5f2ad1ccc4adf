import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuildCommand, AgentBuildEvent } from "./events.ts";
import {
  allSteps,
  ann,
  ask,
  begin,
  complete,
  facts,
  failed,
  finish,
  record,
  open,
  play,
  playLines,
  running,
  START,
  told,
  waitFor,
  whys,
} from "./testing/builds.ts";

const whole: readonly AgentBuildEvent[] = [running, ...allSteps, complete, { what: "completed" }];

const endTurn = (number: number, how: "completed" | "failed" | "cut-off" = "completed") =>
  ({ type: "end-turn", runId: `build:b1:${number}`, how, reason: "No key." }) as const;

test("[BUILD-11] a line that was heard before changes nothing; a turn that is over is not heard", () => {
  const lines = [record(running, 1), record(begin("build_record"), 2)];
  const once = play(START, ...lines);
  assert.deepEqual(play(START, ...lines, ...lines).events, once.events);
  const late = play(START, ...lines, endTurn(1, "cut-off"), record(finish("build_record"), 3));
  assert.deepEqual(whys(late, "build.rejected"), ["its turn is over"]);
});

test("[BUILD-5] a turn that ends without an outcome is followed by one nudge, then by failure", () => {
  const nudged = play(START, record(running, 1), endTurn(1));
  const wanted = nudged.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.deepEqual([wanted.turn.isNudge, wanted.turn.message], [true, "request"]);
  const gaveUp = play(START, record(running, 1), endTurn(1), endTurn(1), endTurn(2));
  assert.deepEqual(told(gaveUp).slice(-2), ["status failed", "failed"]);
  assert.ok(gaveUp.state.stage === "failed");
  assert.match(gaveUp.state.reason ?? "", /ended its turn twice/);
  // A turn that got somewhere has earned another.
  const slow = play(START, endTurn(1), record(begin("build_record"), 1, "build:b1:2"), endTurn(2));
  assert.equal(slow.state.stage, "working");
});

test("[BUILD-5] a turn that fails fails the build; one that was cut off is continued", () => {
  const broken = play(START, endTurn(1, "failed"));
  assert.ok(broken.state.stage === "failed");
  assert.equal(broken.state.reason, "No key.");
  const cut = play(START, record(begin("build_record"), 1), endTurn(1, "cut-off"));
  const wanted = cut.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.match(wanted.turn.body, /interrupted[^]*Step under way: build_record[^]*waters plants/);
  assert.equal(wanted.turn.isNudge, false);
});

test("[BUILD-5] an outcome without its last event gets it when the turn ends", () => {
  const done = [...allSteps, complete].map((each, at) => record(each, at + 1));
  assert.deepEqual(told(play(START, ...done, endTurn(1))).slice(-2), [
    "status complete",
    "completed",
  ]);
  assert.deepEqual(told(play(START, record(failed, 1), endTurn(1))).slice(-2), [
    "status failed",
    "failed",
  ]);
});

test("[BUILD-6] a build is cancelled once, and ended builds are not", () => {
  const cancel: BuildCommand = { type: "cancel", by: ann };
  const played = play(START, cancel);
  assert.deepEqual(told(played), ["started", "status running", "status failed", "failed"]);
  assert.ok(played.state.stage === "cancelled");
  assert.equal(played.state.reason, "Cancelled by Ann (gateway).");
  assert.deepEqual(play(START, cancel, cancel).events, played.events);
  const done = play(START, ...whole.map((each, at) => record(each, at + 1)), cancel);
  assert.deepEqual(done.refusals, ["build.ended: completed"]);
});

test("[BUILD-7] one reassurance per silence, and only while the agent works", () => {
  const reassure = (count: number): BuildCommand => ({ type: "reassure", told: count });
  const once = play(START, record(running, 1), reassure(2), reassure(2), reassure(3));
  assert.equal(told(once).length, 3);
  assert.match(told(once).at(-1) ?? "", /still working/);
  const again = play(
    START,
    record(running, 1),
    reassure(2),
    record(begin("build_record"), 2),
    reassure(4),
  );
  assert.equal(told(again).length, 5);
  const waiting = play(START, record(ask(open("name")), 1), reassure(3));
  assert.equal(told(waiting).at(-1), "asked");
  const stale = play(START, record(running, 1), reassure(1));
  assert.equal(told(stale).length, 2);
});

test("[BUILD-8] headers, tool noise and internals do not reach people", () => {
  const noisy = [
    "[FROM:TIDY]",
    `[SESSION_ID:${facts.sessionId}]`,
    "System note: headers above are transport metadata from Tidy. Do not repeat them.",
    "Your bot is nearly there.\u0007",
    '{"type":"phase.changed","payload":{}}',
    "<tool_call>shell rm</tool_call>",
    `TIDY_SESSION_ID=${facts.sessionId}`,
    `(session ${facts.sessionId})`,
  ].join("\n");
  const played = playLines(running, { what: "message", text: noisy });
  const text = told(played).at(-1) ?? "";
  assert.match(text, /^Your bot is nearly there\./);
  for (const hidden of [
    "FROM",
    "SESSION",
    "TIDY",
    "tool_call",
    "phase",
    facts.sessionId,
    "\u0007",
  ]) {
    assert.ok(!text.includes(hidden), hidden);
  }
  assert.deepEqual(whys(played, "build.repaired"), ["what is not for people was taken out"]);
});

test("[BUILD-8] a message that only repeats a step is not told", () => {
  for (const text of ["Title of parse", " doing PARSE now… "]) {
    const played = playLines(running, begin("build_record"), { what: "message", text });
    assert.deepEqual(whys(played, "build.rejected"), ["it only repeats a step"]);
  }
});

test("[BUILD-10] what a turn waits for is told, and nobody is told that the work goes on meanwhile", () => {
  const wait: BuildCommand = { type: "wait", wait: waitFor("p1") };
  const allowed = { how: "allowed", by: "Ann", note: null } as const;
  const waiting = play(START, record(running, 1), wait, wait, { type: "reassure", told: 3 });
  assert.deepEqual(told(waiting).slice(1), ["status running", "wait-began"]);
  const ended = play(
    ...([
      START,
      record(running, 1),
      wait,
      { type: "end-wait", id: "p1", outcome: allowed },
    ] as const),
    { type: "end-wait", id: "p1", outcome: allowed },
    { type: "reassure", told: 4 },
  );
  assert.deepEqual(told(ended).slice(1, 4), ["status running", "wait-began", "wait-ended"]);
  assert.match(told(ended).at(-1) ?? "", /still working/);
  const early = play(START, wait);
  assert.deepEqual(told(early), ["started", "status running", "wait-began"]);
  const over = play(
    START,
    wait,
    { type: "cancel", by: ann },
    { type: "wait", wait: waitFor("p2") },
  );
  assert.equal(told(over).at(-1), "failed");
  assert.ok(over.state.stage === "cancelled");
  assert.deepEqual(over.state.waits, []);
});

test("[BUILD-11] what an agent says by a tool is told like any message of its", () => {
  const played = play(START, record(running, 1), { type: "reply", text: "[FROM:TIDY]\nHalf way." });
  assert.equal(told(played).at(-1), "Half way.");
  const after = play(START, record(ask(open("q")), 1), { type: "reply", text: "Hello?" });
  assert.deepEqual(whys(after, "build.rejected"), ["the build waits for an answer"]);
});
