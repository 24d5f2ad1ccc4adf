import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "./build.ts";
import type { BuildCommand, BuildEvent, AgentBuildEvent, BuildFeedEvent } from "./events.ts";
import {
  allSteps,
  ann,
  ask,
  begin,
  choice,
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
  STEP_IDS,
  tellingsOf,
  told,
  whys,
} from "./testing/builds.ts";

const whole: readonly AgentBuildEvent[] = [running, ...allSteps, complete, { what: "completed" }];

const startOf = (stepId: string): BuildFeedEvent => {
  const words = { title: stepId, description: stepId, index: 7, total: 7 };
  return { what: "step-started", stepId, ...words, source: "agent" };
};

const endTurn = (number: number, how: "completed" | "failed" | "cut-off" = "completed") =>
  ({ type: "end-turn", runId: `build:b1:${number}`, how, reason: "No key." }) as const;

test("[BUILD-1] a build begins once, with session.started and a first turn for its agent", () => {
  const begun = play(START);
  assert.deepEqual(
    begun.events.map(({ type }) => type),
    ["build.started", "build.told", "build.turn.wanted"],
  );
  assert.deepEqual(told(begun), ["started"]);
  const wanted = begun.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.equal(wanted.turn.body, facts.prompt);
  assert.deepEqual(play(START, START).refusals, ["build.taken: b1"]);
  assert.deepEqual(play({ type: "cancel", by: ann }).refusals, ["build.missing: "]);
});

test("[BUILD-1] what an agent says in order is told as it was said, to one end", () => {
  const played = playLines(...whole);
  assert.deepEqual(told(played), [
    "started",
    "status running",
    ...STEP_IDS.flatMap((id) => [`> ${id}`, `< ${id}`]),
    "status complete",
    "completed",
  ]);
  assert.deepEqual(whys(played, "build.repaired"), []);
  assert.deepEqual(whys(played, "build.rejected"), []);
  assert.ok(played.state.stage === "completed");
  assert.equal(played.state.output, "A bot.");
});

test("[BUILD-2] a step that was not completed is, before the next begins", () => {
  const played = playLines(running, begin("build_record"), begin("parse"));
  assert.deepEqual(told(played).slice(2), ["> build_record", "< build_record", "> parse"]);
  assert.deepEqual(whys(played, "build.repaired"), [
    "progress.step.completed of build_record was missing",
  ]);
});

test("[BUILD-2] index, total, title and description are put right", () => {
  const step = begin("parse", {
    index: 1,
    total: 9,
    title: "[FROM:TIDY]",
    description: "Reading.",
  });
  const played = playLines(running, begin("build_record"), finish("build_record"), step);
  const [last] = tellingsOf(played).slice(-1);
  assert.deepEqual(last, {
    what: "step-started",
    stepId: "parse",
    title: "Title of parse",
    description: "Reading.",
    index: 2,
    total: 7,
    source: "agent",
  });
  assert.deepEqual(whys(played, "build.repaired"), ["index was 1; total was 9"]);
});

test("[BUILD-2] a status nobody said is said, before the steps and after them", () => {
  const played = playLines(...allSteps.slice(0, -1), { what: "completed" });
  assert.deepEqual(told(played).slice(1, 3), ["status running", "> build_record"]);
  assert.deepEqual(told(played).slice(-4), [
    "> finalize",
    "< finalize",
    "status complete",
    "completed",
  ]);
  assert.deepEqual(whys(played, "build.repaired"), [
    "status.changed running was missing",
    "progress.step.completed of finalize was missing; status.changed complete was missing",
  ]);
});

test("[BUILD-3] no step is skipped forward, and nothing is complete before its last step", () => {
  const early = [running, begin("build_record"), begin("finalize"), finish("finalize")];
  const skipped = playLines(...early, complete, { what: "completed" });
  assert.deepEqual(told(skipped).slice(1), ["status running", "> build_record"]);
  assert.deepEqual(whys(skipped, "build.rejected"), [
    "finalize would skip parse, research, design, assemble, validate",
    "finalize has not been started",
    "it cannot be complete before parse, research, design, assemble, validate, finalize",
    "it cannot be complete before parse, research, design, assemble, validate, finalize",
  ]);
  const almost = playLines(running, ...allSteps.slice(0, -2), complete);
  assert.deepEqual(whys(almost, "build.rejected"), ["it cannot be complete before finalize"]);
  const unseen = playLines(running, complete, { what: "completed" });
  assert.deepEqual(told(unseen).slice(1), ["status running"]);
  assert.deepEqual(playLines(running, { what: "completed" }).state.stage, "working");
  // It may fail at any time.
  assert.equal(playLines(running, failed, { what: "failed", reason: "no" }).state.stage, "failed");
});

