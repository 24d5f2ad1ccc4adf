/** What is done to the nodes and servers of an office at work, and within which time others serve its people. */
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeProcess } from "../../kit/cluster-processes.ts";
import { NODE_LIMIT_MS, SERVER_LIMIT_MS } from "./log-faults.ts";
import type { OfficeCluster } from "./office-cluster.ts";

const STOP_MS = 5_000;

export interface OfficeFault {
  readonly name: string;
  readonly limitMs: number;
  /** Met in every run of the tests; the others when faults are repeated. */
  readonly isBrief?: true;
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
      await sleep(STOP_MS);
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
];
