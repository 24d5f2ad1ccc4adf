/** What nodes tell each other beside the log, between real processes over a real server of the log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { untilMet } from "../../kit/atrium-cluster.ts";
import { ended, eventsOf, send } from "../../kit/chat-runs.ts";
import { startCluster, type ClusterProcesses } from "../../kit/cluster-processes.ts";
import { makeNextRelease, NEXT_RELEASE, type Edit } from "../../kit/next-release.ts";
import {
  answer,
  connectApprovedNode,
  invocation,
  requestsTo,
  untilConnected,
} from "../../kit/node.ts";
import { namesAt } from "../../kit/presence.ts";
import type { Connected } from "../../kit/raw-peer.ts";

const skip = skipWithout("nats-server");
const LIMIT_MS = 180_000;

/** Everything that travels as JSON has a member more, and there are subjects nobody knew. */
const TALKATIVE_BUS: Edit = {
  file: "packages/log/src/nats/core-bus.ts",
  from: "    this.#link.connection.publish(this.#prefix + subject, bytes);",
  to: `    const text = Buffer.from(bytes).toString();
    const later = text.startsWith('{"') ? Buffer.from('{"zone":"eu",' + text.slice(1)) : bytes;
    this.#link.connection.publish(this.#prefix + "cluster.rumours", bytes);
    this.#link.connection.publish(this.#prefix + subject, later);`,
};

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

async function isPresent(peer: Connected, ...names: readonly string[]): Promise<boolean> {
  const present = await namesAt(peer);
  return names.every((name) => present.includes(name));
}

/** What people at two nodes see of each other: who is there, words on their way, what a device answers. */
async function proveTogether({ nodes }: ClusterProcesses, run: string): Promise<void> {
  const [here, there] = await untilMet({ nodes: [...nodes.values()] });
  const named = (displayName: string) => ({ client: { displayName, mode: "webchat" } });
  await using near = await here.connect(named(`Ada ${run}`));
  await using far = await there.connect(named(`Bob ${run}`));
  const names = [`Ada ${run}`, `Bob ${run}`];
  await until(async () => (await isPresent(near, ...names)) && isPresent(far, ...names));

  await send(far, run, `[[say: one two ${run}]] [[sleep: 60s]]`);
  const wordsOf = (peer: Connected): string =>
    eventsOf(peer, "chat", run)
      .flatMap(({ state, deltaText }) => (state === "delta" ? deltaText : []))
      .join("");
  await until(() => [near, far].every((peer) => wordsOf(peer).includes(run)));
  assert.equal(wordsOf(far), wordsOf(near));
  await near.ask("chat.abort", { sessionKey: "main", runId: run });
  const ends = await Promise.all([near, far].map((peer) => ended(peer, run)));
  assert.deepEqual(
    ends.map(({ payload }) => payload.state),
    ["aborted", "aborted"],
  );

  await using node = await connectApprovedNode(here, near);
  await untilConnected(far, node.nodeId);
  const asked = invocation(node.nodeId, "say", { params: { text: run } });
  const answers = Promise.all([far, near].map((peer) => peer.ask("node.invoke", asked)));
  const { payload: request } = await node.event("node.invoke.request");
  assert.deepEqual([request.command, request.paramsJSON], ["say", JSON.stringify({ text: run })]);
  await answer(node, request, { payload: { said: run } });
  const [fromThere, fromHere] = await answers;
  assert.deepEqual([fromThere.ok, fromThere.payload], [true, { said: run }]);
  assert.deepEqual(fromHere, fromThere);
  assert.equal(requestsTo(node).length, 1);

  far.close();
  await until(async () => !(await isPresent(near, `Bob ${run}`)));
}

test(
  "[NODE-26] [NODE-29] [NODE-30] processes at a real server see each other's people, words on their way and devices",
  { skip, timeout: LIMIT_MS },
  async () => {
    await using cluster = await startCluster({ names: ["a", "b"] });
    await proveTogether(cluster, "run-1");
  },
);

test(
  "[NODE-62] processes of one release and the next work together at a real server, restarted one after the other",
  { skip, timeout: LIMIT_MS },
  async () => {
    using release = makeNextRelease([...NEXT_RELEASE, TALKATIVE_BUS]);
    const next = release.pathOf("apps/server/src/main.ts");
    await using cluster = await startCluster({ names: ["a", "b"] });
    const restart = async (name: string, main?: string): Promise<void> => {
      assert.equal(await cluster.nodes.get(name)?.end("SIGTERM"), 0);
      await cluster.start(name, main);
    };
    const proveUnder = async (director: string, run: string): Promise<void> => {
      await proveTogether(cluster, run);
      assert.equal((await cluster.director()).name, director);
    };
    // Whoever ends hands the direction over: each release directs the other once.
    await restart("a", next);
    await proveUnder("b", "run-1");
    await restart("b");
    await proveUnder("a", "run-2");
    await restart("b", next);
    await restart("a");
    await proveUnder("b", "run-3");
    const badges = await Array.fromAsync(cluster.log.read({ stream: "badge/1" }));
    assert.equal(badges.length, 2);
  },
);
