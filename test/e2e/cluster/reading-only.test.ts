/** A node that cannot write: it says so everywhere, serves everything that is read, and goes on by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestCluster, untilMet, type TestNode } from "../../kit/atrium-cluster.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import { apiError, openaiClient, saying } from "../../kit/openai.ts";
import { post, signalOf } from "../../kit/signals.ts";
import { enterWorld } from "../../kit/world-peer.ts";

interface Readiness {
  readonly status: number;
  readonly ready: boolean;
  readonly reason?: string;
}

async function readiness({ url }: TestNode): Promise<Readiness> {
  const response = await fetch(new URL("/readyz", url));
  return { status: response.status, ...((await response.json()) as Omit<Readiness, "status">) };
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

test("[NODE-33] a node that cannot write is not ready and says why, refuses in every room what a retry may bring, and reads on", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const node = await cluster.other();
  await using peer = await node.connect();
  await using world = await enterWorld(node);
  await send(peer, "run-1", "[[say: kept]]");
  await ended(peer, "run-1");
  assert.deepEqual([(await readiness(node)).status, (await readiness(node)).ready], [200, true]);

  node.cut();
  await until(async () => (await readiness(node)).status === 503);
  const { ready, reason } = await readiness(node);
  assert.equal(ready, false);
  assert.match(reason ?? "", /\w+ \w+/);
  assert.equal((await fetch(new URL("/healthz", node.url))).status, 200);

  const { error } = await peer.request("chat.send", {
    sessionKey: "main",
    message: "hello",
    idempotencyKey: "run-2",
  });
  assert.deepEqual(
    [error?.code, error?.retryable, error?.retryAfterMs, error?.details.reason],
    ["UNAVAILABLE", true, 1_000, "log.unavailable"],
  );
  const build = await fetch(new URL("/api/builds", node.url), {
    method: "POST",
    headers: { authorization: `Bearer ${node.token}`, "content-type": "application/json" },
    body: JSON.stringify({ prompt: "A page" }),
  });
  assert.deepEqual([build.status, build.headers.get("retry-after")], [503, "1"]);
  const refused = await world.command("submit_request", { text: "A page" });
  assert.deepEqual(
    [refused.type, refused.payload.code, refused.payload.reason],
    ["error", "RATE_LIMITED", "log.unavailable"],
  );
  const emitted = await post(node, signalOf("status", { agentId: "a1", status: "idle" }));
  assert.deepEqual([emitted.status, emitted.headers.get("retry-after")], [503, "1"]);
  const completion = await apiError(openaiClient(node).chat.completions.create(saying("hi")));
  assert.deepEqual([completion.status, completion.code], [503, "log.unavailable"]);
  assert.equal(completion.headers?.get("retry-after"), "1");

  await until(() => world.told("snapshot").at(-1)?.payload.reading_only !== undefined);
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  assert.match(JSON.stringify(messages), /kept/);
  await using newcomer = await node.connect();
  assert.ok(newcomer.hello);

  node.heal();
  await until(async () => (await readiness(node)).status === 200);
  await until(() => world.told("snapshot").at(-1)?.payload.reading_only === undefined);
  await send(peer, "run-3", "[[say: again]]");
  assert.equal((await ended(peer, "run-3")).payload.state, "final");
});
