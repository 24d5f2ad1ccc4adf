import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestAtrium, type TestAtrium } from "../../../../../test/kit/atrium.ts";
import { openBreakableWire, type BreakableWire } from "../../../../../test/kit/breakable-wire.ts";
import { startServer, withHome } from "../../../../../test/kit/server-process.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { AgentRuntime, PermissionRequest, Turn, TurnEvent } from "../turn/agent-runtime.ts";
import type { OpenClawSettings } from "./openclaw-settings.ts";
import { createOpenClawRuntime } from "./openclaw.ts";

/** Who works upstream: one who answers at once, one who takes time, one who runs prompts as a script. */
const UPSTREAM = {
  runtimes: {
    quick: { type: "rehearsal", pace: 0 },
    script: { type: "command", command: ["sh"] },
  },
  agents: [
    { id: "agent_bd", name: "BD", role: "front desk", runtime: "quick" },
    { id: "agent_slow", name: "Slow", role: "writer", runtime: "rehearsal" },
    { id: "agent_script", name: "Script", role: "engineer", runtime: "script" },
  ],
};

interface Stage extends AsyncDisposable {
  readonly upstream: TestAtrium;
  readonly wire: BreakableWire;
  readonly runtime: AgentRuntime;
  play(prompt: string, scene?: Scene): Promise<TurnEvent[]>;
}

interface Scene extends TestHostOptions {
  readonly turn?: Partial<Turn>;
  readonly host?: TestHost;
}

