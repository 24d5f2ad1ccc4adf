/** What is done to the nodes and servers of an office at work, and within which time others serve its people. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeProcess } from "../../kit/cluster-processes.ts";
import { leadStream } from "../../kit/nats/lead-stream.ts";
import { mendServer } from "../../kit/nats/mend-server.ts";
import { NODE_LIMIT_MS, SERVER_LIMIT_MS } from "./log-faults.ts";
import { STREAM, type OfficeCluster } from "./office-cluster.ts";
import { DAMAGES, damageServer, fillDisk } from "./server-disks.ts";

const STOP_MS = 5_000;
const POLL_MS = 200;

export interface OfficeFault {
  readonly name: string;
  readonly limitMs: number;
  /** Met in every run of the tests, which draws one of the others; all are met when faults are repeated. */
  readonly isBrief?: true;
  /** No run fails of it: whoever directs goes on. */
  readonly isHarmless?: true;
  /** Met only where the first server has a disk that can be filled. */
  readonly needsDisk?: true;
  /** Does it, and names the nodes that are left. */
  readonly begin: (cluster: OfficeCluster) => Promise<readonly NodeProcess[]>;
  readonly end: (cluster: OfficeCluster) => Promise<void>;
}

export const OFFICE_FAULTS: readonly OfficeFault[] = [
  {
    name: "the directing node is killed",
    isBrief: true,
    limitMs: NODE_LIMIT_MS,
    begin: async (cluster) => cluster.kill(await cluster.director()),
    end: (cluster) => cluster.restore(),
  },
  {
    name: "the directing node is stopped, and wakes",
    isBrief: true,
    limitMs: NODE_LIMIT_MS,
    begin: async (cluster) => cluster.stop(await cluster.director()),
    end: async (cluster) => {
      await sleep(STOP_MS);
      await cluster.restore();
    },
  },
  {
    name: "another node is killed",
    limitMs: NODE_LIMIT_MS,
    begin: async (cluster) => cluster.kill(await cluster.other()),
    end: (cluster) => cluster.restore(),
  },
  {
    name: "the directing node is cut off from the servers",
    limitMs: NODE_LIMIT_MS,
    begin: async (cluster) => cluster.cut(await cluster.director()),
    end: async (cluster) => {
      await sleep(STOP_MS);
      await cluster.restore();
    },
  },
  {
    name: "the leading server is killed",
    isBrief: true,
    isHarmless: true,
    limitMs: SERVER_LIMIT_MS,
    begin: async (cluster) => {
      await cluster.nats.kill(await cluster.leadingServer());
      return cluster.nodes;
    },
    end: (cluster) => cluster.restore(),
  },
  {
    name: "the leading server is stopped, and wakes",
    limitMs: SERVER_LIMIT_MS,
    begin: async (cluster) => {
      cluster.nats.stop(await cluster.leadingServer());
      return cluster.nodes;
    },
    end: (cluster) => cluster.restore(),
  },
  {
    name: "two of three servers are killed, and come back",
    limitMs: SERVER_LIMIT_MS,
    begin: async (cluster) => {
      const leader = await cluster.leadingServer();
      const gone = [leader, (leader + 1) % 3];
      await Promise.all(gone.map((server) => cluster.nats.kill(server)));
      await Promise.all(cluster.nodes.map(untilTold));
      await cluster.restore();
      return cluster.nodes;
    },
    end: (cluster) => cluster.restore(),
  },
  {
    name: "all three servers are killed and started again",
    limitMs: SERVER_LIMIT_MS,
    begin: async (cluster) => {
      await Promise.all([0, 1, 2].map((server) => cluster.nats.kill(server)));
      await cluster.restore();
      return cluster.nodes;
    },
    end: (cluster) => cluster.restore(),
  },
  ...DAMAGES.map(({ name, damage }): OfficeFault => ({
    name: `a server has ${name}`,
    limitMs: SERVER_LIMIT_MS,
    begin: async (cluster) => {
      const server = await cluster.followingServer();
      const files = { nats: cluster.nats, stream: STREAM, server };
      await damageServer(files, damage);
      cluster.cureBy(`server ${server}`, () => mendServer(files));
      return cluster.nodes;
    },
    end: (cluster) => cluster.restore(),
  })),
  {
    name: "the disk of the leading server is full",
    limitMs: SERVER_LIMIT_MS,
    needsDisk: true,
    begin: async (cluster) => {
      const { nats } = cluster;
      const ballast = join(nats.storeFolder(0), "ballast");
      await leadStream(nats, STREAM, 0);
      fillDisk(ballast);
      cluster.cureBy("disk", async () => {
        rmSync(ballast);
        // It stays off until it is started again. Afterwards it may complain of watches that it had, so its
        // health is no sign; whether it has everything is looked at in the end.
        await nats.end(0);
        nats.start(0);
      });
      while ((await nats.copies(STREAM))[0] !== undefined) await sleep(POLL_MS);
      return cluster.nodes;
    },
    end: (cluster) => cluster.restore(),
  },
];

/**
 * Resolves once that node tells people that nothing can be written, as something to try again. What it was given in the
 * moment before waits for the servers, so nobody waits for one answer alone.
 */
async function untilTold(node: NodeProcess): Promise<void> {
  await using peer = await node.connect();
  const told = Promise.withResolvers<"told">();
  const say = async (idempotencyKey: string): Promise<void> => {
    const message = "[[say: taken after all]]";
    // What comes behind it in the same conversation waits for it.
    const params = { sessionKey: `agent:main:${idempotencyKey}`, message, idempotencyKey };
    const { ok, error } = await peer.request("chat.send", params);
    if (ok === true) return;
    assert.deepEqual([error?.details?.reason, error?.retryable], ["log.unavailable", true]);
    told.resolve("told");
  };
  for (let n = 0; ; n++) {
    say(`told-${node.name}-${Math.round(performance.now())}-${n}`).catch(told.reject);
    if ((await Promise.race([told.promise, sleep(POLL_MS)])) === "told") return;
  }
}
