/** Sessions of opencode, by its plugin: events in, answers and messages back. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { decision, joinedAgent, nextJoined, nobodyJoined } from "../../kit/joined-office.ts";
import { startOpencode, type OpencodeProcess } from "../../kit/opencode-process.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const SESSION = "ses_e108d7e36ffeiVxEWIA5tKiDf3";
const PROMPT = {
  sessionID: SESSION,
  agent: "plan",
  model: { providerID: "fake", modelID: "test-model" },
};

const asks = (opencode: OpencodeProcess, id: string, command: string): Promise<void> =>
  opencode.event("permission.asked", {
    id,
    sessionID: SESSION,
    permission: "bash",
    patterns: [command],
    metadata: { command },
  });
const isAsked =
  (command: string, status = "open") =>
  (one: { status: string; prompt: string }): boolean =>
    one.status === status && one.prompt.includes(command);

test("[JOIN-32] an opencode is in the office with what it does, and goes when its session is over", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using opencode = await startOpencode(atrium.home);
  await opencode.event("session.created", { info: { id: SESSION } });
  const came = await joinedAgent(peer, () => true);
  assert.equal(came.name, "opencode · shop");
  assert.deepEqual(came.joined.answer_places, ["office", "terminal"]);
  assert.deepEqual(came.joined.message_moments, ["at-once"]);
  await opencode.hook("chat.message", PROMPT);
  await opencode.hook(
    "tool.execute.before",
    { tool: "bash", sessionID: SESSION },
    { args: { command: "date" } },
  );
  await joinedAgent(
    peer,
    ({ status, joined }) =>
      status === "working" && joined.doing === "bash: date" && joined.model === "test-model",
  );
  // One that it has started itself is not another one.
  await opencode.event("session.created", { info: { id: "ses_child", parentID: SESSION } });
  await opencode.hook("tool.execute.after", { tool: "bash", sessionID: "ses_child" });
  await opencode.event("session.idle", { sessionID: "ses_child" });
  await opencode.event("session.idle", { sessionID: SESSION });
  await joinedAgent(peer, ({ status, joined }) => status === "idle" && joined.model !== undefined);
  // Whoever begins a new session has left the one before.
  await opencode.event("session.created", { info: { id: "ses_next" } });
  await opencode.hook("chat.message", { ...PROMPT, sessionID: "ses_next" });
  const next = await joinedAgent(
    peer,
    ({ agent_id, status }) => agent_id !== came.agent_id && status === "working",
  );
  await peer.first(
    ({ type, payload }) =>
      type === "snapshot" &&
      payload.agents.some(({ agent_id }: typeof next) => agent_id === next.agent_id) &&
      payload.agents.every(({ agent_id }: typeof next) => agent_id !== came.agent_id),
  );
  await opencode.event("session.deleted", { info: { id: "ses_next" } });
  await nobodyJoined(peer);
  assert.deepEqual(atrium.faults, []);
});

test("[JOIN-32] what opencode asks is answered in the office or in the terminal, whichever is first", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using opencode = await startOpencode(atrium.home);
  await opencode.event("session.created", { info: { id: SESSION } });
  await asks(opencode, "per_1", "touch allowed.txt");
  const first = await decision(peer, isAsked("touch allowed.txt"));
  await peer.ask("resolve_decision", { decision_id: first.decision_id, choice: "Allow" });
  await opencode.called(1);
  await asks(opencode, "per_2", "touch denied.txt");
  const second = await decision(peer, isAsked("touch denied.txt"));
  await peer.ask("resolve_decision", { decision_id: second.decision_id, choice: "Deny" });
  await opencode.called(2);
  assert.deepEqual(opencode.calls, [
    { path: { id: SESSION, permissionID: "per_1" }, body: { response: "once" } },
    { path: { id: SESSION, permissionID: "per_2" }, body: { response: "reject" } },
  ]);
  await asks(opencode, "per_3", "touch typed.txt");
  await decision(peer, isAsked("touch typed.txt"));
  await opencode.event("permission.replied", { sessionID: SESSION, requestID: "per_3" });
  await decision(peer, isAsked("touch typed.txt", "expired"));
  assert.equal(opencode.calls.length, 2);
});

const option = (label: string): object => ({ label, description: "as told" });
const NETS = {
  header: "Net",
  question: "Which net?",
  options: [option("Wide"), option("Narrow")],
  multiple: true,
};
const BOAT = { header: "Boat", question: "Which boat?", options: [option("Old")], custom: false };

test("[JOIN-61] a question of opencode is answered in the office or in the terminal", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using opencode = await startOpencode(atrium.home);
  await opencode.event("session.created", { info: { id: SESSION } });
  const ask = (id: string, ...questions: object[]): Promise<void> =>
    opencode.event("question.asked", { id, sessionID: SESSION, questions });
  await ask("que_1", NETS, BOAT);
  const { decision_id, questions } = await decision(peer, isAsked("2. Which boat?"));
  await joinedAgent(peer, ({ status, joined }) => status === "asks" && joined.can_ask);
  const [nets, boat] = questions?.map(({ question_id }) => question_id) ?? [];
  const choose = (choices: string[]): Promise<void> =>
    peer.ask("resolve_decision", {
      decision_id,
      answers: [
        { question_id: nets, choices: ["Wide", "by hand"] },
        { question_id: boat, choices },
      ],
    });
  await assert.rejects(choose(["A new one"]), /takes one of/);
  await choose(["Old"]);
  await opencode.called(1);
  const [{ url, path, body } = {}] = opencode.calls;
  assert.deepEqual(
    { url, path, body },
    {
      url: "/question/{requestID}/reply",
      path: { requestID: "que_1" },
      body: { answers: [["Wide", "by hand"], ["Old"]] },
    },
  );
  for (const [id, how] of [
    ["que_2", "replied"],
    ["que_3", "rejected"],
  ] as const) {
    await ask(id, { ...NETS, question: `Which net is ${how}?` });
    await decision(peer, isAsked(`Which net is ${how}?`));
    await opencode.event(`question.${how}`, { sessionID: SESSION, requestID: id });
    await decision(peer, isAsked(`Which net is ${how}?`, "expired"));
  }
  assert.equal(opencode.calls.length, 1);
  assert.deepEqual(atrium.faults, []);
});

test("[JOIN-61] an opencode that cannot be answered is seen asking in its terminal", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using opencode = await startOpencode(atrium.home, false);
  await opencode.event("session.created", { info: { id: SESSION } });
  const asked = { id: "que_1", sessionID: SESSION, questions: [NETS] };
  await opencode.event("question.asked", asked);
  const { joined } = await joinedAgent(peer, ({ status }) => status === "asks");
  assert.deepEqual([joined.can_ask, joined.answer_places], [false, ["terminal"]]);
});

test("[JOIN-32] a message reaches an idle opencode at once, for the agent that its user has chosen", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using opencode = await startOpencode(atrium.home);
  await opencode.hook("chat.message", PROMPT);
  const { agent_id } = await joinedAgent(peer, ({ status }) => status === "working");
  // A message may overtake what is reported before it.
  const rested = nextJoined(peer, ({ status }) => status === "idle");
  await opencode.event("session.idle", { sessionID: SESSION });
  await rested;
  await peer.ask("leave_message", { agent_id, text: "Mind the tides." });
  await opencode.called(1);
  assert.deepEqual(opencode.calls, [
    {
      path: { id: SESSION },
      body: {
        agent: "plan",
        model: PROMPT.model,
        parts: [{ type: "text", text: "tester left a message in Atrium: Mind the tides." }],
      },
    },
  ]);
  await joinedAgent(
    peer,
    ({ joined, status }) => joined.messages?.[0]?.moment === "at-once" && status === "working",
  );
  await peer.ask("leave_message", { agent_id, text: "And the springs." });
  await opencode.called(2);
  assert.match(JSON.stringify(opencode.calls[1]), /And the springs/);
  await opencode.event("session.deleted", { info: { id: SESSION } });
});

test("[JOIN-32] [JOIN-61] over a kill of the server, the same is asked on and messages arrive", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-"));
  const before = await startServer(home);
  await using opencode = await startOpencode(home);
  await opencode.event("session.created", { info: { id: SESSION } });
  await asks(opencode, "per_1", "touch tide.txt");
  const question = { id: "que_1", sessionID: SESSION, questions: [NETS] };
  await opencode.event("question.asked", question);
  {
    await using peer = await enterWorld(before);
    await decision(peer, isAsked("touch tide.txt"));
    await decision(peer, isAsked("Which net?"));
  }
  await before.end("SIGKILL");
  const server = await startServer(home);
  {
    await using peer = await enterWorld(server);
    const one = await decision(peer, isAsked("touch tide.txt"));
    await peer.ask("resolve_decision", { decision_id: one.decision_id, choice: "Allow" });
    await opencode.called(1);
    const other = await decision(peer, isAsked("Which net?"));
    await peer.ask("resolve_decision", { decision_id: other.decision_id, choice: "Narrow" });
    await opencode.called(2);
    assert.deepEqual(opencode.calls[1]?.["body"], { answers: [["Narrow"]] });
    const { agent_id } = await joinedAgent(peer, () => true);
    await peer.ask("leave_message", { agent_id, text: "Mind the tides." });
    await opencode.called(3);
  }
  await server.end();
  await rm(home, { recursive: true, force: true });
});

test("[JOIN-32] without a server opencode is asked by nobody and waits for nothing", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-"));
  await using opencode = await startOpencode(home);
  await opencode.event("session.created", { info: { id: SESSION } });
  await asks(opencode, "per_1", "touch tide.txt");
  await opencode.event("session.idle", { sessionID: SESSION });
  assert.deepEqual(opencode.calls, []);
  await rm(home, { recursive: true, force: true });
});
