/** The front desk with a model, through every door: what it is told of the projects, and what it can do with them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import {
  openModelServer,
  type Body,
  type ModelRequest,
  type ModelServer,
} from "../../kit/model-server/model-server.ts";
import { openaiClient, saying } from "../../kit/openai.ts";
import { modelOn } from "../../kit/workshop.ts";
import { enterWorld, plannedProject, type WorldPeer } from "../../kit/world-peer.ts";

const PLAN = {
  title: "Landing page",
  summary: "Copy first, then a sketch.",
  tasks: [
    { title: "Write the copy", description: "Short.", role: "writer" },
    { title: "Sketch it", description: "One variant.", role: "designer" },
  ],
};
const STANDING =
  /\n- "Landing page" \(proj_[a-z0-9]+\): planned; 0 of 2 tasks done; 2 planned; waits for people: 2 tasks to be assigned$/;

const says = (text: string): Behavior => ({ type: "answer", chunks: [text] });
const calls = (name: string, input: unknown): Behavior => ({
  type: "answer",
  toolCalls: [{ name, input }],
});

/** Plans what it is to plan; a message in the form `name {…}` it takes for a call, and tells what came of it. */
function decide({ body }: ModelRequest): Behavior {
  const messages: readonly Body[] = body.messages;
  const isPlan = JSON.stringify(messages).includes("Plan this for the team");
  if (isPlan) return says(JSON.stringify(PLAN));
  const last = messages.at(-1);
  if (last.role === "tool") return says(`Result: ${last.content}`);
  const [, name, input] = /^([a-z_]+) (\{.*\})/.exec(last.content) ?? [];
  return name === undefined || input === undefined ? says("Fine.") : calls(name, JSON.parse(input));
}

interface Office extends AsyncDisposable {
  readonly atrium: TestAtrium;
  readonly model: ModelServer;
  readonly peer: WorldPeer;
  /** Says it in the office; what was answered. */
  readonly chat: (text: string) => Promise<string>;
}

