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
  hear,
  open,
  play,
  playLines,
  running,
  START,
  STEP_IDS,
  tellingsOf,
  told,
  waitFor,
  whys,
} from "./testing/builds.ts";

const whole: readonly AgentBuildEvent[] = [running, ...allSteps, complete, { what: "completed" }];
const leaveBlank = { type: "answer", answers: [] } as const;
const startOf = (stepId: string): BuildFeedEvent => {
  const words = { title: stepId, description: stepId, index: 7, total: 7 };
  return { what: "step-started", stepId, ...words, source: "agent" };
};
const answer = (questionId: string, optionId: string | null, text: string | null = null) =>
  ({ type: "answer", answers: [{ questionId, optionId, text }] }) as const;
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
  const unseen = playLines(running, complete, { what: "completed" });
  assert.deepEqual(told(unseen).slice(1), ["status running"]);
  assert.deepEqual(playLines(running, { what: "completed" }).state.stage, "working");
  // It may fail at any time.
  assert.equal(playLines(running, failed, { what: "failed", reason: "no" }).state.stage, "failed");
});

test("[BUILD-3] the agent is told what was not accepted, and so are people when it does not mend", () => {
  const nudged = play(START, hear(running, 1), hear(complete, 2), endTurn(1));
  const wanted = nudged.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.match(
    wanted.turn.body,
    /not accepted:\n- it cannot be complete before build_record[^]*Steps left: build_record/,
  );
  const over = play(
    START,
    hear(running, 1),
    hear(complete, 2),
    endTurn(1),
    hear(complete, 1, "build:b1:2"),
    endTurn(2),
  );
  assert.ok(over.state.stage === "failed");
  assert.match(over.state.reason ?? "", /not accepted: it cannot be complete before build_record/);
  // Mended: what was objected to is past, and the build ends well.
  const rest = [...allSteps, complete, { what: "completed" } as const];
  const mended = play(
    START,
    hear(running, 1),
    hear(complete, 2),
    endTurn(1),
    ...rest.map((each, at) => hear(each, at + 1, "build:b1:2")),
  );
  assert.equal(mended.state.stage, "completed");
});

test("[BUILD-3] a build of an earlier version that left steps out can still be completed", () => {
  const begun = play(START, hear(running, 1), hear(begin("build_record"), 2));
  const earlier: readonly BuildEvent[] = [
    { type: "build.told", telling: startOf("finalize"), origin: null },
  ];
  const state = earlier.reduce((now, event) => build.evolve(now, event), begun.state);
  const outcome = build.decide(state, hear(complete, 3));
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.value.map(({ type }) => type),
    ["build.repaired", "build.told", "build.told"],
  );
});

