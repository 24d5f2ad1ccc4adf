/** Requests for one conversation while an append of it is under way and the servers of the log are gone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createMemoryChain, type Chain } from "@atrium/log/chain";
import { openTestCluster, untilMet, type TestNode } from "../../kit/atrium-cluster.ts";

/** A chain whose servers can be gone: no answer comes, and nobody can tell what became of it. */
function mortalChain(): { chain: Chain; isGone: boolean; asked: number } {
  const chain = createMemoryChain();
  const [write, read, last] = [
    chain.publish.bind(chain),
    chain.read.bind(chain),
    chain.last.bind(chain),
  ];
  const servers = { chain, isGone: false, asked: 0 };
  const unlessGone = <T>(work: () => Promise<T>): Promise<T> =>
    servers.isGone ? Promise.reject(new Error("no server answers")) : work();
  chain.publish = async (after, bytes) => {
    if (!servers.isGone) return write(after, bytes);
    servers.asked++;
    await setTimeout(200);
    return "unknown";
  };
  chain.read = (n) => unlessGone(() => read(n));
  chain.last = () => unlessGone(last);
  return servers;
}

const isReady = async ({ url }: TestNode): Promise<boolean> =>
  (await fetch(new URL("/readyz", url))).ok;

test("[NODE-71] what waits behind an append that is under way is refused, and that one is answered when the servers are back", async () => {
  const servers = mortalChain();
  await using cluster = await openTestCluster({ nodes: 2, chain: servers.chain });
  await untilMet(cluster);
  for (const node of [await cluster.director(), await cluster.other()]) {
    await using peer = await node.connect();
    const add = (n: number) =>
      peer.request("chat.inject", { sessionKey: "main", message: `${node.name} ${n}` });
    assert.ok((await add(0)).ok);
    servers.isGone = true;
    const first = add(1);
    while (servers.asked === 0) await setTimeout(10);
    const behind = await Promise.all([add(2), add(3)]);
    assert.deepEqual(
      behind.map(({ error }) => [error?.details.reason, error?.retryable]),
      [
        ["log.unavailable", true],
        ["log.unavailable", true],
      ],
    );
    const late = await add(4);
    assert.equal(late.error?.details.reason, "log.unavailable");
    servers.isGone = false;
    servers.asked = 0;
    assert.ok((await first).ok);
    while (!(await isReady(node))) await setTimeout(20);
    const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
    const kept = JSON.stringify(messages);
    assert.deepEqual(
      [0, 1, 2, 3, 4].filter((n) => kept.includes(`${node.name} ${n}`)),
      [0, 1],
    );
  }
});