async function openOffice(decided: typeof decide = decide): Promise<Office> {
  const model = await openModelServer(decided);
  const local = modelOn(model.baseUrl);
  const agents = [
    { id: "agent_bd", name: "BD", role: "front desk", runtime: "local" },
    { id: "agent_writer_1", name: "Writer", role: "writer", runtime: "local" },
  ];
  const atrium = await openTestAtrium({ settings: { runtimes: { local }, agents } });
  const peer = await enterWorld(atrium);
  return {
    atrium,
    model,
    peer,
    async chat(text) {
      const before = peer.messages.length;
      const answered = peer.next(
        ({ type, payload }) =>
          type === "chat" && payload.from === "agent_bd" && payload.project_id === undefined,
      );
      await peer.ask("chat", { text });
      const { payload } = await answered;
      assert.ok(peer.messages.length > before);
      return payload.text;
    },
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await atrium[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

const promptIn = ({ body }: ModelRequest): string => String(body.messages.at(-1).content);
const toolsIn = ({ body }: ModelRequest): readonly string[] =>
  (body.tools ?? []).map((tool: Body) => tool.function.name);
const DESK_TOOLS = ["projects_list", "project_status", "submit_request", "change_plan"];

test("[DESK-1] in the office, at the gateway and over OpenAI's API the front desk is told how the projects stand", async () => {
  await using office = await openOffice();
  const { atrium, model, peer } = office;
  await office.chat("Anything going on?");
  const lastRequest = (): ModelRequest => model.requests.at(-1) ?? assert.fail();
  assert.equal(promptIn(lastRequest()), "Anything going on?", "there is nothing to tell yet");
  await plannedProject(peer, "A page");
  const plan = model.requests.find(({ body }) => JSON.stringify(body).includes("Plan this for"));
  await using gateway = await atrium.connect();
  const doors: Record<string, () => Promise<unknown>> = {
    office: () => office.chat("How far is it?"),
    gateway: async () => {
      await send(gateway, "run-far", "How far is it?");
      await ended(gateway, "run-far");
    },
    session: async () => {
      await send(gateway, "run-notes", "How far is it?", { sessionKey: "notes" });
      await ended(gateway, "run-notes");
    },
    openai: () => openaiClient(atrium).chat.completions.create(saying("How far is it?")),
  };
  for (const [door, ask] of Object.entries(doors)) {
    await ask();
    assert.match(promptIn(lastRequest()), /^How far is it\?\n\n---\nFor you, not said/, door);
    assert.match(promptIn(lastRequest()), STANDING, door);
    for (const name of DESK_TOOLS) assert.ok(toolsIn(lastRequest()).includes(name), door);
    assert.match(lastRequest().body.messages[0].content, /Never guess how far something is/, door);
  }
  await send(gateway, "run-writer", "How far is it?", { sessionKey: "agent:writer_1:main" });
  await ended(gateway, "run-writer");
  for (const request of [lastRequest(), plan ?? assert.fail("no plan")]) {
    assert.doesNotMatch(JSON.stringify(request.body.messages), /Never guess|proj_/);
    const offered = toolsIn(request);
    assert.ok(
      ["projects_list", "submit_request", "change_plan"].every((name) => !offered.includes(name)),
    );
  }
  assert.deepEqual(atrium.faults, []);
});

test("[DESK-2] what the front desk has said about projects is in the conversation it reads, at its place", async () => {
  await using office = await openOffice();
  const { model, peer } = office;
  await plannedProject(peer, "A page");
  await peer.first(({ type, payload }) => type === "chat" && payload.project_id !== undefined);
  const past = (): readonly string[] =>
    model.requests
      .at(-1)
      ?.body.messages.slice(1, -1)
      .map((each: Body) => each.content) ?? [];
  await office.chat("Who does the copy?");
  assert.equal(past().length, 1);
  assert.match(
    past()[0] ?? "",
    /I split “Landing page” into 2 tasks\. .*Should I assign them\?\)$/,
  );
  await plannedProject(peer, "Another page");
  while (peer.told("chat").filter(({ payload }) => payload.project_id).length < 2) {
    await peer.nextOf("chat");
  }
  await office.chat("And now?");
  assert.deepEqual(
    past().map((text) => text.slice(0, 7)),
    ["(Before", "Who doe", "Fine.", "I split"],
  );
  await peer.ask("chat", { text: "/new" });
  await office.chat("Hello again");
  assert.ok(!past().some((text) => text.includes("I split")), past().join("\n"));
});

test("[DESK-3] the front desk looks closer with its tools, which say what the log says and change nothing", async () => {
  await using office = await openOffice();
  const { peer } = office;
  assert.equal(await office.chat("projects_list {}"), "Result: There are no such projects.");
  const { projectId, tasks } = await plannedProject(peer, "A page");
  const listed = await office.chat('projects_list {"only":"under_way"}');
  assert.match(listed, new RegExp(`^Result: - "Landing page" \\(${projectId}\\): planned;`));
  const over = await office.chat('projects_list {"only":"ended"}');
  assert.equal(over, "Result: There are no such projects.");
  for (const input of ["{}", `{"project":"${projectId}"}`, '{"project":"landing"}']) {
    const status = await office.chat(`project_status ${input}`);
    assert.match(status, /Asked for by "tester" at 2\d{3}-.*: "A page"\nPlan: "Copy first/);
    assert.match(status, new RegExp(`\n1\\. "Write the copy" \\(${tasks[0]}\\): planned\n2\\. `));
  }
  const unknown = await office.chat('project_status {"project":"__proto__"}');
  assert.match(unknown, /There is no such project\. The latest:\n- "Landing page"/);
});

test("[DESK-4] a request becomes one project, in the name of the person who was asked, and with a no none", async () => {
  const input = JSON.stringify({ text: "A tide table" });
  let repeats = 0;
  await using office = await openOffice((request) => {
    const last = request.body.messages.at(-1);
    // The model makes the same call twice, as models do.
    if (last.role === "tool" && repeats++ === 0) return calls("submit_request", JSON.parse(input));
    return decide(request);
  });
  const { atrium, peer } = office;
  await using gateway = await atrium.connect();
  const asked = gateway.event("question.requested");
  const answered = office.chat(`submit_request ${input}`);
  const { payload } = await asked;
  assert.match(payload.questions[0].question, /project of this.*own\?\n\nA tide table$/s);
  assert.deepEqual(peer.told("event"), [], "nothing was made yet");
  await gateway.ask("question.answer", { id: payload.id, text: "Make it a project" });
  const submitted = await peer.event("request_submitted");
  const { project_id } = submitted.payload;
  assert.match(await answered, new RegExp(`^Result: \\{"made":true,"projectId":"${project_id}"`));
  await peer.event("kickoff_finished");
  const made = (): number =>
    peer.told("event").filter((event) => event.payload.name === "request_submitted").length;
  assert.equal(made(), 1);
  const questions = gateway.frames.filter(({ event }) => event === "question.requested");
  assert.equal(questions.length, 1);

  const askedAgain = gateway.next(({ event }) => event === "question.requested");
  const refused = office.chat('submit_request {"text":"Another"}');
  await gateway.ask("question.answer", {
    id: (await askedAgain).payload.id,
    text: "Not now",
  });
  assert.match(await refused, /^Result: \{"made":false,"answer":"Not now"/);
  const nowhere = await office.chat('submit_request {"text":"A","repository":"../etc"}');
  assert.match(nowhere, /There is no repository \\?"..\/etc\\?"\. None is attached/);
  assert.equal(made(), 1);
  assert.deepEqual(atrium.faults, []);
});

test("[DESK-6] a plan is changed in the name of the person who was asked with all of it", async () => {
  await using office = await openOffice();
  const { atrium, peer } = office;
  const { projectId, tasks } = await plannedProject(peer, "A page");
  await using gateway = await atrium.connect();
  const changes = [
    { do: "add", title: "Test it", role: "writer", after: [1], verify: ["npm test"] },
    { do: "edit", task: 2, title: "Sketch it twice", after: [tasks[0]] },
    { do: "assign", task: 1, agent: "writer" },
  ];
  const asked = gateway.event("question.requested");
  const answered = office.chat(`change_plan ${JSON.stringify({ changes })}`);
  const { payload } = await asked;
  assert.equal(
    payload.questions[0].question,
    [
      'Shall I change the plan of "Landing page"?\n',
      '- add "Test it"\n  role: "writer"\n  verify: "npm test"\n  after: "Write the copy"',
      '- change "Sketch it":\n  title: "Sketch it twice"\n  after: "Write the copy"',
      '- give "Write the copy" to Writer',
    ].join("\n"),
  );
  const names = (): readonly string[] => peer.told("event").map((event) => event.payload.name);
  assert.ok(!names().includes("task_assigned"), "nobody has said yes");
  await gateway.ask("question.answer", { id: payload.id, text: "Change the plan" });
  assert.match(await answered, /^Result: \{"changed":true,"by":".+","results":\["done: add/);
  const status = await office.chat(`project_status {"project":"${projectId}"}`);
  assert.match(status, /\n2\. "Sketch it twice" \(task_[a-z0-9]+_2\): planned; waits for task 1/);
  assert.match(status, /\n3\. "Test it" \(task_[a-z0-9]+_3\): planned; waits for task 1/);
  for (const [change, why] of [
    [{ do: "remove", task: 9 }, /Change 1 \(remove\) is not possible/],
    [{ do: "edit", task: 1, after: [2] }, /not possible/],
    [{ do: "edit", task: 2 }, /what is to be changed is missing/],
    [{ do: "assign", task: 2, agent: "nobody" }, /nobody/],
    [{ do: "order", order: [1] }, /name every task of the project once/],
    [{ do: "add", title: "x".repeat(121) }, /longer than 120/],
  ] as const) {
    const input = JSON.stringify({ changes: [change] });
    assert.match(await office.chat(`change_plan ${input}`), why, input);
  }
  const questions = gateway.frames.filter(({ event }) => event === "question.requested");
  assert.equal(questions.length, 1, "nobody is asked for what cannot be done");
  assert.deepEqual(atrium.faults, []);
});
