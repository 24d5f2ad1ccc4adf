/** Several nodes of one Atrium in this process, over a chain and a bus in memory; each can be cut off from both. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { lease, type LeaseEvent } from "@atrium/core";
import type { Entry, Log } from "@atrium/log";
import {
  createMemoryBus,
  createMemoryChain,
  openChainLog,
  type Bus,
  type Chain,
  type ClusterLog,
} from "@atrium/log/chain";
import { openTestAtrium, type TestAtrium, type TestOptions } from "./atrium.ts";

export interface TestNode extends TestAtrium {
  readonly name: string;
  readonly log: ClusterLog;
  /** Neither the chain nor the other nodes are reached any more. */
  cut(): void;
  heal(): void;
  /** Resolves when it hears nothing any more of the chain and the others, unless it asks: as if it had just woken. */
  deafen(): Promise<void>;
}

export interface TestCluster extends AsyncDisposable {
  readonly nodes: readonly TestNode[];
  /** The folder that all nodes share. */
  readonly shared: string;
  /** Opens a node that is not there: a new one, or one that was closed, with what it kept. */
  open(name: string, folder?: string, changes?: Pick<TestOptions, "limits">): Promise<TestNode>;
  /** The node that was granted the lease last, once that is not `instead`. */
  director(instead?: TestNode): Promise<TestNode>;
  /** Another one than the director. */
  other(): Promise<TestNode>;
}

export interface TestClusterOptions extends Omit<TestOptions, "home"> {
  readonly nodes?: number;
  /** Those of other nodes; otherwise new ones. */
  readonly chain?: Chain;
  readonly bus?: Bus;
  /** What the servers of the log say of themselves, if there are any to ask. */
  readonly readServers?: ClusterLog["readServers"];
}

export async function openTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { nodes: count = 3, args = [], ...given } = options;
  const { chain = createMemoryChain(), bus = createMemoryBus(), readServers, ...rest } = given;
  const folder = await mkdtemp(join(tmpdir(), "atrium-cluster-"));
  const shared = join(folder, "shared");
  const nodes: TestNode[] = [];
  let lives = 0;

  const open: TestCluster["open"] = async (name, sharing = shared, changes = {}) => {
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    const way: Way = { isCut: false, isDeaf: false };
    const ways = {
      chain: breakableChain(chain, way),
      bus: breakableBus(bus, way),
      node: { id: name, life: `${name}.${++lives}` },
      copyFile: join(home, "chain.db"),
      ...(readServers !== undefined && { readServers }),
    };
    const opened = Promise.withResolvers<ClusterLog>();
    const atrium = await openTestAtrium({
      ...rest,
      ...changes,
      home,
      args: ["--shared", sharing, ...args],
      async openLog() {
        const made = await openChainLog(ways);
        opened.resolve(made);
        return made;
      },
    });
    const log = await opened.promise;
    const close = async (): Promise<void> => {
      const at = nodes.indexOf(node);
      if (at !== -1) nodes.splice(at, 1);
      way.isCut = false;
      await atrium.close();
    };
    const node: TestNode = {
      ...atrium,
      name,
      log,
      cut: () => void (way.isCut = true),
      heal: () => void (way.isCut = false),
      deafen: () => new Promise((resolve) => (way.onLook = resolve)),
      close,
      [Symbol.asyncDispose]: close,
    };
    nodes.push(node);
    return node;
  };

  const director: TestCluster["director"] = async (instead) => {
    for (;;) {
      for (const { log } of nodes) {
        const holder = (await leaseEvents(log)).at(-1);
        const found = nodes.find(({ name, log: { node } }) => {
          return (
            holder?.type === "lease.granted" && holder.node === name && holder.life === node.life
          );
        });
        if (found !== undefined && found !== instead) return found;
      }
      await setTimeout(20);
    }
  };

  for (let at = 0; at < count; at++) await open(String.fromCharCode("a".charCodeAt(0) + at));
  return {
    nodes,
    shared,
    open,
    director,
    async other() {
      const directing = await director();
      const found = nodes.find((node) => node !== directing);
      if (found === undefined) throw new Error("there is one node only");
      return found;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.slice().map((node) => node.close()));
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** What the log says of who directs, in order. */
export async function leaseEvents(log: Pick<Log, "read">): Promise<readonly LeaseEvent[]> {
  const entries: readonly Entry[] = await Array.fromAsync(log.read({ stream: "lease/director" }));
  return entries.map((entry) => lease.read(entry));
}

/** All nodes of a cluster, once each knows of the others who is connected to them. */
export async function untilMet<Node extends Pick<TestNode, "connect">>({
  nodes,
}: {
  readonly nodes: readonly Node[];
}): Promise<readonly [Node, Node, ...Node[]]> {
  for (const node of nodes) {
    await using peer = await node.connect();
    for (;;) {
      const present: readonly { readonly mode?: string }[] = await peer.ask("system-presence", {});
      if (present.filter(({ mode }) => mode === "gateway").length >= nodes.length) break;
      await setTimeout(20);
    }
  }
  const [first, second, ...rest] = nodes;
  if (first === undefined || second === undefined) throw new Error("there is one node only");
  return [first, second, ...rest];
}

interface Way {
  isCut: boolean;
  isDeaf: boolean;
  /** It looks at the chain now and then by itself, and does not again for two seconds. */
  onLook?: () => void;
}

function breakableChain(chain: Chain, way: Way): Chain {
  const whileWhole = <T>(work: () => Promise<T>): Promise<T> =>
    way.isCut ? Promise.reject(new Error("the way to the chain is cut")) : work();
  return {
    maxBytes: chain.maxBytes,
    get trouble() {
      return way.isCut ? "the way to the chain is cut" : chain.trouble;
    },
    publish: (after, bytes) =>
      way.isCut ? Promise.resolve("unknown") : chain.publish(after, bytes),
    read: (n) => whileWhole(() => chain.read(n)),
    async last() {
      const last = await whileWhole(() => chain.last());
      way.isDeaf ||= way.onLook !== undefined;
      way.onLook?.();
      return last;
    },
    async *watch(after, signal) {
      for await (const link of chain.watch(after, signal)) {
        if (!way.isCut && !way.isDeaf) yield link;
      }
    },
  };
}

function breakableBus(bus: Bus, way: Way): Bus {
  return {
    publish(subject, bytes) {
      if (!way.isCut) bus.publish(subject, bytes);
    },
    subscribe: (subject, handler) =>
      bus.subscribe(subject, (bytes, reply) => {
        if (!way.isCut && !way.isDeaf) handler(bytes, reply);
      }),
    request: (subject, bytes, timeoutMs) =>
      way.isCut ? Promise.resolve(undefined) : bus.request(subject, bytes, timeoutMs),
  };
}
