/** Decisions in the world: made once, by options or own words, wherever they were asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { BuildApi } from "../../kit/builds.ts";
import {
  enterWorld,
  type WorldMessage,
  type WorldPeer,
  codeOf,
  plannedProject,
} from "../../kit/world-peer.ts";

/** The id of what an agent asks while it works on it. */
async function askedDecision(peer: WorldPeer, text?: string): Promise<string> {
  const { projectId } = await plannedProject(peer, text);
  await peer.ask("auto_assign", { project_id: projectId });
  const { payload } = await peer.event("decision_requested");
  return payload.decision_id as string;
}

test("[WORLD-12] a decision is made once, with its note, whoever is second; a lost answer can be asked for again", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  const decision_id = await askedDecision(one);
  const choice = { decision_id, choice: "Polish", note: "for developers" };
  const [first, second] = await Promise.all([
    one.command("resolve_decision", choice, "cmd_a"),
    two.command("resolve_decision", { decision_id, choice: "Speed" }, "cmd_b"),
  ]);
  assert.deepEqual([codeOf(first), codeOf(second)], ["ok", "CONFLICT"]);
  await using three = await enterWorld(atrium);
  assert.equal(codeOf(await three.command("resolve_decision", choice, "cmd_a")), "ok");
  const { payload } = await two.event("decision_resolved");
  assert.deepEqual(
    [payload.choice, payload.note, payload.by],
    ["Polish", "for developers", "tester"],
  );
});

test("[WORLD-16] the note of a denial is in the decision", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const decision_id = await askedDecision(peer, "A page [[approve: shell npm publish]]");
  const note = "not before Monday";
  await peer.ask("resolve_decision", { decision_id, choice: "Deny", note });
  const { payload } = await peer.event("decision_resolved");
  assert.deepEqual([payload.choice, payload.note], ["Deny", note]);
});

test("[WORLD-12] a permission takes Allow, Always or Deny, and nothing else", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const decision_id = await askedDecision(peer, "A page [[approve: shell npm publish]]");
  const maybe = await peer.command("resolve_decision", { decision_id, choice: "Maybe" });
  assert.equal(codeOf(maybe), "VALIDATION_FAILED");
  assert.match(maybe.payload.message, /Allow, Always or Deny/);
  const inherited = await peer.command("resolve_decision", { decision_id, choice: "constructor" });
  assert.equal(codeOf(inherited), "VALIDATION_FAILED");
  await peer.ask("resolve_decision", { decision_id, choice: "Allow" });
  const { payload } = await peer.event("decision_resolved");
  assert.equal(payload.choice, "Allow");
});

