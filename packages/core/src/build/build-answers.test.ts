import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ann,
  ask,
  begin,
  choice,
  record,
  open,
  play,
  running,
  START,
  tellingsOf,
  told,
  whys,
} from "./testing/builds.ts";

const leaveBlank = { type: "answer", answers: [] } as const;

const answer = (questionId: string, optionId: string | null, text: string | null = null) =>
  ({ type: "answer", answers: [{ questionId, optionId, text }] }) as const;

const endTurn = (number: number, how: "completed" | "failed" | "cut-off" = "completed") =>
  ({ type: "end-turn", runId: `build:b1:${number}`, how, reason: "No key." }) as const;

test("[BUILD-4] a question pauses the build, its answer continues it in a turn of its own", () => {
  const question = ask(choice("budget", "low", "mid"));
  const waiting = [START, record(running, 1), record(question, 2)];
  assert.equal(play(...waiting).state.stage, "waiting");
  const talks = play(...waiting, record(begin("parse"), 3), endTurn(1));
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
  const played = play(START, record(ask(choice("budget", "low", "mid"), open("region")), 1), {
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
  const waiting = [START, record(ask(choice("budget", "low"), open("region")), 1)];
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
  const alone = [START, record(ask(open("name")), 1), answer("name", null, "Bo")] as const;
  assert.deepEqual(
    play(...alone, { type: "cancel", by: ann }, answer("name", null, "Al")).refusals,
    ["build.ended: cancelled"],
  );
});

test("[BUILD-19] who answers what has been answered, or is not asked, is late and not wrong", () => {
  const late = answer("name", null, "Al");
  const answered = [START, record(ask(open("name")), 1), answer("name", null, "Bo")] as const;
  assert.deepEqual(play(START, late).refusals, ["build.not-asking: nothing is being asked"]);
  assert.deepEqual(play(...answered, late).refusals, ["build.not-asking: name has been answered"]);
  // Also when the next thing is being asked already.
  const again = play(...answered, record(ask(open("size")), 1, "build:b1:2"), late);
  assert.deepEqual(again.refusals, ["build.not-asking: name has been answered"]);
});

test("[BUILD-4] what someone adds to a choice reaches the agent with it", () => {
  const asking = [START, record(ask(choice("size", "low", "high")), 1)] as const;
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
    const played = play(START, record(asked, 1), given);
    assert.deepEqual(played.refusals, []);
    assert.ok(played.state.stage === "working");
    assert.equal(played.state.turn.body, "(No answer; go on without.)");
    const last = tellingsOf(played).at(-1);
    assert.deepEqual(last?.what === "answered" && last.answers, [
      { questionId: "name", optionId: null, text: null },
    ]);
  }
  const set = { ...ask(choice("size", "low"), open("name")), requiresAll: false };
  const played = play(START, record(set, 1), answer("size", "low"));
  assert.ok(played.state.stage === "working");
  assert.equal(played.state.turn.body, "size: The low (low)\nname: (No answer; go on without.)");
  const needed = play(START, record(ask(open("name")), 1), leaveBlank);
  assert.deepEqual(needed.refusals, ["build.misanswered: name needs an answer"]);
});
