import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "../testing/test-host.ts";
import { textIn, turnOf } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { PermissionRequest, TurnEvent } from "../turn/agent-runtime.ts";
import { openStage, failureIn, sessionAt } from "./testing/openclaw-stage.ts";

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
