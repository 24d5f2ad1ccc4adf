/** A Claude Code that connects to a node which does not direct. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestCluster, untilMet } from "../../kit/atrium-cluster.ts";
import { helloOf, openTestSession, type BridgeFrame } from "../../kit/bridge.ts";
import { openPeer } from "../../kit/raw-peer.ts";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(10);
}

/** A heartbeat of each has been heard by then. */
const HEARD_MS = 700;

test("[NODE-34] a plugin works over a node that does not direct: hello, messages, tools, its going", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  await setTimeout(HEARD_MS);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const { session, heard, say } = openTestSession(director.bridge);
  await using plugin = await openPeer(`${other.wsUrl}bridge`);
  plugin.send(helloOf(session));
  const hello: BridgeFrame = await plugin.first(({ type }) => type === "hello_ack");
  assert.deepEqual(
    hello.tools.map(({ name }: { name: string }) => name),
    ["echo"],
  );
  assert.equal(session.isConnected, true);
  const ids = Array.from({ length: 20 }, (_, n) => `m${n}`);
  say(...ids);
  const messages = () =>
    (plugin.frames as readonly BridgeFrame[])
      .filter(({ type }) => type === "inbound_message")
      .map(({ request_id: id }) => id);
  await until(() => messages().length === ids.length);
  assert.deepEqual(messages(), ids);
  const text = "x".repeat(400_000);
  plugin.send({ type: "tool_call", call_id: "c1", tool: "echo", args: { text } });
  const result: BridgeFrame = await plugin.first(({ type }) => type === "tool_result");
  assert.equal(result.call_id, "c1");
  assert.ok(JSON.stringify(result).includes(text));
  plugin.close();
  await until(() => heard.lines.length === 2);
  assert.deepEqual(heard.lines, ["in", "out"]);
});

test("[NODE-34] a wrong token is closed as ever; when the director goes the plugin is told to try again", async () => {
  await using cluster = await openTestCluster({ nodes: 3 });
  await untilMet(cluster);
  await setTimeout(HEARD_MS);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const { session } = openTestSession(director.bridge);
  await using stranger = await openPeer(`${other.wsUrl}bridge`);
  stranger.send(helloOf(session, { token: "guess" }));
  assert.deepEqual((await stranger.closed).reason, "wrong token for this session");
  await using plugin = await openPeer(`${other.wsUrl}bridge`);
  plugin.send(helloOf(session));
  await plugin.first(({ type }) => type === "hello_ack");
  await director.close();
  const { code, reason } = await plugin.closed;
  assert.equal(code, 1013, reason);
  assert.match(reason, /try again|stopp|clos/);
});
