import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { createRehearsal } from "./rehearsal.ts";

for (const pace of [1, 0]) {
  describeAgentRuntime(`rehearsal at pace ${pace}`, (situation) =>
    Promise.resolve({
      runtime: createRehearsal("rehearsal", { pace }),
      prompt: promptFor(situation),
      // Left, it is a generator that has returned.
      letGo: () => Promise.resolve(),
      promptFor: (answer) => promptFor({ type: "answers", answer }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  );
}

function promptFor(situation: Situation): string {
  switch (situation.type) {
    case "answers":
      return `[[say: ${situation.answer}]]`;
    case "uses a tool":
      return `[[tool: lookup {"q":"tides"}]] [[say: ${situation.answer}]]`;
    case "talks on":
      return `[[say: ${"and on ".repeat(2_000)}]]`;
    case "is silent":
      return "[[hang]]";
  }
}

const play = (
  prompt: string,
  options: TestHostOptions = {},
  more: Parameters<typeof turnOf>[1] = {},
): Promise<TurnEvent[]> =>
  eventsOf(createRehearsal("rehearsal"), turnOf(prompt, more), createTestHost(options));

const search = {
  name: "web_search",
  description: "Searches.",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
};

test("[REHEARSAL-1] the same seed and turn give the same events, another seed may not", async () => {
  const work = "Please write a launch plan for the tide app.";
  const with_ = (seed: number): Promise<TurnEvent[]> =>
    eventsOf(createRehearsal("rehearsal", { seed }), turnOf(work), createTestHost());
  assert.deepEqual(await with_(7), await with_(7));
  const texts = await Promise.all([1, 2, 3, 4, 5].map(async (seed) => textIn(await with_(seed))));
  assert.ok(new Set(texts).size > 1);
});

test("[REHEARSAL-2] it is labelled as rehearsal in its model, its first answer, later ones and its drafts", async () => {
  const { provider, id } = createRehearsal("x").model;
  assert.deepEqual([provider, id], ["rehearsal", "rehearsal-1"]);
  assert.match(textIn(await play("hello")), /^\(Rehearsal: no model is connected to Eng 1/);
  const history = [{ role: "assistant" as const, text: "Hello." }];
  assert.match(textIn(await play("Is it high?", {}, { history })), /^\(Rehearsal\.\)/);
  const [artifact] = (await play("Draft a tide table")).filter(({ type }) => type === "artifact");
  assert.ok(artifact?.type === "artifact");
  assert.match(artifact.text, /rehearsal draft/);
});

test("[REHEARSAL-3] an answer takes about two seconds of the host's time; at pace 0 none", async () => {
  for (const prompt of ["Write a launch plan for the tide app", "Why is the tide late?"]) {
    const host = createTestHost();
    const started = host.now();
    const events = await eventsOf(createRehearsal("x"), turnOf(prompt), host);
    const took = host.now() - started;
    assert.ok(took >= 1_000 && took <= 2_500, `${prompt} took ${took} ms`);
    assert.ok(events.filter(({ type }) => type === "text").length > 10);
    assert.equal(
      events.find(({ type }) => type === "text" || type === "thinking")?.type,
      "thinking",
    );
    const quick = createTestHost();
    await eventsOf(createRehearsal("x", { pace: 0 }), turnOf(prompt), quick);
    assert.deepEqual(quick.sleeps, []);
  }
});

test("[REHEARSAL-6] work is delivered as a markdown artifact that the answer names; talk is not", async () => {
  for (const prompt of ["Could you please draft a tide table?", "build a raft"]) {
    const events = await play(prompt);
    const artifacts = events.filter((event) => event.type === "artifact");
    assert.equal(artifacts.length, 1);
    const [{ name, mediaType, text }] = artifacts as [(typeof artifacts)[number]];
    assert.equal(mediaType, "text/markdown");
    assert.match(text, /^# /);
    assert.ok(textIn(events).includes(name), name);
  }
  for (const prompt of ["hi", "Who builds rafts?", "The raft is afloat."]) {
    assert.ok(!typesIn(await play(prompt)).includes("artifact"), prompt);
  }
});

test("[REHEARSAL-3] it looks things up with a tool made for that, and touches no other", async () => {
  const shell = { ...search, name: "shell" };
  const demanding = {
    ...search,
    name: "find_flights",
    input: { ...search.input, required: ["q", "day"] },
  };
  const host = createTestHost({
    tools: [shell, demanding, search],
    callTool: () => Promise.resolve({ text: "High at noon.\nLow at six.", isError: false }),
  });
  const events = await eventsOf(createRehearsal("x"), turnOf("When is the tide high?"), host);
  assert.deepEqual(host.calls, [{ name: "web_search", input: { q: "When is the tide high" } }]);
  assert.match(textIn(events), /From web_search: High at noon\./);
  const others = createTestHost({ tools: [shell, demanding] });
  await eventsOf(createRehearsal("x"), turnOf("When is the tide high?"), others);
  assert.deepEqual(others.calls, []);
});

test("[REHEARSAL-4] with say, the reply is exactly what is said, line by line", async () => {
  const events = await play("ignored [[say: one]] words [[say:  two  spaces\n\nand lines ]]");
  assert.equal(textIn(events), "one\ntwo  spaces\n\nand lines");
  assert.ok(!typesIn(events).includes("thinking"));
});

test("[REHEARSAL-4] ask puts the question to people and reports the answer, or that none came", async () => {
  const asked: unknown[] = [];
  const prompt = "[[ask: Which audience? | Tech users | General consumers]]";
  const events = await play(prompt, {
    ask: (question) => {
      asked.push(question);
      return Promise.resolve("Tech users");
    },
  });
  assert.deepEqual(asked, [
    { text: "Which audience?", options: ["Tech users", "General consumers"] },
  ]);
  assert.equal(textIn(events), 'You answered "Which audience?" with: Tech users');
  assert.equal(textIn(await play("[[ask: Why?]]")), 'Nobody answered "Why?" in time.');
  const broken = { ask: () => Promise.reject(new Error("no one is here")) };
  assert.equal(
    textIn(await play("[[ask: Why?]]", broken)),
    'I could not ask "Why?": no one is here',
  );
});

test("[REHEARSAL-4] approve asks for permission and reports what was decided", async () => {
  const asked: unknown[] = [];
  for (const [permission, report] of [
    ["allowed", "Allowed: shell npm publish"],
    ["denied", "Denied: shell npm publish"],
    [{ permission: "denied", note: "not now" }, "Denied: shell npm publish (not now)"],
    ["expired", "Not decided in time, so not done: shell npm publish"],
  ] as const) {
    const events = await play("[[approve: shell npm publish]]", {
      requestPermission: (request) => {
        asked.push(request);
        return Promise.resolve(permission);
      },
    });
    assert.equal(textIn(events), report);
  }
  assert.deepEqual(asked[0], { tool: "shell", input: "npm publish" });
});

test("[REHEARSAL-4] tool calls the tool as directed and reports what it returned", async () => {
  const host = createTestHost({
    callTool: (name) =>
      name === "search"
        ? Promise.resolve({ text: "found", isError: false })
        : Promise.resolve({ text: "no such tool", isError: true }),
  });
  const prompt = '[[tool: search {"q":[["x"]]}]][[tool: missing]]';
  const events = await eventsOf(createRehearsal("x"), turnOf(prompt), host);
  assert.deepEqual(host.calls, [
    { name: "search", input: { q: [["x"]] } },
    { name: "missing", input: {} },
  ]);
  assert.equal(textIn(events), "search returned: found\nmissing failed: no such tool");
});

test("[REHEARSAL-4] directions run in order; sleep waits that long and tokens are counted", async () => {
  const host = createTestHost();
  const started = host.now();
  const prompt = "[[say: a]][[sleep: 90s]][[tokens: 5000]][[say: b]]";
  const events = await eventsOf(createRehearsal("x", { pace: 0 }), turnOf(prompt), host);
  assert.equal(host.now() - started, 90_000);
  assert.deepEqual(host.sleeps, [90_000]);
  assert.equal(textIn(events), "a\nb");
  const usage = events.findLast((event) => event.type === "usage")?.usage;
  assert.ok(usage !== undefined && usage.outputTokens >= 5_000 && usage.outputTokens < 5_010);
});

test("[REHEARSAL-4] fail fails with the reason, keeping what was said before; nothing after it runs", async () => {
  const host = createTestHost();
  const prompt = "[[say: so far]][[fail: the boat sank]][[tool: bail]]";
  const events = await eventsOf(createRehearsal("x"), turnOf(prompt), host);
  assert.equal(textIn(events), "so far");
  assert.deepEqual(events.at(-1), { type: "failed", kind: "unknown", reason: "the boat sank" });
  assert.deepEqual(host.calls, []);
});

test("[REHEARSAL-5] a malformed or unknown direction is answered with what it should look like", async () => {
  for (const [written, advice] of [
    ["[[sleep: soon]]", /"sleep" should look like \[\[sleep: 5s\]\]/],
    ["[[sleep: 61m]]", /at most 60m/],
    ["[[tokens: many]]", /"tokens" should look like \[\[tokens: 5000\]\]/],
    ["[[tool: search {q}]]", /"tool" should look like \[\[tool: search \{"q":"x"\}\]\]/],
    ["[[ask: ]]", /"ask" should look like/],
    ["[[ask: a | ]]", /"ask" should look like/],
    ["[[approve: shell]]", /"approve" should look like \[\[approve: shell npm publish\]\]/],
    ["[[say]]", /"say" should look like \[\[say: text\]\]/],
    ["[[fail:]]", /"fail" should look like/],
    ["[[hang: on]]", /"hang" should look like \[\[hang\]\]/],
    ["[[say: never closed", /"say" is not closed/],
    ["[[dance: tango]]", /no stage direction "dance"; these exist: \[\[say: text\]\]/],
  ] as const) {
    const events = await play(written);
    assert.match(textIn(events), advice, written);
    assert.equal(events.at(-1)?.type, "completed");
  }
  assert.match(textIn(await play("[[say: ok]][[sleep: x]]")), /^ok\nThe stage direction "sleep"/);
});

test("[REHEARSAL-5] other double brackets are text, and words beside directions are answered", async () => {
  const link = textIn(await play("Draft a page about [[Tides]] and [[ -f x ]]"));
  assert.match(link, /\[\[Tides\]\] and \[\[ -f x \]\]/);
  const both = await play("Draft a tide table [[tokens: 10]]");
  assert.match(textIn(both), /Draft a tide table/);
  assert.ok(typesIn(both).includes("artifact"));
  const order = textIn(await play("Draft a tide table [[approve: shell ls]]"));
  assert.match(order, /^Not decided in time.*\n\n\(Rehearsal/);
  assert.match(textIn(await play("[[sleep: 1ms]]")), /directions were followed/);
});

test("what people add is noted between sentences, and so is what comes last", async () => {
  const host = createTestHost();
  const runtime = createRehearsal("x");
  let text = "";
  for await (const event of runtime.start(turnOf("[[say: One two. Three.]]"), host)) {
    if (event.type !== "text") continue;
    text += event.delta;
    if (text === "One two.") host.steering.push("shorter");
    if (text.endsWith("Three.")) host.steering.push("and kinder");
  }
  assert.equal(text, "One two.\n\nNoted: shorter\n\nThree.\n\nNoted: and kinder");
});

test("a large message of any shape is read", { timeout: 60_000 }, async () => {
  const size = 200_000;
  for (const message of [
    "[[say: ".repeat(size),
    "[[dance: ".repeat(size),
    `[[tool: x {${"]]".repeat(size)}`,
    `${"!".repeat(size)}a`,
    `${" ".repeat(size)}[[${" ".repeat(size)}`,
    "a".repeat(size),
  ]) {
    const events = await eventsOf(
      createRehearsal("x", { pace: 0 }),
      turnOf(message),
      createTestHost(),
    );
    assert.equal(events.at(-1)?.type, "completed");
  }
});

test("[AGENT-7] an attachment it can read is acknowledged", async () => {
  const data = Buffer.from("a\nb\n").toString("base64");
  const attachments = [{ name: "notes.txt", mediaType: "text/plain", data }];
  assert.match(textIn(await play("hi", {}, { attachments })), /^I have notes\.txt \(2 lines\)\./);
});

const TEAM =
  "The team:\n- BD, front desk\n- Research 1, researcher\n- Eng 1, engineer\n- Writer 1, writer";
const ASKED = "What was asked:\n> Create a landing page [[ask: Which tone? | Warm | Dry]]";
const taskOf = (number: number, more = ""): string =>
  `Task ${number} of 3: Sketch a landing page\n\n${ASKED}${more}`;

test("[REHEARSAL-6] a plan has tasks for the trades of the team, and plays no directions", async () => {
  const events = await play(`Plan this for the team.\n\n${ASKED}\n\n${TEAM}`, {}, { form: "plan" });
  const json = /\{[\s\S]*\}/.exec(textIn(events))?.[0] ?? "";
  const plan = JSON.parse(json) as { title: string; tasks: { title: string; role: string }[] };
  assert.deepEqual(
    plan.tasks.map(({ role }) => role),
    ["researcher", "engineer", "writer"],
  );
  assert.match(plan.tasks[0]?.title ?? "", /landing page/);
  assert.ok(!json.includes("[["));
  assert.match(textIn(events), /^\(Rehearsal\.\)/);
});

test("[REHEARSAL-6] the first task asks, the others do not; each delivers", async () => {
  const asked: string[] = [];
  const ask = (question: { readonly text: string }): Promise<string> => {
    asked.push(question.text);
    return Promise.resolve("Warm");
  };
  const first = await play(taskOf(1), { ask }, { form: "task" });
  assert.deepEqual(asked, ["Which tone?"]);
  const second = await play(taskOf(2), { ask }, { form: "task" });
  const plain = taskOf(1).replace(/ \[\[.*\]\]/, "");
  const third = await play(plain, { ask }, { form: "task" });
  assert.equal(asked.length, 2);
  for (const events of [first, second, third]) {
    const artifact = events.find((event) => event.type === "artifact");
    assert.equal(artifact?.name, "landing-page.md");
  }
});

test("[REHEARSAL-6] wished changes come back in the same draft, without a question", async () => {
  const wishes = "\n\nChanges were requested:\n\nlanding-page.md:\n> Shorter\n\nHand over";
  const ask = (): Promise<string> => assert.fail("asked");
  const events = await play(taskOf(1, wishes), { ask }, { form: "task" });
  const artifact = events.find((event) => event.type === "artifact");
  assert.equal(artifact?.name, "landing-page.md");
  assert.match(artifact.text, /Changed as wished: Shorter/);
});

test("[REHEARSAL-2] a rehearsal costs nothing, and says so", async () => {
  const events = await eventsOf(createRehearsal("x"), turnOf("[[tokens: 5000]]"), createTestHost());
  const costs = events.flatMap((event) => (event.type === "usage" ? [event.usage.cost] : []));
  assert.ok(costs.length > 1);
  assert.deepEqual([...new Set(costs)], [0]);
});

test("[REHEARSAL-13] a tool that must be called is called, once", async () => {
  const must = { mustCall: ["web_search"] };
  const named = (events: readonly TurnEvent[]): unknown[] =>
    events.flatMap((event) => (event.type === "tool.called" ? [[event.name, event.input]] : []));
  const bare = await play("[[say: hi]]", { tools: [search] }, must);
  assert.deepEqual(named(bare), [["web_search", {}]]);
  const directed = await play('[[tool: web_search {"q":"x"}]]', { tools: [search] }, must);
  assert.deepEqual(named(directed), [["web_search", { q: "x" }]]);
});