test("[BUILD-3] the agent is told what was not accepted, and so are people when it does not mend", () => {
  const nudged = play(START, record(running, 1), record(complete, 2), endTurn(1));
  const wanted = nudged.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.match(
    wanted.turn.body,
    /not accepted:\n- it cannot be complete before build_record[^]*Steps left: build_record/,
  );
  const over = play(
    START,
    record(running, 1),
    record(complete, 2),
    endTurn(1),
    record(complete, 1, "build:b1:2"),
    endTurn(2),
  );
  assert.ok(over.state.stage === "failed");
  assert.match(over.state.reason ?? "", /not accepted: it cannot be complete before build_record/);
  // Mended: what was objected to is past, and the build ends well.
  const rest = [...allSteps, complete, { what: "completed" } as const];
  const mended = play(
    START,
    record(running, 1),
    record(complete, 2),
    endTurn(1),
    ...rest.map((each, at) => record(each, at + 1, "build:b1:2")),
  );
  assert.equal(mended.state.stage, "completed");
});

test("[BUILD-3] a build of an earlier version that left steps out can still be completed", () => {
  const begun = play(START, record(running, 1), record(begin("build_record"), 2));
  const earlier: readonly BuildEvent[] = [
    { type: "build.told", telling: startOf("finalize"), origin: null },
  ];
  const state = earlier.reduce((now, event) => build.evolve(now, event), begun.state);
  const outcome = build.decide(state, record(complete, 3));
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.value.map(({ type }) => type),
    ["build.repaired", "build.told", "build.told"],
  );
});

test("[BUILD-2] what is said again is noted and not told again", () => {
  const [first] = STEP_IDS;
  const events = [running, running, begin(first), begin(first), finish(first)];
  const played = playLines(...events);
  const again = playLines(...events, finish(first), begin(first));
  assert.deepEqual(told(again), told(played));
  assert.deepEqual(told(played).slice(1), ["status running", `> ${first}`, `< ${first}`]);
  assert.equal(whys(again, "build.repaired").length, 4);
});

test("[BUILD-3] what would be a lie is rejected with the reason, kept, and told to nobody", () => {
  const done = [running, ...allSteps, complete];
  const cases: readonly (readonly [readonly AgentBuildEvent[], string])[] = [
    [[begin("paint")], "there is no step paint"],
    [[finish("paint")], "there is no step paint"],
    [[finish("parse")], "parse has not been started"],
    [[failed, { what: "completed" }], "status failed has been told"],
    [[...done, { what: "failed", reason: "no" }], "status complete has been told"],
    [[...done, complete], "status complete has been told"],
    [[...done, begin("parse")], "status complete has been told"],
    [
      [...done, { what: "completed" }, { what: "message", text: "One more thing" }],
      "the build has ended",
    ],
    [[{ what: "message", text: " " }], "there is nothing in it for people to read"],
    [[ask(choice("q"))], "q is a choice without options"],
    [[ask(choice("q", "a", "a"))], "q has two options with the same id"],
    [[ask(open("q"), open("q"))], "q was asked before"],
  ];
  for (const [events, why] of cases) {
    const played = playLines(...events);
    assert.deepEqual(whys(played, "build.rejected"), [why]);
    const before = playLines(...events.slice(0, -1));
    assert.deepEqual(told(played), told(before));
  }
  const unread: BuildCommand = {
    type: "record",
    origin: { runId: "build:b1:1", line: 1 },
    text: '{"type":',
    parsed: { ok: false, why: "malformed JSON" },
  };
  const played = play(START, unread);
  assert.deepEqual(played.events.at(-1), {
    type: "build.rejected",
    why: "malformed JSON",
    text: '{"type":',
    origin: { runId: "build:b1:1", line: 1 },
  });
});

test("[BUILD-3] an agent that writes nonsense for ever is not kept for ever", () => {
  const nonsense = Array.from({ length: 600 }, (_, at) => record(begin("paint"), at + 1));
  assert.equal(whys(play(START, ...nonsense), "build.rejected").length, 500);
});

test("[CORE-40] a build keeps the repository that it names, and has none where none is named", () => {
  const named = play({ ...START, repository: "shop" });
  assert.ok(named.state.stage !== "absent");
  assert.equal(named.state.repository, "shop");
  const none = play(START);
  assert.ok(none.state.stage !== "absent");
  assert.equal(none.state.repository, null);
  const [event] = none.events;
  assert.ok(event !== undefined && !("repository" in build.write(event)));
});