test("[WORLD-12] what is asked in a chat waits in the office too, and is answered there like anything else", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  await using chat = await atrium.connect();
  const ended = chat.first(({ event, payload }) => event === "chat" && payload.state === "final");
  const message = "[[ask: Which tide? | High | Low]] [[approve: shell npm publish]]";
  const send = { sessionKey: "agent:eng_1:main", message, idempotencyKey: "k1" };
  await chat.ask("chat.send", send);
  const open = async (kind: string): Promise<WorldMessage["payload"]> => {
    for (;;) {
      const { payload } = one.told("snapshot").at(-1) ?? assert.fail("no snapshot");
      const found = payload.decisions.find((each: { kind: string }) => each.kind === kind);
      if (found !== undefined) return found;
      await one.nextOf("snapshot");
    }
  };
  const { decision_id, ...question } = await open("question");
  assert.deepEqual(
    { ...question, asked_at: 0 },
    {
      project_id: "proj_boot",
      status: "open",
      kind: "question",
      prompt: "Which tide?",
      options: ["High", "Low"],
      allows_other: true,
      agent_id: "agent_eng_1",
      session_key: "agent:eng_1:main",
      asked_at: 0,
    },
  );
  const low = { decision_id, choice: "Low" };
  assert.equal(codeOf(await one.command("resolve_decision", low, "cmd_low")), "ok");
  const late = await two.command("resolve_decision", { decision_id, choice: "High" });
  assert.equal(codeOf(late), "CONFLICT");
  await using three = await enterWorld(atrium);
  assert.equal(codeOf(await three.command("resolve_decision", low, "cmd_low")), "ok");

  const permission = await open("permission");
  const { decision_id: id, prompt } = permission;
  assert.equal(prompt, "shell: npm publish");
  const maybe = await one.command("resolve_decision", { decision_id: id, choice: "Maybe" });
  assert.equal(codeOf(maybe), "VALIDATION_FAILED");
  const asked = await fetch(new URL("/api/office", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  const { seq } = (await asked.json()) as { seq: number };
  await one.ask("resolve_decision", { decision_id: id, choice: "Deny" });
  const text = JSON.stringify((await ended).payload.message);
  assert.match(text, /You answered .*Low.*Denied: shell npm publish/);
  const then = await fetch(new URL(`/api/world/at?seq=${seq}`, atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  const { decisions } = (await then.json()) as { decisions: { status: string }[] };
  assert.deepEqual(
    decisions.map(({ status }) => status),
    ["resolved", "open"],
  );
  const unknown = await one.command("resolve_decision", { decision_id: "dec_a1", choice: "x" });
  assert.equal(codeOf(unknown), "NOT_FOUND");
});

test("[WORLD-13] a choice outside of closed options is refused and names them; own words are taken where they are welcome", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using gateway = await atrium.connect();
  const labels = ["Tech users", "General consumers"];
  const options = labels.map((label) => ({ label }));
  const asked = { header: "Audience", question: "For whom?", options };
  const ask = async (id: string, more: object): Promise<WorldMessage["payload"]> => {
    await gateway.ask("question.request", {
      id,
      questions: [{ questionId: "q", ...asked, ...more }],
    });
    const { payload } = await peer.first(
      ({ type, payload: { decisions } }) =>
        type === "snapshot" && decisions.some((each: { status: string }) => each.status === "open"),
    );
    return payload.decisions.find((each: { status: string }) => each.status === "open");
  };
  const closed = await ask("closed", {});
  assert.deepEqual([closed.options, closed.allows_other], [labels, undefined]);
  const { decision_id } = closed;
  for (const choice of ["Everyone", "constructor", "__proto__", "Tech"]) {
    const wrong = await peer.command("resolve_decision", { decision_id, choice });
    assert.deepEqual(
      [codeOf(wrong), wrong.payload.reason],
      ["VALIDATION_FAILED", "question.misanswered"],
    );
    assert.match(wrong.payload.message, /one of "Tech users", "General consumers"/);
  }
  await peer.ask("resolve_decision", { decision_id, choice: "general consumers" });
  const settled = await peer.first(
    ({ type, payload }) =>
      type === "snapshot" && payload.decisions[0]?.choice === "General consumers",
  );
  assert.equal(settled.payload.decisions[0].status, "resolved");
});

test("[WORLD-13] what an agent asks takes own words too, unless it says otherwise", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const decision_id = await askedDecision(peer, "A page [[ask: For whom? | Tech users | Anyone]]");
  const { payload } = await peer.event("decision_requested");
  assert.deepEqual([payload.options, payload.allows_other], [["Tech users", "Anyone"], true]);
  await peer.ask("resolve_decision", { decision_id, choice: "Cats" });
  assert.equal((await peer.event("decision_resolved")).payload.choice, "Cats");
});

test("[WORLD-13] several questions that are asked together get an answer each", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using gateway = await atrium.connect();
  const ask = async (id: string): Promise<WorldMessage["payload"]> => {
    const questions = [
      {
        questionId: "budget",
        header: "Budget",
        question: "How much?",
        options: [{ label: "Low" }, { label: "Mid" }],
      },
      { questionId: "constructor", header: "Region", question: "Where?", options: [] },
    ];
    await gateway.ask("question.request", { id, questions });
    const isOpen = ({ status }: { status: string }): boolean => status === "open";
    const { payload } = await peer.first(
      ({ type, payload: { decisions = [] } }) => type === "snapshot" && decisions.some(isOpen),
    );
    peer.messages.length = 0;
    return payload.decisions.find(isOpen);
  };
  const answersOf = async (id: string): Promise<unknown> =>
    Object(await gateway.ask("question.get", { id })).question.answers?.answers;
  const first = await ask("first");
  assert.deepEqual([first.prompt, first.options], ["1. How much? (Low / Mid)\n2. Where?", []]);
  assert.deepEqual(first.questions, [
    { question_id: "budget", prompt: "How much?", options: ["Low", "Mid"] },
    { question_id: "constructor", prompt: "Where?", options: [] },
  ]);
  const { decision_id } = first;
  const budget = { question_id: "budget", choices: ["mid"] };
  for (const [data, what] of [
    [{ choice: "Low" }, /2 questions are asked: send answers for "budget", "constructor"/],
    [{ choice: "Everything\nEurope" }, /'budget' takes one of "Low", "Mid"/],
    [{ answers: [budget] }, /'constructor' requires an answer/],
    [{}, /\/data\/choice: must not be empty/],
  ] as const) {
    const wrong = await peer.command("resolve_decision", { decision_id, ...data });
    assert.equal(codeOf(wrong), "VALIDATION_FAILED");
    assert.match(wrong.payload.message, what);
  }
  const region = { question_id: "constructor", choices: ["Europe"] };
  await peer.ask("resolve_decision", { decision_id, answers: [region, budget] });
  assert.deepEqual(await answersOf("first"), { budget: ["Mid"], constructor: ["Europe"] });
  const second = await ask("second");
  await peer.ask("resolve_decision", {
    decision_id: second.decision_id,
    choice: "low\nThe sea",
  });
  assert.deepEqual(await answersOf("second"), { budget: ["Low"], constructor: ["The sea"] });
});