async function openStage(more: Partial<OpenClawSettings> = {}): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), "atrium-upstream-"));
  opened.defer(() => rm(home, { recursive: true, force: true }));
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(UPSTREAM));
  const upstream = opened.use(await openTestAtrium({ home }));
  const wire = opened.use(await openBreakableWire(upstream.port));
  const url = `ws://127.0.0.1:${wire.port}`;
  const runtime = createOpenClawRuntime(
    "claw",
    { url, token: upstream.token, ...more },
    systemTimers,
  );
  opened.defer(() => runtime.close?.());
  const held = opened.move();
  return {
    upstream,
    wire,
    runtime,
    play: (prompt, { turn = {}, host, ...options } = {}) =>
      eventsOf(runtime, turnOf(prompt, turn), host ?? createTestHost({ speed: 1, ...options })),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

describeAgentRuntime(
  "openclaw",
  async (situation) => {
    const [agentId, prompt] = promptFor(situation);
    const stage = await openStage({ agentId });
    return {
      runtime: stage.runtime,
      prompt,
      async letGo() {
        await using peer = await stage.upstream.connect();
        const ended = await peer.ask("agent.wait", { runId: "run_1", timeoutMs: 60_000 });
        assert.equal(ended.stopReason, "rpc");
      },
      promptFor: (answer) => promptFor({ type: "answers", answer })[1],
      speed: 1,
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  },
  { tools: "own" },
);

function promptFor(situation: Situation): [agentId: string, prompt: string] {
  switch (situation.type) {
    case "answers":
      return ["main", `[[say: ${situation.answer}]]`];
    case "uses a tool": {
      const { answer, returns } = situation;
      const called = { type: "tool.called", id: "t1", name: "lookup", input: { q: "tide" } };
      const rest =
        returns === "never"
          ? "sleep 1000"
          : `echo '${JSON.stringify({ type: "tool.returned", id: "t1", ...returns })}'; printf '%s' '${answer}'`;
      return ["script", `echo '${JSON.stringify(called)}'; ${rest}`];
    }
    case "talks on":
      return ["slow", `[[say: ${"and on ".repeat(2_000)}]]`];
    case "is silent":
      return ["main", "[[hang]]"];
  }
}

function failureIn(events: readonly TurnEvent[]): { kind: string; reason: string } {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  return last;
}

interface Message {
  readonly role: string;
  readonly content: readonly { readonly text?: string }[];
}

/** What is in the session upstream, as "role: text". */
async function sessionAt(
  upstream: Pick<TestAtrium, "connect">,
  sessionKey = "agent:main:atrium:session_1",
): Promise<string[]> {
  await using peer = await upstream.connect();
  const { messages } = (await peer.ask("chat.history", { sessionKey })) as { messages: Message[] };
  return messages.map(
    ({ role, content }) => `${role}: ${content.map(({ text }) => text).join("")}`,
  );
}

test("[OPENCLAW-2] a conversation is a session there, and begun anew it is another", async () => {
  await using stage = await openStage();
  await stage.play("[[say: one]]", { turn: { runId: "r1" } });
  await stage.play("[[say: two]]", { turn: { runId: "r2" } });
  const conversation = { key: "agent:main:main", sessionId: "Session_2" };
  await stage.play("[[say: three]]", { turn: { runId: "r3", conversation } });
  assert.deepEqual(await sessionAt(stage.upstream), [
    "user: [[say: one]]",
    "assistant: one",
    "user: [[say: two]]",
    "assistant: two",
  ]);
  const other = await sessionAt(stage.upstream, "agent:main:atrium:session_2");
  assert.deepEqual(other, ["user: [[say: three]]", "assistant: three"]);
});

test("[OPENCLAW-2] the settings may name the agent, and one session for all", async () => {
  await using stage = await openStage({ agentId: "script", sessionKey: "agent:script:main" });
  assert.equal(textIn(await stage.play("echo $ATRIUM_AGENT_ID")), "agent_script\n");
  assert.equal((await sessionAt(stage.upstream, "agent:script:main")).length, 2);
});

test("[OPENCLAW-1] thoughts, usage and retries are told, and attachments are passed on", async () => {
  await using stage = await openStage({ agentId: "script" });
  const script = `echo '{"type":"thinking","delta":"Hm."}'
    echo '{"type":"usage","inputTokens":50,"outputTokens":60}'
    echo done; cat`;
  const data = Buffer.from("echo from the file").toString("base64");
  const attachments = [{ name: "a.txt", mediaType: "text/plain", data }];
  const events = await stage.play(script);
  assert.ok(events.some((event) => event.type === "thinking" && event.delta === "Hm."));
  assert.deepEqual(events.at(-2), {
    type: "usage",
    usage: { inputTokens: 50, outputTokens: 60 },
  });
  const quick = await openStage();
  await using _quick = quick;
  const read = await quick.play("[[say: ok]]", { turn: { attachments } });
  assert.equal(textIn(read), "I have a.txt (1 line).\nok");
});

test("[OPENCLAW-3] an abort stops the run there", async () => {
  await using stage = await openStage();
  const host = createTestHost({ speed: 1 });
  for await (const event of stage.runtime.start(turnOf("[[say: half]] [[hang]]"), host)) {
    if (event.type === "text") host.abort();
  }
  await using peer = await stage.upstream.connect();
  const waited = await peer.ask("agent.wait", { runId: "run_1", timeoutMs: 20_000 });
  assert.deepEqual([waited["status"], waited["error"]], ["error", "aborted"]);
});

test("[OPENCLAW-3] a run that is aborted while there is no connection is stopped when there is one again", async () => {
  await using stage = await openStage();
  const host = createTestHost({ speed: 1 });
  const prompt = "[[say: half]] [[hang]]";
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    if (event.type === "text") {
      stage.wire.isClosed = true;
      stage.wire.cut();
    }
    if (event.type === "retrying") host.abort();
  }
  stage.wire.isClosed = false;
  await using peer = await stage.upstream.connect();
  const waited = await peer.ask("agent.wait", { runId: "run_1", timeoutMs: 20_000 });
  assert.deepEqual([waited["status"], waited["error"]], ["error", "aborted"]);
});

test("[OPENCLAW-4] a connection that is lost in the middle costs nothing of the answer", async () => {
  await using stage = await openStage({ agentId: "script" });
  const script = `echo one; sleep 0.3; echo two; sleep 3; echo three`;
  let cuts = 0;
  const events: TurnEvent[] = [];
  for await (const event of stage.runtime.start(turnOf(script), createTestHost({ speed: 1 }))) {
    events.push(event);
    if (event.type !== "text" || cuts > 0) continue;
    cuts += 1;
    stage.wire.cut();
  }
  assert.equal(textIn(events), "one\ntwo\nthree\n");
  assert.ok(typesIn(events).includes("retrying"));
  assert.equal(stage.wire.connections, 2);
  const session = await sessionAt(stage.upstream, "agent:script:atrium:session_1");
  assert.deepEqual(session, [`user: ${script}`, "assistant: one\ntwo\nthree\n"]);
});

test("[OPENCLAW-4] an answer that ends while there is no connection is fetched", async () => {
  await using stage = await openStage({ agentId: "script" });
  const host = createTestHost({ speed: 1 });
  const events: TurnEvent[] = [];
  const script = "echo one; sleep 0.3; echo two";
  for await (const event of stage.runtime.start(turnOf(script), host)) {
    events.push(event);
    if (event.type !== "text" || stage.wire.connections > 1 || stage.wire.isClosed) continue;
    stage.wire.isClosed = true;
    stage.wire.cut();
    await using peer = await stage.upstream.connect();
    await peer.ask("agent.wait", { runId: "run_1", timeoutMs: 20_000 });
    stage.wire.isClosed = false;
  }
  assert.equal(textIn(events), "one\ntwo\n");
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
});

test("[OPENCLAW-4] a message whose receipt was lost is sent again and runs once", async () => {
  await using stage = await openStage();
  await using peer = await stage.upstream.connect();
  const answered = peer.first(({ payload }) => payload?.state === "final");
  const loseConnection = async (): Promise<void> => {
    await answered;
    stage.wire.cut();
    stage.wire.isDeaf = false;
  };
  // First the client upgrades, then it connects; what follows is the message.
  let chunks = 0;
  stage.wire.onUpstream = () => {
    chunks += 1;
    if (chunks !== 3) return;
    stage.wire.isDeaf = true;
    void loseConnection();
  };
  const events = await stage.play("[[say: once]]");
  assert.equal(textIn(events), "once");
  assert.equal(stage.wire.connections, 2);
  assert.deepEqual(await sessionAt(stage.upstream), ["user: [[say: once]]", "assistant: once"]);
});

test("[OPENCLAW-4] a gateway that is killed and restarted in the middle of a turn settles it, and nothing runs twice", async () => {
  await withHome(async (home) => {
    const config = { ...UPSTREAM, port: await freePort() };
    await writeFile(join(home, "atrium.config.json"), JSON.stringify(config));
    const args = ["--port", String(config.port)];
    let server = await startServer(home, { args });
    const url = `ws://127.0.0.1:${config.port}`;
    const runtime = createOpenClawRuntime("claw", { url, token: server.token }, systemTimers);
    try {
      const events: TurnEvent[] = [];
      const turn = turnOf("[[say: half of it]] [[hang]]");
      for await (const event of runtime.start(turn, createTestHost({ speed: 1 }))) {
        events.push(event);
        if (event.type !== "text") continue;
        await server.end("SIGKILL");
        server = await startServer(home, { args });
      }
      assert.match(failureIn(events).reason, /restart|stopped|ended|interrupted/i);
      assert.ok(textIn(events).startsWith("half"), textIn(events));
      const users = (await sessionAt(server)).filter((line) => line.startsWith("user:"));
      assert.deepEqual(users, ["user: [[say: half of it]] [[hang]]"]);
      const next = turnOf("[[say: again]]", { runId: "run_2" });
      assert.equal(textIn(await eventsOf(runtime, next, createTestHost({ speed: 1 }))), "again");
    } finally {
      await runtime.close?.();
      await server.end("SIGKILL");
    }
  });
});

test("[OPENCLAW-4] a gateway that has forgotten the run is not asked to do it again", async () => {
  await withHome(async (home) => {
    const port = await freePort();
    const args = ["--port", String(port), "--log", "memory"];
    let server = await startServer(home, { args });
    const settings = { url: `ws://127.0.0.1:${port}`, token: server.token };
    const runtime = createOpenClawRuntime("claw", settings, systemTimers);
    try {
      const events: TurnEvent[] = [];
      const turn = turnOf("[[say: half]] [[hang]]");
      for await (const event of runtime.start(turn, createTestHost({ speed: 1 }))) {
        events.push(event);
        if (event.type !== "text") continue;
        await server.end("SIGKILL");
        server = await startServer(home, { args });
      }
      assert.match(failureIn(events).reason, /not sent again/);
      assert.deepEqual(await sessionAt(server), []);
    } finally {
      await runtime.close?.();
      await server.end("SIGKILL");
    }
  });
});

test("[OPENCLAW-5] a permission for our run is asked of people here and decided there", async () => {
  await using stage = await openStage();
  const asked: PermissionRequest[] = [];
  const outcome = async (runId: string, permission: "allowed" | "denied" | "expired") =>
    textIn(
      await stage.play("[[approve: shell npm publish]]", {
        turn: { runId },
        requestPermission: (request) => (asked.push(request), Promise.resolve(permission)),
      }),
    );
  assert.equal(await outcome("r1", "allowed"), "Allowed: shell npm publish");
  assert.equal(await outcome("r2", "denied"), "Denied: shell npm publish");
  assert.equal(await outcome("r3", "expired"), "Denied: shell npm publish");
  const { host, ...first } = asked[0] ?? {};
  assert.deepEqual(first, { tool: "shell", input: "npm publish" });
  assert.match(host ?? "", /^127\.0\.0\.1:\d+$/);
  assert.equal(asked.length, 3);
});

test("[OPENCLAW-5] a permission for another run is left alone", async () => {
  await using stage = await openStage();
  await using peer = await stage.upstream.connect();
  const host = createTestHost({
    speed: 1,
    requestPermission: () => Promise.reject(new Error("must not be asked")),
  });
  const message = "[[approve: shell rm]]";
  const events: TurnEvent[] = [];
  for await (const event of stage.runtime.start(turnOf("[[say: begun]] [[hang]]"), host)) {
    events.push(event);
    if (event.type !== "text") continue;
    const requested = peer.event("exec.approval.requested");
    await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "theirs" });
    await requested;
    host.abort();
  }
  assert.equal(textIn(events), "begun");
  const pending: unknown = await peer.ask("exec.approval.list", {});
  assert.ok(Array.isArray(pending) && pending.length === 1);
});