test("[BUILD-2] what is said again is noted and not told again", () => {
  const [first] = STEP_IDS;
  const sayings = [running, running, begin(first), begin(first), finish(first)];
  const played = playLines(...sayings);
  const again = playLines(...sayings, finish(first), begin(first));
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
  for (const [sayings, why] of cases) {
    const played = playLines(...sayings);
    assert.deepEqual(whys(played, "build.rejected"), [why]);
    const before = playLines(...sayings.slice(0, -1));
    assert.deepEqual(told(played), told(before));
  }
  const unread: BuildCommand = {
    type: "hear",
    origin: { runId: "build:b1:1", line: 1 },
    text: '{"type":',
    said: { ok: false, why: "malformed JSON" },
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
  const nonsense = Array.from({ length: 600 }, (_, at) => hear(begin("paint"), at + 1));
  assert.equal(whys(play(START, ...nonsense), "build.rejected").length, 500);
});

test("[BUILD-4] a question pauses the build, its answer continues it in a turn of its own", () => {
  const question = ask(choice("budget", "low", "mid"));
  const waiting = [START, hear(running, 1), hear(question, 2)];
  assert.equal(play(...waiting).state.stage, "waiting");
  const talks = play(...waiting, hear(begin("parse"), 3), endTurn(1));
  assert.deepEqual(whys(talks, "build.rejected"), ["the build waits for an answer"]);
  assert.equal(talks.state.stage, "waiting");
  const answered = play(...waiting, answer("budget", "low"));
  assert.deepEqual(told(answered).slice(-2), ["asked", "answered"]);
  const wanted = answered.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.deepEqual(wanted.turn, {
    runId: "build:b1:2",
    number: 2,
    message: "answer",
    questionIds: ["budget"],
    body: "The low (low)",
    isNudge: false,
  });
});

test("[BUILD-4] several questions are answered together", () => {
  const played = play(START, hear(ask(choice("budget", "low", "mid"), open("region")), 1), {
    type: "answer",
    answers: [
      { questionId: "region", optionId: null, text: " north " },
      { questionId: "budget", optionId: null, text: "the MID" },
    ],
  });
  const wanted = played.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.deepEqual(
    [wanted.turn.message, wanted.turn.questionIds, wanted.turn.body],
    ["answers", ["budget", "region"], "budget: The mid (mid)\nregion: north"],
  );
});

test("[BUILD-4] an answer that does not fit is refused with the reason", () => {
  const waiting = [START, hear(ask(choice("budget", "low"), open("region")), 1)];
  const cases = [
    [answer("colour", "red"), "colour is not being asked"],
    [answer("budget", "low"), "region needs an answer"],
    [answer("region", null, " "), "budget needs an answer"],
    [
      {
        type: "answer",
        answers: [
          { questionId: "budget", optionId: "huge", text: null },
          { questionId: "region", optionId: null, text: "x" },
        ],
      },
      `budget has no option huge; it takes one of "The low"`,
    ],
    [
      {
        type: "answer",
        answers: [
          { questionId: "budget", optionId: "low", text: null },
          { questionId: "budget", optionId: "low", text: null },
        ],
      },
      "a question is answered twice",
    ],
  ] as const;
  for (const [command, why] of cases) {
    assert.deepEqual(play(...waiting, command).refusals, [`build.misanswered: ${why}`]);
  }
  const alone = [START, hear(ask(open("name")), 1), answer("name", null, "Bo")] as const;
  assert.deepEqual(
    play(...alone, { type: "cancel", by: ann }, answer("name", null, "Al")).refusals,
    ["build.ended: cancelled"],
  );
});

test("[BUILD-19] who answers what has been answered, or is not asked, is late and not wrong", () => {
  const late = answer("name", null, "Al");
  const answered = [START, hear(ask(open("name")), 1), answer("name", null, "Bo")] as const;
  assert.deepEqual(play(START, late).refusals, ["build.not-asking: nothing is being asked"]);
  assert.deepEqual(play(...answered, late).refusals, ["build.not-asking: name has been answered"]);
  // Also when the next thing is being asked already.
  const again = play(...answered, hear(ask(open("size")), 1, "build:b1:2"), late);
  assert.deepEqual(again.refusals, ["build.not-asking: name has been answered"]);
});

test("[BUILD-4] what someone adds to a choice reaches the agent with it", () => {
  const asking = [START, hear(ask(choice("size", "low", "high")), 1)] as const;
  const bodyOf = (text: string | null, optionId: string | null = "low"): string => {
    const { state } = play(...asking, answer("size", optionId, text));
    return state.stage === "absent" ? "" : state.turn.body;
  };
  assert.equal(bodyOf(" for a start "), "The low (low): for a start");
  assert.equal(bodyOf(null), "The low (low)");
  // What only names the choice adds nothing to it.
  assert.equal(bodyOf("The low"), "The low (low)");
  assert.equal(bodyOf("the LOW", null), "The low (low)");
});

test("[BUILD-4] what is not required may be left blank: it is told by its name, and the agent goes on without", () => {
  const asked = ask({ ...open("name"), isRequired: false });
  for (const given of [answer("name", null), answer("name", null, " "), leaveBlank]) {
    const played = play(START, hear(asked, 1), given);
    assert.deepEqual(played.refusals, []);
    assert.ok(played.state.stage === "working");
    assert.equal(played.state.turn.body, "(No answer; go on without.)");
    const last = tellingsOf(played).at(-1);
    assert.deepEqual(last?.what === "answered" && last.answers, [
      { questionId: "name", optionId: null, text: null },
    ]);
  }
  const set = { ...ask(choice("size", "low"), open("name")), requiresAll: false };
  const played = play(START, hear(set, 1), answer("size", "low"));
  assert.ok(played.state.stage === "working");
  assert.equal(played.state.turn.body, "size: The low (low)\nname: (No answer; go on without.)");
  const needed = play(START, hear(ask(open("name")), 1), leaveBlank);
  assert.deepEqual(needed.refusals, ["build.misanswered: name needs an answer"]);
});

test("[BUILD-11] a line that was heard before changes nothing; a turn that is over is not heard", () => {
  const lines = [hear(running, 1), hear(begin("build_record"), 2)];
  const once = play(START, ...lines);
  assert.deepEqual(play(START, ...lines, ...lines).events, once.events);
  const late = play(START, ...lines, endTurn(1, "cut-off"), hear(finish("build_record"), 3));
  assert.deepEqual(whys(late, "build.rejected"), ["its turn is over"]);
});

test("[BUILD-5] a turn that ends without an outcome is followed by one nudge, then by failure", () => {
  const nudged = play(START, hear(running, 1), endTurn(1));
  const wanted = nudged.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.deepEqual([wanted.turn.isNudge, wanted.turn.message], [true, "request"]);
  const gaveUp = play(START, hear(running, 1), endTurn(1), endTurn(1), endTurn(2));
  assert.deepEqual(told(gaveUp).slice(-2), ["status failed", "failed"]);
  assert.ok(gaveUp.state.stage === "failed");
  assert.match(gaveUp.state.reason ?? "", /ended its turn twice/);
  // A turn that got somewhere has earned another.
  const slow = play(START, endTurn(1), hear(begin("build_record"), 1, "build:b1:2"), endTurn(2));
  assert.equal(slow.state.stage, "working");
});

test("[BUILD-5] a turn that fails fails the build; one that was cut off is continued", () => {
  const broken = play(START, endTurn(1, "failed"));
  assert.ok(broken.state.stage === "failed");
  assert.equal(broken.state.reason, "No key.");
  const cut = play(START, hear(begin("build_record"), 1), endTurn(1, "cut-off"));
  const wanted = cut.events.at(-1);
  assert.ok(wanted?.type === "build.turn.wanted");
  assert.match(wanted.turn.body, /interrupted[^]*Step under way: build_record[^]*waters plants/);
  assert.equal(wanted.turn.isNudge, false);
});

test("[BUILD-5] an outcome without its last event gets it when the turn ends", () => {
  const done = [...allSteps, complete].map((each, at) => hear(each, at + 1));
  assert.deepEqual(told(play(START, ...done, endTurn(1))).slice(-2), [
    "status complete",
    "completed",
  ]);
  assert.deepEqual(told(play(START, hear(failed, 1), endTurn(1))).slice(-2), [
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
  const done = play(START, ...whole.map((each, at) => hear(each, at + 1)), cancel);
  assert.deepEqual(done.refusals, ["build.ended: completed"]);
});

test("[BUILD-7] one reassurance per silence, and only while the agent works", () => {
  const reassure = (count: number): BuildCommand => ({ type: "reassure", told: count });
  const once = play(START, hear(running, 1), reassure(2), reassure(2), reassure(3));
  assert.equal(told(once).length, 3);
  assert.match(told(once).at(-1) ?? "", /still working/);
  const again = play(
    START,
    hear(running, 1),
    reassure(2),
    hear(begin("build_record"), 2),
    reassure(4),
  );
  assert.equal(told(again).length, 5);
  const waiting = play(START, hear(ask(open("name")), 1), reassure(3));
  assert.equal(told(waiting).at(-1), "asked");
  const stale = play(START, hear(running, 1), reassure(1));
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
  const waiting = play(START, hear(running, 1), wait, wait, { type: "reassure", told: 3 });
  assert.deepEqual(told(waiting).slice(1), ["status running", "wait-began"]);
  const ended = play(
    ...([START, hear(running, 1), wait, { type: "end-wait", id: "p1", outcome: allowed }] as const),
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
  const played = play(START, hear(running, 1), { type: "reply", text: "[FROM:TIDY]\nHalf way." });
  assert.equal(told(played).at(-1), "Half way.");
  const after = play(START, hear(ask(open("q")), 1), { type: "reply", text: "Hello?" });
  assert.deepEqual(whys(after, "build.rejected"), ["the build waits for an answer"]);
});
