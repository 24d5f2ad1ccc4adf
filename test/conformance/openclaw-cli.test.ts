/** A few commands of the real CLI with every `npm test`; the rest of it is in clients/. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findOpenClaw } from "./kit/peer.ts";
import { openStage } from "./kit/stage.ts";

const openclaw = findOpenClaw("2026.9.6");

test(
  "[CONF-1] the real CLI finds the gateway and its agents",
  { skip: openclaw.skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "CLI" });
    const gateway = await stage.run("gateway", "health");
    assert.equal(gateway.code, 0, gateway.stderr);
    assert.match(gateway.stdout, /^OK \(\d+ms\)$/m);
    const health = await stage.run("health");
    assert.equal(health.code, 0, health.stderr);
    assert.match(health.stdout, /^Agents: main \(default\), research_1, /m);
    assert.deepEqual(stage.wire.refused(), []);
  },
);

test("[CONF-2] the real CLI is told which method is unknown", { skip: openclaw.skip }, async () => {
  await using stage = await openStage(openclaw, { client: "CLI, on purpose" });
  const call = await stage.run("gateway", "call", "no.such.method");
  assert.equal(call.code, 1);
  assert.match(call.stderr, /Gateway call failed: unknown method: no\.such\.method/);
});

test("[CONF-3] the real CLI prints what an agent replies", { skip: openclaw.skip }, async () => {
  await using stage = await openStage(openclaw, { client: "CLI" });
  const agent = await stage.run("agent", "--agent", "main", "--message", "[[say: pong 42]]");
  assert.equal(agent.code, 0, agent.stderr);
  assert.equal(agent.stdout.trim(), "pong 42");
  assert.deepEqual(stage.wire.refused(), []);
});
