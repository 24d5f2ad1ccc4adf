import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_CREW } from "@atrium/core";
import {
  WORLD_EVENTS,
  type WorldAgent,
  type WorldEvent,
  type WorldEventName,
} from "@atrium/wire/world";
import { textsOf } from "../../../i18n/texts.ts";
import { translateName } from "../../../i18n/translate-name.ts";
import {
  agent,
  artifact,
  decision,
  project,
  snapshotWith,
  task,
} from "../../../testing/snapshots.ts";
import { viewOfPicked } from "../view/picked-view.ts";
import { readView, showOf } from "../view/view.ts";
import { whatItDoes } from "./agent-text.ts";
import { spentOf, type Spent } from "./cost-text.ts";
import { deskTextOf } from "./desk-text.ts";
import { choiceText, namesIn, sentenceOf } from "./event-text.ts";
import { projectOfIn } from "./project-text.ts";
import { spanOf } from "./spans.ts";

const snapshot = snapshotWith({
  agents: [agent("eng", { poi_id: "poi_desk_1" })],
  projects: [project("a", { title: "Tides" })],
  tasks: [task("a", { title: "Draft" })],
});

test("[WEB-9] everything that can happen is a sentence in every language, with names instead of ids", () => {
  const names = namesIn(snapshot);
  const told = {
    project_id: "proj_a",
    agent_id: "agent_eng",
    task_id: "task_a",
    by: "Kim",
    tasks: [],
    paths: [{ path: "a.ts", kind: "content" }],
    ref: "atrium/tides",
    verdict: "passed",
  };
  const rest = { title: "T", text: "T", prompt: "P", reason: "R", preview_text: "W", choice: "C" };
  for (const language of ["en", "de"] as const) {
    const sentences = (Object.keys(WORLD_EVENTS) as WorldEventName[]).map((name) =>
      sentenceOf({ ...told, ...rest, name } as unknown as WorldEvent, names, textsOf(language)),
    );
    for (const sentence of sentences) assert.doesNotMatch(sentence, /undefined|_|\bproj|^$/);
    assert.equal(new Set(sentences).size, sentences.length);
  }
  const assigned = { name: "task_assigned", ...told } as unknown as WorldEvent;
  assert.equal(sentenceOf(assigned, names, textsOf("en")), "Assigned to eng: “Draft”");
  const approved = { name: "review_approved", ...told, by: "atrium-web" } as unknown as WorldEvent;
  assert.match(sentenceOf(approved, names, textsOf("de")), /^Anonyme Person gibt „Draft“ frei/);
});

test("[WEB-9] progress is told as a sentence with its task, and what is cut off looks like it", () => {
  const told = (preview_text: string, language: "en" | "de"): string => {
    const about = { project_id: "proj_a", agent_id: "agent_eng", task_id: "task_a" };
    const event: WorldEvent = { name: "task_progress", ...about, kind: "token", preview_text };
    return sentenceOf(event, namesIn(snapshot), textsOf(language));
  };
  assert.equal(told("The tides of", "en"), "eng is working on “Draft”: “The tides of…”");
  assert.equal(told("They are high.", "de"), "eng arbeitet an „Draft“: „They are high.“");
});

test("[WEB-9] what the front desk says about a project is said in the page's language, anything else as it came", () => {
  const [english, german] = [textsOf("en"), textsOf("de")];
  for (const [text, translated] of [
    [
      "I split “Tides” into 4 tasks. First the moon. Should I assign them?",
      "Ich habe „Tides“ in 4 Aufgaben aufgeteilt. First the moon. Soll ich sie vergeben?",
    ],
    [
      "I split “Tides” into 1 task. Should I assign them?",
      "Ich habe „Tides“ in 1 Aufgabe aufgeteilt. Soll ich sie vergeben?",
    ],
    ["“Draft” is ready for review: a.md, b.md.", "„Draft“ kann geprüft werden: a.md, b.md."],
    ["“Draft” failed: no boat", "„Draft“ ist gescheitert: no boat"],
    ["I could not plan “Tides”: no moon", "Ich konnte „Tides“ nicht planen: no moon"],
    [
      "“Tides” is complete: 3 of 4 tasks are approved. Its trophy is on the trophy shelf.",
      "„Tides“ ist abgeschlossen: 3 von 4 Aufgaben sind freigegeben. Der Pokal steht im Pokalregal.",
    ],
    ["I like “Tides”.", "I like “Tides”."],
  ] as const) {
    assert.equal(deskTextOf(text, english), text);
    assert.equal(deskTextOf(text, german), translated);
  }
});

