/** Sessions of Codex in its daemon, from its socket to people in the office and back. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openCodexFolder } from "../../kit/codex-daemon.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";

const skip = skipWithout("curl");
const THREAD = "01a1e1a1-8480-72d1-ad33-e24b31d36526";

// oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
type Seen = any;

const joinedIn = ({ type, payload }: WorldMessage): Seen[] =>
  type === "snapshot" ? payload.agents.filter(({ joined }: Seen) => joined !== undefined) : [];
const decisionsIn = ({ type, payload }: WorldMessage): Seen[] =>
  type === "snapshot" ? payload.decisions : [];

async function seen(peer: WorldPeer, isIt: (one: Seen) => boolean): Promise<Seen> {
  return joinedIn(await peer.first((message) => joinedIn(message).some(isIt))).find(isIt);
}

async function asked(peer: WorldPeer, command: string, status = "open"): Promise<Seen> {
  const isIt = (one: Seen): boolean => one.status === status && one.prompt.includes(command);
  return decisionsIn(await peer.first((each) => decisionsIn(each).some(isIt))).find(isIt);
}

const isEmpty = (message: WorldMessage): boolean =>
  message.type === "snapshot" && joinedIn(message).length === 0;
const isReached = ({ joined }: Seen): boolean => joined.message_moments.includes("at-once");
const choose = (peer: WorldPeer, { decision_id }: Seen, choice: string, more: object = {}) =>
  peer.ask("resolve_decision", { decision_id, choice, ...more });

test("[DAEMON-1] a session of the daemon is in the office, works, rests, and goes when it is closed", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const early = daemon.openThread();
  daemon.openThread("of-codex", { ephemeral: true });
  daemon.openThread("of-an-agent", { parentThreadId: THREAD });
  // It has not joined, so nobody looks at it.
  assert.equal(daemon.clients, 0);
  codex.join(atrium.home);
  const came = await seen(peer, isReached);
  assert.equal(came.name, "Codex · shop");
  assert.equal(came.status, "idle");
  assert.equal(came.joined.model, "test-model");
  assert.equal(came.joined.can_ask, true);
  early.begin();
  await seen(peer, ({ status }) => status === "working");
  const late = daemon.openThread("01a1e1a1-0000-72d1-ad33-e24b31d36526", { cwd: "/home/ann/boat" });
  await seen(peer, ({ name }) => name === "Codex · boat");
  late.close();
  await peer.next((message) => joinedIn(message).length === 1);
  early.finish();
  await peer.next((message) => joinedIn(message).some(({ status }) => status === "idle"));
  const gone = peer.next(isEmpty);
  codex.leave(atrium.home);
  await gone;
  assert.deepEqual(atrium.faults, []);
});

test("[DAEMON-1] what its hooks tell is of the same session", { skip }, async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await using hooks = await openHookedSession({
    home: atrium.home,
    program: "codex",
    sessionId: THREAD,
  });
  await hooks.hook("SessionStart", { model: "test-model" });
  await seen(peer, ({ joined }) => joined.can_ask === false);
  codex.join(atrium.home);
  daemon.openThread();
  const { joined, agent_id } = await seen(peer, isReached);
  assert.equal(joined.owner, "ann");
  assert.equal(joined.can_ask, true);
  assert.equal(joinedIn(peer.told("snapshot").at(-1)!).length, 1);
  await hooks.hook("UserPromptSubmit", { prompt: "Note the tide" });
  const working = await seen(peer, ({ status }) => status === "working");
  assert.equal(working.agent_id, agent_id);
  assert.ok(isReached(working));
});

test("[DAEMON-2] the first answer counts, here or in the terminal", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  const { agent_id } = await seen(peer, isReached);
  thread.begin();
  const here = thread.ask("touch by-office.txt");
  const first = await asked(peer, "by-office.txt");
  assert.equal(first.agent_id, agent_id);
  await seen(peer, ({ status }) => status === "asks");
  await choose(peer, first, "Allow");
  assert.equal(await here.decision, "accept");
  const there = thread.ask("touch by-terminal.txt");
  await asked(peer, "by-terminal.txt");
  there.answerInTerminal("accept");
  const { note } = await asked(peer, "by-terminal.txt", "expired");
  assert.match(note, /answered in the terminal/);
  await seen(peer, ({ status }) => status === "working");
  const denied = thread.askForChange("/home/ann/shop/nets.txt", "a new net\n");
  await choose(peer, await asked(peer, "nets.txt"), "Deny");
  assert.equal(await denied.decision, "decline");
  assert.deepEqual(atrium.faults, []);
});

test(
  "[DAEMON-2] no hook is held for it, also not with the user's word that it is asked here",
  { skip },
  async () => {
    using codex = openCodexFolder();
    await using daemon = await codex.openDaemon();
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    codex.join(atrium.home);
    const thread = daemon.openThread();
    await seen(peer, isReached);
    const chosen = { program: "codex", sessionId: THREAD, asksHere: true } as const;
    await using hooks = await openHookedSession({ home: atrium.home, ...chosen });
    thread.begin();
    const tool = { tool_name: "Bash", tool_input: { command: "touch tide.txt" } };
    // It ends by itself, though nobody has answered.
    assert.equal(await hooks.hook("PermissionRequest", tool), "");
    const { decision } = thread.ask("touch tide.txt");
    await choose(peer, await asked(peer, "tide.txt"), "Allow");
    assert.equal(await decision, "accept");
    assert.equal(decisionsIn(peer.told("snapshot").at(-1)!).length, 1);
  },
);

test("[SECRET-8] a key in a command is masked where all see it, and is read by who is asked", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  await seen(peer, isReached);
  thread.begin();
  await daemon.asked("thread/resume");
  const { decision } = thread.ask("deploy --token hunter2hunter2");
  const doing = await seen(peer, ({ joined }) => joined.doing !== undefined);
  assert.equal(doing.joined.doing, "Bash: deploy --token [key]");
  await choose(peer, await asked(peer, "deploy --token hunter2hunter2"), "Allow");
  assert.equal(await decision, "accept");
});

test("[DAEMON-3] what cannot be read here is left to the terminal", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium({ limits: { answerTimeoutMs: 300 } });
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  await seen(peer, isReached);
  thread.begin();
  // More than a person could read, and more than anyone takes the time for.
  const long = thread.ask(`echo ${"x".repeat(2_100_000)}`);
  const late = thread.ask("touch late.txt");
  await asked(peer, "late.txt", "expired");
  const { joined } = await seen(
    peer,
    ({ status, joined: { can_ask: canAsk } }) => status === "asks" && !canAsk,
  );
  assert.deepEqual(joined.answer_places, ["terminal"]);
  long.answerInTerminal("accept by the terminal");
  late.answerInTerminal("decline by the terminal");
  assert.equal(await long.decision, "accept by the terminal");
  assert.equal(await late.decision, "decline by the terminal");
});

const option = (label: string): object => ({ label, description: "as told" });
const NETS = {
  id: "net",
  header: "Net",
  question: "Which net?",
  isOther: true,
  isSecret: false,
  options: [option("Wide"), option("Narrow")],
};
const CATCH = { ...NETS, id: "catch", question: "How much?", options: [option("A ton")] };

test("[DAEMON-10] a question is answered here or in the terminal, whichever is first", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  const { agent_id } = await seen(peer, isReached);
  thread.begin();
  const here = thread.askQuestions(NETS);
  const one = await asked(peer, "Which net?");
  assert.deepEqual([one.agent_id, one.options], [agent_id, ["Wide", "Narrow"]]);
  await seen(peer, ({ status, joined }) => status === "asks" && joined.can_ask);
  await choose(peer, one, "Narrow");
  assert.equal(await here.decision, '{"net":{"answers":["Narrow"]}}');
  const several = thread.askQuestions(NETS, CATCH);
  const { decision_id, questions } = await asked(peer, "2. How much?");
  const answers = questions.map(({ question_id }: Seen, at: number) => ({
    question_id,
    choices: [["Wide", "as much as there is"][at]],
  }));
  await peer.ask("resolve_decision", { decision_id, answers });
  assert.deepEqual(JSON.parse(await several.decision), {
    net: { answers: ["Wide"] },
    catch: { answers: ["as much as there is"] },
  });
  const there = thread.askQuestions({ ...NETS, question: "Which boat?" });
  await asked(peer, "Which boat?");
  there.answerInTerminal("by the terminal");
  const { note } = await asked(peer, "Which boat?", "expired");
  assert.match(note, /answered in the terminal/);
  await seen(peer, ({ status }) => status === "working");
  assert.deepEqual(atrium.faults, []);
});

test("[DAEMON-10] over a lost connection the same question goes on", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  await seen(peer, isReached);
  thread.begin();
  const { decision } = thread.askQuestions(NETS);
  const one = await asked(peer, "Which net?");
  const lost = peer.next((message) => joinedIn(message).some((each) => !isReached(each)));
  daemon.dropClients();
  await lost;
  await peer.next((message) => joinedIn(message).some(isReached));
  await choose(peer, one, "Wide");
  assert.equal(await decision, '{"net":{"answers":["Wide"]}}');
  assert.equal(decisionsIn(peer.told("snapshot").at(-1)!).length, 1);
});

test("[DAEMON-11] a secret, and what cannot be read here, is asked in the terminal only", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  await seen(peer, isReached);
  thread.begin();
  for (const questions of [
    [NETS, { ...NETS, id: "key", question: "Which key?", isSecret: true }],
    [{ ...NETS, question: `Which ${"x".repeat(5_000)}?` }],
    [{ ...NETS, options: [option("Wide"), option("wide")] }],
    [],
  ]) {
    const left = thread.askQuestions(...questions);
    await seen(peer, ({ status, joined }) => status === "asks" && !joined.can_ask);
    const working = peer.next((message) =>
      joinedIn(message).some(({ status }) => status === "working"),
    );
    left.answerInTerminal("by the terminal");
    assert.equal(await left.decision, "by the terminal");
    await working;
  }
  const open = thread.askQuestions(CATCH);
  await choose(peer, await asked(peer, "How much?"), "A ton");
  assert.equal(await open.decision, '{"catch":{"answers":["A ton"]}}');
  assert.equal(decisionsIn(peer.told("snapshot").at(-1)!).length, 1);
});

test("[DAEMON-9] a change that was shown before a lost connection is answered here, another one there", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  await seen(peer, isReached);
  thread.begin();
  await daemon.asked("thread/resume");
  const shown = thread.askForChange("/home/ann/shop/nets.txt", "a new net\n");
  const one = await asked(peer, "nets.txt");
  const lost = peer.next((message) => joinedIn(message).some((each) => !isReached(each)));
  daemon.dropClients();
  await lost;
  // What was to be changed is told to nobody any more.
  const unseen = thread.askForChange("/home/ann/shop/hooks.txt", "a new hook\n");
  await peer.next((message) => joinedIn(message).some(isReached));
  await choose(peer, one, "Allow");
  assert.equal(await shown.decision, "accept");
  await peer.first(
    (message) =>
      decisionsIn(message).length === 1 &&
      decisionsIn(message).every(({ status }) => status === "resolved") &&
      joinedIn(message).some(({ status, joined }) => status === "asks" && !joined.can_ask),
  );
  const working = peer.next((message) =>
    joinedIn(message).some(({ status, joined }) => status === "working" && joined.can_ask),
  );
  unseen.answerInTerminal("decline by the terminal");
  assert.equal(await unseen.decision, "decline by the terminal");
  await working;
  assert.deepEqual(atrium.faults, []);
});

test("[DAEMON-4] a message wakes an idle session, and is added to a turn that is under way", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  const { agent_id } = await seen(peer, isReached);
  await peer.ask("leave_message", { agent_id, text: "Mind the\u202E neap tides." });
  await seen(peer, ({ joined }) => joined.messages?.[0]?.moment === "at-once");
  await seen(peer, ({ status }) => status === "working");
  await peer.ask("leave_message", { agent_id, text: "And the springs." });
  await seen(peer, ({ joined }) => joined.messages?.[1]?.moment === "at-once");
  const said = [
    "tester left a message in Atrium: Mind the neap tides.",
    "tester left a message in Atrium: And the springs.",
  ];
  assert.deepEqual(thread.heard, said);
  assert.equal(daemon.requests.filter(({ method }) => method === "turn/start").length, 1);
  const { decision } = thread.ask("rm -r nets");
  await choose(peer, await asked(peer, "rm -r nets"), "Deny", { note: "They are not ours." });
  assert.equal(await decision, "decline");
  assert.deepEqual(thread.heard.slice(2), ["A person denied this and said: They are not ours."]);
});

test("[DAEMON-5] over a kill of the server the same request goes on, and is answered once", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-"));
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  codex.join(home);
  const before = await startServer(home);
  const thread = daemon.openThread();
  {
    await using peer = await enterWorld(before);
    await seen(peer, isReached);
    thread.begin();
    void thread.ask("touch tide.txt");
    await asked(peer, "tide.txt");
  }
  await before.end("SIGKILL");
  const closed = daemon.openThread("01a1e1a1-0000-72d1-ad33-e24b31d36526");
  const server = await startServer(home);
  {
    await using peer = await enterWorld(server);
    const one = await asked(peer, "tide.txt");
    await seen(peer, isReached);
    await choose(peer, one, "Allow");
    await seen(peer, ({ status }) => status === "working");
    assert.equal(decisionsIn(peer.told("snapshot").at(-1)!).length, 1);
    await peer.first((message) => joinedIn(message).length === 2);
  }
  closed.begin();
  const away = closed.ask("touch away.txt");
  {
    await using peer = await enterWorld(server);
    await asked(peer, "away.txt");
  }
  await server.end("SIGKILL");
  // One that is answered, and one that ends, while nobody listens.
  away.answerInTerminal("accept");
  thread.close();
  const last = await startServer(home);
  {
    await using peer = await enterWorld(last);
    await asked(peer, "away.txt", "expired");
    await peer.first(
      (message) => joinedIn(message).length === 1 && joinedIn(message).every(isReached),
    );
  }
  await last.end();
  await rm(home, { recursive: true, force: true });
});

test("[DAEMON-5] a daemon that drops the connection, or ends, is found again", async () => {
  using codex = openCodexFolder();
  const claimed = spawn("sleep", ["600"], { stdio: "ignore" });
  const daemon = await codex.openDaemon({ pid: claimed.pid! });
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  await seen(peer, isReached);
  thread.begin();
  const { decision } = thread.ask("touch tide.txt");
  const one = await asked(peer, "tide.txt");
  const isLost = (message: WorldMessage): boolean =>
    joinedIn(message).some((each) => !isReached(each));
  const lost = peer.next(isLost);
  daemon.dropClients();
  await lost;
  await peer.next((message) => joinedIn(message).some(isReached));
  await choose(peer, one, "Allow");
  assert.equal(await decision, "accept");
  void thread.ask("touch late.txt");
  await asked(peer, "late.txt");
  const gone = peer.next(isEmpty);
  await daemon[Symbol.asyncDispose]();
  claimed.kill("SIGKILL");
  await gone;
  await asked(peer, "late.txt", "expired");
  await using next = await codex.openDaemon();
  next.openThread();
  await peer.next((message) => joinedIn(message).some(isReached));
  assert.deepEqual(atrium.faults, []);
});

for (const flaw of ["hangs", "garbage", "megabytes"] as const) {
  test(`[DAEMON-6] a daemon that is broken (${flaw}) affects nothing else`, { skip }, async () => {
    using codex = openCodexFolder();
    const broken = await codex.openDaemon({ flaw });
    const met = broken.met();
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    codex.join(atrium.home);
    await using hooks = await openHookedSession({
      home: atrium.home,
      program: "codex",
      sessionId: THREAD,
    });
    await met;
    await hooks.hook("SessionStart");
    const { joined } = await seen(peer, () => true);
    assert.equal(joined.can_ask, false);
    await broken[Symbol.asyncDispose]();
    await using daemon = await codex.openDaemon();
    daemon.openThread();
    await seen(peer, isReached);
    assert.deepEqual(atrium.faults, []);
  });
}

test("[DAEMON-6] whatever a daemon says is no session, no order and no fault", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread("__proto__", { cwd: "\u001B[31m/tmp", model: 7, status: "?" });
  const { joined, agent_id } = await seen(peer, isReached);
  assert.equal(joined.folder, "[31m/tmp");
  daemon.openThread("x".repeat(1_000));
  daemon.openThread("");
  thread.begin();
  await peer.next((message) => joinedIn(message).some(({ status }) => status === "working"));
  const command = thread.ask("touch tide.txt");
  await asked(peer, "tide.txt");
  command.answerInTerminal("accept");
  await command.decision;
  const last = joinedIn(peer.told("snapshot").at(-1)!);
  assert.deepEqual(
    last.map((each) => each.agent_id),
    [agent_id],
  );
  assert.deepEqual(atrium.faults, []);
});

test("[DAEMON-7] it is listened to while it works, and let go of when it rests", async () => {
  using codex = openCodexFolder();
  await using daemon = await codex.openDaemon();
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  codex.join(atrium.home);
  const thread = daemon.openThread();
  await seen(peer, isReached);
  assert.equal(thread.subscribers, 0);
  thread.begin();
  const { decision } = thread.ask("touch tide.txt");
  await choose(peer, await asked(peer, "tide.txt"), "Allow");
  await decision;
  assert.equal(thread.subscribers, 1);
  const rested = peer.next((message) => joinedIn(message).some(({ status }) => status === "idle"));
  thread.finish();
  await rested;
  await daemon.asked("thread/unsubscribe");
  assert.equal(thread.subscribers, 0);
});
