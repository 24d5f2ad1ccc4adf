/** What is done to servers and nodes while they write, and for how long writing may pause then. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { LogCluster, LogNode } from "./log-cluster.ts";

/** A node is gone: the others go on within this time. */
export const NODE_LIMIT_MS = 3_000;
/** A server is gone: everyone goes on within this time. */
export const SERVER_LIMIT_MS = 12_000;
const MAX_LATE_LOOKS = 3;
const HOLD_MS = 3_000;

export interface LogFault {
  readonly name: string;
  readonly run: (cluster: LogCluster, random: () => number) => Promise<void>;
}

export const NODE_FAULTS: readonly LogFault[] = [
  {
    name: "a node is killed",
    async run(cluster, random) {
      const [node, others] = pickNode(cluster, random);
      await cluster.disturb("a node is killed", others, NODE_LIMIT_MS, async () => {
        await node.kill();
        await cluster.acknowledge(others);
      });
      node.start();
      await cluster.acknowledge();
    },
  },
  {
    name: "a node is stopped, and wakes",
    async run(cluster, random) {
      const [node, others] = pickNode(cluster, random);
      await cluster.disturb("a node is stopped", others, NODE_LIMIT_MS, async () => {
        node.process.signal("SIGSTOP");
        await sleep(HOLD_MS);
        await cluster.acknowledge(others);
      });
      node.process.signal("SIGCONT");
      await cluster.acknowledge();
    },
  },
  {
    name: "a node is cut off from the servers",
    async run(cluster, random) {
      const [node, others] = pickNode(cluster, random);
      await cluster.disturb("a node is cut off", others, NODE_LIMIT_MS, async () => {
        await node.way.cut();
        await node.process.inTrouble();
        await cluster.acknowledge(others);
      });
      await node.way.heal();
      await cluster.acknowledge();
    },
  },
  {
    name: "a node is heard by the servers and hears nothing",
    async run(cluster, random) {
      const [node, others] = pickNode(cluster, random);
      await cluster.disturb("a node is deaf", others, NODE_LIMIT_MS, async () => {
        await node.way.deafen();
        await node.process.inTrouble();
        await cluster.acknowledge(others);
      });
      await node.way.heal();
      await cluster.acknowledge();
    },
  },
];

export const SERVER_FAULTS: readonly LogFault[] = [
  ...(["leading", "following"] as const).flatMap((role): readonly LogFault[] => [
    {
      name: `the ${role} server is killed`,
      async run(cluster) {
        const server = await cluster.findServer(role);
        await cluster.disturb(`${role} server killed`, cluster.nodes, SERVER_LIMIT_MS, async () => {
          await cluster.nats.kill(server);
          await cluster.acknowledge();
        });
        cluster.nats.start(server);
      },
    },
    {
      name: `the ${role} server is stopped, and wakes`,
      async run(cluster) {
        const server = await cluster.findServer(role);
        await cluster.disturb(
          `${role} server stopped`,
          cluster.nodes,
          SERVER_LIMIT_MS,
          async () => {
            cluster.nats.stop(server);
            // What has reached the others by now needs no server that is stopped.
            await sleep(HOLD_MS);
            await cluster.acknowledge();
          },
        );
        cluster.nats.wake(server);
        await cluster.acknowledge();
      },
    },
  ]),
  {
    name: "two of three servers are killed, and come back",
    async run(cluster) {
      const leading = await cluster.findServer("leading");
      const gone = [leading, (leading + 1) % 3];
      await Promise.all(gone.map((server) => cluster.nats.kill(server)));
      await Promise.all(cluster.nodes.map((node) => node.process.inTrouble()));
      // What a majority had before may still be on its way to whoever wrote it, by the copy of another node.
      let before: number;
      let looks = 0;
      do {
        before = cluster.acknowledged;
        await sleep(HOLD_MS / 2);
        looks += 1;
      } while (cluster.acknowledged !== before && looks < MAX_LATE_LOOKS);
      assert.equal(cluster.acknowledged, before, "acknowledged without a majority");
      await cluster.disturb("two servers back", cluster.nodes, SERVER_LIMIT_MS, async () => {
        for (const server of gone) cluster.nats.start(server);
        await cluster.acknowledge();
      });
    },
  },
  {
    name: "all three servers are killed and started again",
    async run(cluster) {
      await Promise.all([0, 1, 2].map((server) => cluster.nats.kill(server)));
      await cluster.disturb("all servers back", cluster.nodes, SERVER_LIMIT_MS, async () => {
        for (const server of [0, 1, 2]) cluster.nats.start(server);
        await cluster.acknowledge();
      });
    },
  },
];

function pickNode(
  { nodes }: LogCluster,
  random: () => number,
): readonly [node: LogNode, others: readonly LogNode[]] {
  const node = nodes[Math.floor(random() * nodes.length)]!;
  return [node, nodes.filter((other) => other !== node)];
}
