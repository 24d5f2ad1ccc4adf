/** The real headless node: it asks to pair, a person approves it with the real CLI, and it runs a command. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Connected } from "../../kit/raw-peer.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage, type Stage } from "../kit/stage.ts";

const openclaw = findOpenClaw("2026.9.6");
const NAME = "conformance-node";
const TRIES = 60;

test(
  "[CONF-10] a node is paired with the CLI and runs what it is asked to, by people and by agents",
  { skip: openclaw.skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "node host" });
    const nodeClient = await stage.openClient("node");
    const place = ["--host", "127.0.0.1", "--port", String(stage.wire.port)];
    nodeClient.start("node", "run", ...place, "--display-name", NAME).stdout.resume();

    const { requestId, nodeId } = await pendingNode(stage);
    const approved = await stage.run("nodes", "approve", requestId);
    assert.equal(approved.code, 0, approved.stderr);
    const listed = await stage.run("nodes", "list");
    assert.match(listed.stdout, /^Pending: 0 · Paired: 1$/m);
    assert.match(listed.stdout, new RegExp(NAME));
    const described = await stage.run("nodes", "describe", "--node", NAME);
    assert.equal(described.code, 0, described.stderr);
    assert.match(described.stdout, new RegExp(nodeId));
    assert.match(described.stdout, /system\.which/);

    const params = JSON.stringify({ bins: ["sh"] });
    const invoke = ["nodes", "invoke", "--node", NAME, "--command", "system.which"];
    const { code, stdout, stderr } = await stage.run(...invoke, "--params", params, "--json");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /"sh": "\/\S*\/sh"/);
    assert.ok(stage.wire.called().includes("node.invoke.result"), "the node itself answered");

    await using peer = await stage.server.connect();
    const slug = NAME.replaceAll("-", "_");
    const found = await ask(peer, `[[tool: node_${slug}_system_which {"bins":["sh"]}]]`);
    assert.match(found, /"sh":"\/\S*sh"/);
  },
);

/** Has an agent here do it; the answer is what it says in the end. */
async function ask(peer: Connected, message: string): Promise<string> {
  const runId = message;
  const ended = peer.first(
    ({ event, payload }) =>
      event === "chat" && payload.runId === runId && payload.state === "final",
  );
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
  return (await ended).payload.message.content[0].text;
}

/** Asks as a person would, until the node has shown up. */
async function pendingNode(stage: Stage): Promise<{ requestId: string; nodeId: string }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { code, stdout, stderr } = await stage.run("nodes", "pending", "--json");
    assert.equal(code, 0, stderr);
    const [found] = JSON.parse(stdout) as { requestId: string; nodeId: string }[];
    if (found !== undefined) return found;
    await setTimeout(500);
  }
  throw new Error(`no node asked to pair; calls: ${stage.wire.called().join(", ")}`);
}
