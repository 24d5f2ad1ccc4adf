import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuildEvent } from "@atrium/wire/build";
import {
  doneSteps,
  isAwaiting,
  questionsIn,
  readAnswers,
  applyEvent,
  EMPTY_STORY,
  type QuestionSet,
  type BuildStory,
} from "./build-story.ts";

type Told = { readonly [Type in BuildEvent["type"]]: Extract<BuildEvent, { type: Type }> };

function event<Type extends BuildEvent["type"]>(
  seq: number,
  type: Type,
  payload: Told[Type]["payload"],
): BuildEvent {
  const told = { id: `e${seq}`, seq, ts: seq * 10, build_id: "b1", type, payload };
  return told as unknown as BuildEvent;
}

const STEP = {
  title: "Mine",
  description: "It goes on.",
  index: 1,
  total: 7,
  source: "agent",
} as const;
const CHOICE: QuestionSet = {
  question_id: "audience",
  prompt: "Who is this for?",
  input: "single_choice",
  required: true,
  options: [{ id: "team", label: "My team" }],
  source: "agent",
};
const TOGETHER: QuestionSet = {
  question_set_id: "set",
  prompt: "A few details.",
  required_all: true,
  questions: [
    {
      question_id: "budget",
      prompt: "Budget?",
      input: "single_choice",
      options: [{ id: "low", label: "Low" }],
    },
    { question_id: "region", prompt: "Region?", input: "text" },
  ],
  source: "agent",
};
const EVENTS: readonly BuildEvent[] = [
  event(1, "session.started", { source: "backend" }),
  event(2, "progress.step.started", { ...STEP, step_id: "build_record" }),
  event(3, "progress.step.completed", { step_id: "build_record", source: "agent" }),
  event(4, "progress.step.started", { ...STEP, step_id: "research" }),
  event(5, "assistant.message.created", { text: "Hello", source: "agent" }),
  event(6, "question.requested", CHOICE),
  event(7, "question.answered", { question_id: "audience", option_id: "team", source: "user" }),
  event(8, "status.changed", { status: "complete", output: "**Done**", source: "agent" }),
  event(9, "session.completed", { source: "agent" }),
];

const storyOf = (events: readonly BuildEvent[]): BuildStory =>
  events.reduce(applyEvent, EMPTY_STORY);

test("[PAGE-1] a build is what its events say, whether they came live or all at once", () => {
  const story = storyOf(EVENTS);
  assert.deepEqual(
    story.steps.map(({ state }) => state),
    ["done", "skipped", "active", "pending", "pending", "pending", "pending"],
  );
  assert.equal(story.steps[2]?.title, "Mine");
  assert.equal(doneSteps(story.steps), 1);
  assert.deepEqual(
    story.lines.map(({ who }) => who),
    ["agent", "asks", "person"],
  );
  assert.deepEqual(story.lines[2], {
    seq: 7,
    at: 70,
    who: "person",
    answers: [{ prompt: "Who is this for?", answer: "My team" }],
  });
  assert.deepEqual(story.end, { how: "complete", output: "**Done**" });
});

test("[PAGE-1] what a stream tells again on its return changes nothing", () => {
  const twice = EVENTS.flatMap((each, at) => [each, ...EVENTS.slice(Math.max(0, at - 2), at + 1)]);
  assert.deepEqual(storyOf(twice), storyOf(EVENTS));
});

test("[PAGE-1] a question stands until it is answered or the build has ended", () => {
  assert.deepEqual(storyOf(EVENTS.slice(0, 6)).questionSets, [CHOICE]);
  assert.deepEqual(storyOf(EVENTS.slice(0, 7)).questionSets, []);
  const failed = applyEvent(
    storyOf(EVENTS.slice(0, 6)),
    event(7, "session.failed", { reason: "cancelled", source: "backend" }),
  );
  assert.deepEqual(failed.questionSets, []);
  assert.deepEqual(failed.end, { how: "failed", reason: "cancelled" });
  assert.ok(failed.steps.every(({ state }) => state !== "active"));
});

test("[PAGE-2] what is asked together is answered together, choices by id and text as text", () => {
  assert.deepEqual(
    questionsIn(TOGETHER).map(({ question_id: id }) => id),
    ["budget", "region"],
  );
  assert.equal(readAnswers(TOGETHER, new Map([["budget", "low"]])), null);
  const said = (region: string) =>
    new Map([
      ["budget", "low"],
      ["region", region],
    ]);
  assert.equal(readAnswers(TOGETHER, said("  ")), null);
  assert.deepEqual(readAnswers(TOGETHER, said(" Bremen ")), [
    { question_id: "budget", option_id: "low" },
    { question_id: "region", text: "Bremen" },
  ]);
});

test("[PAGE-2] what need not be answered may be left blank, also all of it", () => {
  const free: QuestionSet = { ...TOGETHER, required_all: false };
  assert.deepEqual(readAnswers(free, new Map([["region", "Bremen"]])), [
    { question_id: "region", text: "Bremen" },
  ]);
  assert.deepEqual(readAnswers(free, new Map()), []);
  const blank = event(7, "question.answered", { question_id: "audience", source: "user" });
  const last = storyOf([...EVENTS.slice(0, 6), blank]).lines.at(-1);
  assert.deepEqual(last?.who === "person" && last.answers, [
    { prompt: "Who is this for?", answer: "" },
  ]);
});

test("[PAGE-2] a question may have any name", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    const asked: QuestionSet = { ...CHOICE, question_id: name };
    assert.equal(readAnswers(asked, new Map()), null);
    assert.deepEqual(readAnswers(asked, new Map([[name, "team"]])), [
      { question_id: name, option_id: "team" },
    ]);
  }
});

const PERMISSION: Told["permission.requested"]["payload"] = {
  permission_id: "p1",
  code: "abcde",
  expires_at: 1,
  permission: {
    tool: "shell",
    input: "npm test",
    may_always: true,
    always_scopes: [],
    is_whole: true,
    size: 8,
  },
  source: "agent",
};

test("[PAGE-3] whoever waits for a permission or an answer is not working, until each is settled", () => {
  const asked = event(6, "permission.requested", PERMISSION);
  const question = event(7, "question.requested", { ...CHOICE, question_id: "q-1" });
  const waiting = storyOf([...EVENTS.slice(0, 5), asked, question]);
  assert.equal(isAwaiting(waiting), true);
  const resolved = { permission_id: "p1", outcome: "allowed", by: "Ann", source: "user" } as const;
  const allowed = applyEvent(waiting, event(8, "permission.resolved", resolved));
  assert.deepEqual([allowed.permissions.length, isAwaiting(allowed)], [0, true]);
  const line = allowed.lines.find(({ who }) => who === "permission");
  assert.equal(line?.who === "permission" && line.outcome?.outcome, "allowed");
  const expired = event(9, "question.expired", { question_id: "q-1", source: "backend" });
  assert.equal(isAwaiting(applyEvent(allowed, expired)), false);
  const end = event(8, "session.failed", { source: "backend" });
  assert.equal(isAwaiting(applyEvent(waiting, end)), false);
});