test("[OPENCLAW-5] a permission that was asked for while there was no connection is found", async () => {
  await using stage = await openStage({ agentId: "script" });
  await using peer = await stage.upstream.connect();
  const script = `echo begun; sleep 0.3
    echo '{"type":"approve","id":"1","tool":"shell","summary":"ls"}'
    read -r turn <&3; read -r answer <&3; echo "$answer"`;
  const host = createTestHost({
    speed: 1,
    requestPermission: () => Promise.resolve("allowed"),
  });
  const requested = peer.event("exec.approval.requested");
  const events: TurnEvent[] = [];
  for await (const event of stage.runtime.start(turnOf(script), host)) {
    events.push(event);
    if (event.type !== "text" || stage.wire.connections > 1) continue;
    stage.wire.isClosed = true;
    stage.wire.cut();
    await requested;
    stage.wire.isClosed = false;
  }
  assert.equal(textIn(events), 'begun\n{"id":"1","permission":"allowed"}\n');
});

test("[OPENCLAW-6] a run that fails, is stopped or cannot be is told in words", async () => {
  await using stage = await openStage();
  const failed = failureIn(await stage.play("[[say: so far]] [[fail: the tide is out]]"));
  assert.match(failed.reason, /the tide is out/);
  await using peer = await stage.upstream.connect();
  const stopped: TurnEvent[] = [];
  const turn = turnOf("[[say: half]] [[hang]]", { runId: "r2" });
  for await (const event of stage.runtime.start(turn, createTestHost({ speed: 1 }))) {
    stopped.push(event);
    if (event.type !== "text") continue;
    await peer.ask("chat.abort", { sessionKey: "agent:main:atrium:session_1" });
  }
  assert.match(failureIn(stopped).reason, /stopped at the gateway/);
  await using stranger = await openStage({ agentId: "nobody" });
  const refused = failureIn(await stranger.play("[[say: hi]]"));
  assert.match(refused.reason, /refused the message: .*nobody/);
});