test("[WEB-9] the office's own choices are said in the page's language, an agent's as they came", () => {
  const german = textsOf("de");
  for (const [kind, choice, said] of [
    ["permission", "Allow", "Erlauben"],
    ["budget", "Stop", "Anhalten"],
    ["plan", "Drop it", "Verwerfen"],
    ["plan", "constructor", "constructor"],
    ["question", "Stop", "Stop"],
  ] as const) {
    assert.equal(choiceText(kind, choice, german), said);
    assert.equal(choiceText(kind, choice, textsOf("en")), choice);
  }
});

test("[WEB-26] an answer is told with what was asked and who gave it; one that nobody gave, as that", () => {
  const asked = snapshotWith({
    ...snapshot,
    decisions: [decision("q", { prompt: "npm publish" })],
  });
  const told = (language: "en" | "de", rest: object, from = asked): string =>
    sentenceOf(
      {
        name: "decision_resolved",
        decision_id: "dec_q",
        project_id: "proj_a",
        ...rest,
      },
      namesIn(from),
      textsOf(language),
    );
  assert.equal(told("en", { choice: "Deny", by: "Kim" }), "Kim answered “npm publish”: Deny");
  assert.equal(told("de", { choice: "Deny", by: "Kim" }), "Kim antwortet auf „npm publish“: Deny");
  assert.equal(
    told("en", { choice: "Deny", by: "Kim" }, snapshot),
    "Kim answered a question: Deny",
  );
  assert.equal(told("en", {}), "No answer to “npm publish”");
  assert.equal(told("en", { choice: "Allow" }), "The office answered “npm publish”: Allow");
  const long = snapshotWith({
    ...asked,
    decisions: [decision("q", { prompt: "long ".repeat(99) })],
  });
  assert.ok(told("en", { choice: "Yes" }, long).length < 130);
  const { decisionAnswered } = textsOf("en");
  assert.equal(decisionAnswered("Deny", "Kim"), "Answered by Kim: Deny");
  assert.equal(decisionAnswered("Deny", undefined), "Answered: Deny");
});

test("[WEB-30] the project is named where more than one is open, and only there", () => {
  const two = [project("a", { title: "Tides" }), project("b", { title: "Moon" })];
  const one = [project("a", { title: "Tides" }), project("b", { title: "Moon", ended_at: 5 })];
  assert.equal(projectOfIn(snapshotWith({ projects: two }))("proj_b"), "Moon");
  assert.equal(projectOfIn(snapshotWith({ projects: two }))("proj_boot"), undefined);
  assert.equal(projectOfIn(snapshotWith({ projects: one }))("proj_a"), undefined);
  assert.equal(projectOfIn(null)("proj_a"), undefined);
});

test("[WEB-11] an agent is said to ask you, to be unheard of, paused, failed, in review, at its task, or what its pose is; in that order", () => {
  const words = textsOf("en");
  const busy = agent("eng", { state: "WorkingAtPOI", task_id: "task_a", is_paused: true });
  const seen = { agent: busy, isAsking: true, isGhost: true };
  assert.equal(whatItDoes(seen, snapshot.tasks, words), "asks you");
  assert.equal(whatItDoes({ ...seen, isAsking: false }, snapshot.tasks, words), "no recent signal");
  const calm = { agent: busy, isAsking: false, isGhost: false };
  assert.equal(whatItDoes(calm, snapshot.tasks, words), "paused");
  const { is_paused: _, ...working } = busy;
  assert.equal(whatItDoes({ ...calm, agent: working }, snapshot.tasks, words), "Draft");
  const long = [task("a", { title: "x".repeat(80) })];
  assert.equal(whatItDoes({ ...calm, agent: working }, long, words).length, 34);
  assert.equal(whatItDoes({ ...calm, agent: agent("eng") }, [], words), "idle");
  const said = (rest: Partial<WorldAgent>): string =>
    whatItDoes({ ...calm, agent: agent("eng", rest) }, snapshot.tasks, words);
  assert.equal(said({ status: "failed" }), "failed");
  assert.equal(said({ status: "in_review" }), "in review");
  assert.equal(said({ status: "in_review", state: "WalkingToPOI" }), "walking");
});

