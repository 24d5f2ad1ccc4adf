/** Nodes of two releases on one log, as during a rolling update: one of them is a step ahead and says more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createMemoryBus, createMemoryChain, type Bus } from "@atrium/log/chain";
import { openTestCluster, type TestNode } from "../../kit/atrium-cluster.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import { makeNextRelease, NEXT_RELEASE, type Edit } from "../../kit/next-release.ts";

const KIT_VERSION: Edit = {
  file: "test/kit/atrium.ts",
  from: '"0.0.0-test"',
  to: '"0.0.1-test"',
};

/** Everything that travels as JSON has a member more, and there are subjects nobody knew. */
function talkative(bus: Bus): Bus {
  return {
    publish(subject, bytes) {
      bus.publish("cluster.rumours", bytes);
      bus.publish(subject, withMember(bytes));
    },
    subscribe: (subject, handler) => bus.subscribe(subject, handler),
    request: (subject, bytes, timeoutMs) => bus.request(subject, bytes, timeoutMs),
  };
}

function withMember(bytes: Uint8Array): Uint8Array {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString()) as unknown;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? Buffer.from(JSON.stringify({ ...value, zone: "eu" })) : bytes;
  } catch {
    return bytes;
  }
}

async function chat(node: TestNode, runId: string): Promise<void> {
  await using peer = await node.connect();
  await send(peer, runId, `[[say: ${runId}]]`);
  assert.equal((await ended(peer, runId)).payload.state, "final", runId);
}

async function historyOf(node: TestNode, head: number): Promise<readonly unknown[]> {
  while (node.log.head < head) await setTimeout(10);
  return Array.fromAsync(node.log.read({ limit: head }));
}

test("[NODE-62] nodes of one release and the next work on one log, whoever directs and whoever writes", async () => {
  using release = makeNextRelease([...NEXT_RELEASE, KIT_VERSION]);
  const kit = (await import(release.pathOf("test/kit/atrium-cluster.ts"))) as {
    readonly openTestCluster: typeof openTestCluster;
  };
  const [chain, bus] = [createMemoryChain(), createMemoryBus()];
  await using present = await openTestCluster({ nodes: 2, chain, bus });
  await using next = await kit.openTestCluster({ nodes: 0, chain, bus: talkative(bus) });
  const first = await present.director();
  const newer = await next.open("newer", present.shared);
  const older = await present.other();
  // An older one directs, and the newer one serves.
  await chat(newer, "run-1");
  await chat(older, "run-2");
  await using peer = await older.connect();
  const status = (await peer.ask("status", {})) as unknown as {
    readonly cluster: {
      readonly nodes: readonly { readonly name: string; readonly version: string }[];
    };
  };
  const seen = status.cluster.nodes.find(({ name }) => name === "newer");
  assert.equal(seen?.version, "0.0.1-test");
  // The newer one directs: the last of the older release goes, and one comes back.
  await first.close();
  await older.close();
  await chat(newer, "run-3");
  const returned = await present.open("a", present.shared);
  await chat(returned, "run-4");
  // And the other way round: the update is taken back.
  await newer.close();
  await chat(returned, "run-5");
  const newest = await next.open("newer", present.shared);
  await chat(newest, "run-6");
  const head = Math.min(returned.log.head, newest.log.head);
  assert.deepEqual(await historyOf(returned, head), await historyOf(newest, head));
  assert.deepEqual(
    [returned.log.trouble, newest.log.trouble, returned.log.hashAt(10)],
    [undefined, undefined, newest.log.hashAt(10)],
  );
  const metrics = await (await fetch(new URL("/metrics", returned.url))).text();
  assert.match(metrics, /atrium_unknown_entries\{type="badge.given"\} \d/);
  for (const { faults, name } of [returned, newest]) {
    const serious = faults.filter(({ message }) => !message.includes("unknown here"));
    assert.deepEqual(serious, [], name);
  }
});
