/** A program on the bridge that means no good: whatever it sends, the server lives on and nobody else is disturbed. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openBridgedStage, type BridgedStage } from "../../kit/bridge-program.ts";
import type { BridgeFrame } from "../../kit/bridge.ts";
import { openPeer } from "../../kit/raw-peer.ts";
import { openSignals } from "../../kit/signals.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString", "‮txt.exe", "a\u0000b"];

/** The conversation still works, whole. */
async function stillServes(stage: BridgedStage, runId: string): Promise<void> {
  const program = await stage.plugIn();
  await stage.send(runId, `still there, ${runId}?`);
  assert.equal((await program.take("inbound_message")).content, `still there, ${runId}?`);
  await program.reply("yes");
  assert.equal((await stage.ended(runId)).status, "ok");
}

test("[BRIDGE-6] hostile strings in every field of every frame change nothing, also after a restart", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-hostile-"));
  const options = { home, args: ["--log", "sqlite"] };
  {
    await using stage = await openBridgedStage(undefined, options);
    for (const name of NAMES) {
      for (const changes of [
        { openclaw_session: name },
        { openclaw_session: `agent:${name}:main` },
        { token: name },
      ]) {
        await using peer = await openPeer(`${stage.atrium.wsUrl}bridge`);
        const hello = { type: "hello", claude_session: name, pid: 0, token: name };
        peer.send({ ...hello, openclaw_session: "agent:main:main", ...changes });
        assert.ok([4501, 1013].includes((await peer.closed).code), JSON.stringify(changes));
      }
    }
  }
  {
    await using stage = await openBridgedStage(undefined, options);
    const program = await stage.plugIn({ claude_session: "__proto__", __proto__: { x: 1 } });
    await stage.send("r1", "go");
    const { meta } = await program.take("inbound_message");
    for (const [n, name] of NAMES.entries()) {
      const calls = [
        { call_id: name, tool: "reply", args: { text: name, more: true, reply_to: name } },
        { call_id: `${name}2`, tool: name, args: {} },
        { call_id: `${name}3`, tool: "now", args: { [name]: name } },
        { call_id: `${name}4`, tool: "reply", args: { text: "x", chat_id: name } },
        { call_id: `${name}5`, tool: "deliver_artifact", args: { name, content: name } },
      ];
      for (const call of calls) {
        program.send({ type: "tool_call", ...call });
        await program.first(
          (frame: BridgeFrame) => frame.type === "tool_result" && frame.call_id === call.call_id,
        );
      }
      const code = `aaaa${"abcdef"[n] ?? "g"}`;
      const args = JSON.parse(`{"${name.replace("\u0000", "")}":"${name.replace("\u0000", "")}"}`);
      program.send({ type: "permission_request", request_id: code, tool: name, args });
      await stage.peer.first(
        ({ event, payload }) => event === "exec.approval.requested" && payload.code === code,
      );
      await stage.send(`no-${n}`, `no ${code}`);
      assert.equal((await program.take("permission_reply")).request_id, code);
      program.send({ type: "pong", ts: name });
      program.send({ type: name });
    }
    await program.reply("done", { reply_to: meta.message_id });
    assert.equal((await stage.ended("r1")).status, "ok");
    assert.equal(({} as Record<string, unknown>)["x"], undefined);
  }
  {
    await using stage = await openBridgedStage(undefined, options);
    await stillServes(stage, "r2");
    const lines = await stage.transcript();
    assert.ok(lines.includes("assistant: done"), lines.join("\n"));
    assert.ok(lines.includes("assistant: __proto__"), lines.join("\n"));
  }
  await rm(home, { recursive: true, force: true });
});

test("[BRIDGE-3] a token opens its own agent's conversations and no other; a stale one opens nothing", async () => {
  await using stage = await openBridgedStage(undefined, { limits: { wrongTokenTries: 100 } });
  const attempt = async (changes: object): Promise<number> => {
    await using peer = await openPeer(`${stage.atrium.wsUrl}bridge`);
    peer.send({
      type: "hello",
      openclaw_session: "agent:main:main",
      claude_session: "x",
      pid: 1,
      token: "secret-of-a-program-started-by-hand",
      ...changes,
    });
    return (await peer.closed).code;
  };
  for (const changes of [
    { openclaw_session: "agent:research_1:main" },
    { openclaw_session: "main" },
    { openclaw_session: "AGENT:MAIN:MAIN" },
    { openclaw_session: "agent:main:main " },
    { token: "secret-of-a-program-started-by-han" },
    { token: stage.atrium.token },
  ]) {
    assert.equal(await attempt(changes), 4501, JSON.stringify(changes));
  }
  // What the program is given is no credential at any other door.
  const token = "secret-of-a-program-started-by-hand";
  await assert.rejects(stage.atrium.connect({ auth: { token } }));
  await assert.rejects(enterWorld({ ...stage.atrium, token }));
  await assert.rejects(openSignals({ ...stage.atrium, token }));
  for (const [path, method] of [
    ["api/office", "GET"],
    ["v1/models", "GET"],
    ["tools/invoke", "POST"],
  ] as const) {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${stage.atrium.url}${path}`, { method, headers });
    assert.equal(status, 401, path);
  }
  await stillServes(stage, "r1");
});

test("[BRIDGE-15] megabytes and floods end at their own connection", async () => {
  await using stage = await openBridgedStage();
  const large = await stage.plugIn();
  const text = "x".repeat(2_000_000);
  const tooLong = await large.call("reply", { text });
  assert.equal(tooLong.ok, false);
  large.send({ type: "permission_request", request_id: "abxyz", tool: "Bash", args: { text } });
  assert.equal((await large.take("permission_reply")).behavior, "deny");
  for (let n = 0; n < 60; n++) large.sendText("{");
  assert.equal((await large.closed).code, 4502);

  const chatty = await stage.plugIn();
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, n) => chatty.call("reply", { text: `unasked ${n}` })),
  );
  const said = results.filter(({ ok }) => ok).length;
  assert.ok(said >= 1 && said <= 25, String(said));
  assert.ok(results.some(({ error }) => /Too many/.test(error ?? "")));
  const lines = await stage.transcript();
  assert.equal(lines.filter((line) => line.includes("unasked")).length, said);

  const pings = await stage.plugIn();
  for (let n = 0; n < 2_000; n++) pings.send({ type: "ping", ts: n });
  await pings.first((frame: BridgeFrame) => frame.type === "pong" && frame.ts === 1_999);
  await stillServes(stage, "r1");
});