test("[WORLD-12] [WORLD-13] a build's questions wait in the office too and are answered from there", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const builds = new BuildApi(atrium);
  const asks = async (buildId: string): Promise<WorldMessage["payload"]> => {
    for (;;) {
      const { payload } = peer.told("snapshot").at(-1) ?? assert.fail("no snapshot");
      const found = payload.decisions.find(
        (each: { build_id?: string }) => each.build_id === buildId,
      );
      if (found !== undefined) return found;
      await peer.nextOf("snapshot");
    }
  };
  const alone = await builds.start("A page that shows the tides");
  const { decision_id, options } = await asks(alone);
  const [first] = options;
  const wrong = await peer.command("resolve_decision", { decision_id, choice: "Nobody" });
  assert.match(wrong.payload.message, /has no option nobody; it takes one of "/);
  await peer.ask("resolve_decision", { decision_id, choice: first });
  while ((await builds.get(`/${alone}`)).body.status === "waiting");

  const question = (id: string) => ({ question_id: id, prompt: `Which ${id}?`, input: "text" });
  const questions = [question("sea"), question("moon")];
  const set = { question_set_id: "set", prompt: "A few details.", required_all: true, questions };
  const line = { type: "questions.requested", payload: { ...set, source: "agent" } };
  const several = await asks(await builds.start(`[[say: ${JSON.stringify(line)}]]`));
  const listed = "A few details.\n1. Which sea?\n2. Which moon?";
  assert.deepEqual([several.prompt, several.options], [listed, []]);
  const one = { decision_id: several.decision_id, choice: "North" };
  const refused = await peer.command("resolve_decision", one);
  assert.match(refused.payload.message, /2 questions are asked: send answers for "sea", "moon"/);
  const answers = [
    { question_id: "sea", choices: ["North"] },
    { question_id: "moon", choices: ["New"] },
  ];
  await peer.ask("resolve_decision", { decision_id: several.decision_id, answers });
  for await (const { type, payload } of builds.events(several.build_id)) {
    if (type !== "questions.answered") continue;
    assert.deepEqual(payload.answers, [
      { question_id: "sea", text: "North" },
      { question_id: "moon", text: "New" },
    ]);
    return;
  }
  assert.fail("they were not answered");
});
