/** What is larger than a message of the log: refused at the door with the reason, and nothing else suffers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryChain, type Chain } from "@atrium/log/chain";
import { openTestCluster } from "../../kit/atrium-cluster.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import { apiError, openaiClient, saying } from "../../kit/openai.ts";
import { programCrew } from "../../kit/program-crew.ts";
import { post, signalOf } from "../../kit/signals.ts";

const MIB = 1024 * 1024;
/** Within what a message may have in characters. */
const LARGE = "界".repeat(900_000);
const REASON = /more than the log takes at once.*at most \d+ bytes/;

/** As at servers with their own default of `max_payload`. */
function smallChain(): Chain {
  const chain = createMemoryChain();
  return {
    maxBytes: MIB,
    trouble: undefined,
    publish: (after, bytes) => chain.publish(after, bytes),
    read: (n) => chain.read(n),
    last: () => chain.last(),
    watch: (after, signal) => chain.watch(after, signal),
  };
}

test("[NODE-36] what is more than the log takes at once is refused at every door, and the next thing is taken", async () => {
  await using cluster = await openTestCluster({ nodes: 2, chain: smallChain() });
  for (const node of cluster.nodes) {
    await using peer = await node.connect();
    const { error } = await peer.request("chat.send", {
      sessionKey: "main",
      message: LARGE,
      idempotencyKey: `large-${node.name}`,
    });
    assert.deepEqual(
      [error?.code, error?.retryable, error?.details.reason],
      ["INVALID_REQUEST", undefined, "log.oversize"],
    );
    assert.match(error?.message ?? "", REASON);
    const completion = await apiError(openaiClient(node).chat.completions.create(saying(LARGE)));
    assert.deepEqual([completion.status, completion.code], [413, "log.oversize"]);
    const signal = signalOf("tool_call", { toolName: "look", agentId: "a1", input: { LARGE } });
    const emitted = await post(node, signal);
    assert.equal(emitted.status, 400);
    assert.match(JSON.stringify(emitted.body), REASON);
    await send(peer, `small-${node.name}`, "[[say: taken]]");
    assert.equal((await ended(peer, `small-${node.name}`)).payload.state, "final");
    assert.deepEqual(node.faults, []);
  }
});

test("[NODE-36] a run whose answer is more than the log takes fails and says so", async () => {
  const budgets = { run: { tokens: 10_000_000 } };
  const crew = programCrew("Writer", "console.log('x'.repeat(2e6))");
  const settings = { ...Object(crew), budgets };
  await using cluster = await openTestCluster({ nodes: 1, chain: smallChain(), settings });
  const [node] = cluster.nodes;
  assert.ok(node !== undefined);
  await using peer = await node.connect();
  const lane = { sessionKey: "agent:writer:main" };
  await send(peer, "run-1", "write", lane);
  const { payload } = await ended(peer, "run-1");
  assert.equal(payload.state, "error");
  assert.match(payload.errorMessage, REASON);
  await send(peer, "run-2", "write", lane);
  assert.equal((await ended(peer, "run-2")).payload.state, "error");
  assert.deepEqual(node.faults, []);
});