test("[WEB-17] what is pressed in the office opens what it is about; who asks opens its question", () => {
  const asked = snapshotWith({
    ...snapshot,
    decisions: [decision("q", { agent_id: "agent_eng" })],
    artifacts: [artifact("x")],
  });
  const open = (kind: "agent" | "poi" | "artifact" | "trophy", id: string, from = snapshot) => {
    const view = viewOfPicked({ kind, id }, from);
    return view === undefined ? undefined : showOf(view);
  };
  assert.equal(open("agent", "agent_eng"), "agent:agent_eng");
  assert.equal(open("agent", "agent_eng", asked), "decision:dec_q");
  assert.equal(open("poi", "poi_desk_1"), "agent:agent_eng");
  assert.equal(open("poi", "poi_desk_8"), undefined);
  assert.equal(open("poi", "poi_bd_desk"), "desk");
  assert.equal(open("poi", "poi_task_board"), "board");
  assert.equal(open("poi", "poi_delivery_shelf"), "board");
  assert.equal(open("poi", "poi_delivery_shelf", asked), "artifact:art_x");
  assert.equal(open("trophy", "anything"), "trophies");
  for (const show of ["desk", "task:task_a", "artifact:art_x"]) {
    const view = readView(show);
    assert.ok(view);
    assert.equal(showOf(view), show);
  }
  for (const show of [undefined, "", "nothing", "task:", "window:1"]) {
    assert.equal(readView(show), undefined);
  }
});

test("waiting is told in the one unit that fits", () => {
  const words = textsOf("en");
  const spans = [-5, 59_999, 60_000, 3_600_000, 90_000_000].map((ms) => spanOf(ms, words));
  assert.deepEqual(spans, ["0 s", "59 s", "1 min", "1 h", "1 day"]);
});

test("[WEB-32] a cost is told in dollars as the language writes them, as unknown, or as not all", () => {
  const told = (spent: Spent, language: "en" | "de" = "en"): string =>
    spentOf(spent, textsOf(language), language).replaceAll("\u00A0", " ");
  assert.equal(told({ tokens: 1_200, cost: 0.0123 }), "1,200 tokens · $0.0123");
  assert.equal(told({ tokens: 1_200, cost: 0.0123 }, "de"), "1.200 Token · 0,0123 $");
  assert.equal(told({ tokens: 5, cost: 0 }), "5 tokens · $0.00");
  assert.equal(told({ tokens: 5, cost: 12.345 }), "5 tokens · $12.35");
  assert.equal(told({ tokens: 5, cost: 0.00001234 }), "5 tokens · $0.000012");
  assert.equal(told({ tokens: 5 }), "5 tokens · cost unknown");
  assert.equal(told({ tokens: 5 }, "de"), "5 Token · Kosten unbekannt");
  const partly = { tokens: 5, cost: 0.5, is_cost_partial: true } as const;
  assert.equal(told(partly), "5 tokens · at least $0.50");
  assert.equal(told({ tokens: 0 }), "0 tokens");
});

test("[WEB-34] what the front desk suggests and who people are is said in the page's language, and as it came where there is no word", () => {
  const [english, german] = [textsOf("en"), textsOf("de")];
  assert.equal(
    translateName(german.suggestions, "auto_assign", "Auto-assign tasks"),
    "Aufgaben automatisch vergeben",
  );
  assert.equal(translateName(german.suggestions, "buy_a_boat", "Buy a boat"), "Buy a boat");
  assert.equal(translateName(german.suggestions, "toString", "As it came"), "As it came");
  for (const { role } of BUILT_IN_CREW) {
    assert.equal(translateName(english.roles, role), role);
    assert.notEqual(translateName(german.roles, role), role);
  }
  assert.equal(translateName(german.roles, "boat builder"), "boat builder");
});