test("[OPENCLAW-6] a gateway that does not come back within a turn fails it after the time for that", async () => {
  await using stage = await openStage({ connectTimeoutMs: 10_000_000, reconnectTimeoutMs: 7_000 });
  const host = createTestHost({ speed: 100 });
  const events: TurnEvent[] = [];
  for await (const event of stage.runtime.start(turnOf("[[say: half]] [[hang]]"), host)) {
    events.push(event);
    if (event.type !== "text") continue;
    stage.wire.isClosed = true;
    stage.wire.cut();
  }
  assert.equal(textIn(events), "half");
  assert.match(failureIn(events).reason, /could not be reached within 7 s/);
});

test("[OPENCLAW-6] a gateway that is not there, or does not let us in, is told in words without the token", async () => {
  const token = "wrong-token-0123456789";
  await using stage = await openStage({ token });
  const wrong = failureIn(await stage.play("[[say: hi]]"));
  assert.equal(wrong.kind, "unavailable");
  assert.match(wrong.reason, /does not let us in/);
  assert.ok(!wrong.reason.includes(token));
  const url = `ws://127.0.0.1:${await freePort()}`;
  // Long enough to have been turned away, on a slow machine too.
  const settings = { url, token, connectTimeoutMs: 3_000 };
  const runtime = createOpenClawRuntime("claw", settings, systemTimers);
  const host = createTestHost({ speed: 1 });
  const gone = failureIn(await eventsOf(runtime, turnOf("hi"), host));
  assert.match(gone.reason, /could not be reached within 3 s: .*ECONNREFUSED/);
  await runtime.close?.();
});

