import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { startServer, withHome } from "../../../../../test/kit/server-process.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { createOpenClawRuntime } from "./openclaw.ts";
import { UPSTREAM, openStage, failureIn, sessionAt } from "./testing/openclaw-stage.ts";

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