test("[OPENCLAW-7] closing ends the connection, and the next turn opens one", async () => {
  await using stage = await openStage();
  const first = ["r0", "r1"].map((runId) => stage.play("[[say: one]]", { turn: { runId } }));
  await Promise.all(first);
  await stage.play("[[say: two]]", { turn: { runId: "r2" } });
  assert.equal(stage.wire.connections, 1);
  assert.equal(stage.wire.openEnds, 2);
  await stage.runtime.close?.();
  while (stage.wire.openEnds > 0) await setTimeout(10);
  assert.equal(textIn(await stage.play("[[say: three]]", { turn: { runId: "r3" } })), "three");
  assert.equal(stage.wire.connections, 2);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

test("[OPENCLAW-6] a cost that a gateway tells is taken; nothing is told by one that has no price", async () => {
  await using stage = await openStage({ agentId: "script" });
  const costOf = async (cost: number): Promise<number | undefined> => {
    const usage = JSON.stringify({ type: "usage", inputTokens: 50, outputTokens: 60, cost });
    const events = await stage.play(`echo '${usage}'; echo done`);
    return events.findLast((event) => event.type === "usage")?.usage.cost;
  };
  assert.equal(await costOf(0.25), 0.25);
  assert.equal(await costOf(0), undefined);
});
