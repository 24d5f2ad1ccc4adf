/** Real nodes as processes of their own, over real nats-servers, and a reader of their log. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ClusterLog } from "@atrium/log/chain";
import { openNatsLog } from "@atrium/log/nats";
import { leaseEvents } from "./atrium-cluster.ts";
import {
  startNats,
  type NatsOptions,
  type NatsServers,
  type NatsWay,
} from "./nats/nats-servers.ts";
import { startServer, type ServerProcess, type StartOptions } from "./server-process.ts";

export interface NodeProcess extends ServerProcess {
  readonly name: string;
  readonly home: string;
  /** SIGSTOP and SIGCONT. */
  stop(): void;
  wake(): void;
  /** Its way to the servers; the servers themselves go on. */
  readonly way: Pick<NatsWay, "cut" | "heal">;
  journal(): Promise<string>;
}

export interface ClusterProcesses extends AsyncDisposable {
  readonly nats: NatsServers;
  /** By name; one that was ended and started again is another one. */
  readonly nodes: ReadonlyMap<string, NodeProcess>;
  /** The log as a further node reads it, which serves nobody. */
  readonly log: ClusterLog;
  /** Starts a node, for the first time or again, on the port it had; `main` is that of another release. */
  start(name: string, main?: string): Promise<NodeProcess>;
  /** The node that was granted the lease last, once that is not the one of that name. */
  director(instead?: string): Promise<NodeProcess>;
  /** Another one than the director. */
  other(): Promise<NodeProcess>;
}

export interface ClusterProcessOptions
  extends Pick<StartOptions, "args" | "env">, Pick<NatsOptions, "smallDisk"> {
  readonly names?: readonly string[];
  readonly servers?: 1 | 3;
  /** What the settings file of every node says. */
  readonly settings?: unknown;
}

export async function startCluster(options: ClusterProcessOptions = {}): Promise<ClusterProcesses> {
  const { names = ["a", "b", "c"], servers = 1, args = [], env = {}, settings } = options;
  const disks = options.smallDisk === undefined ? {} : { smallDisk: options.smallDisk };
  const opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "atrium-nodes-"));
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const nats = opened.use(await startNats({ servers, ...disks }));
  const nodes = new Map<string, NodeProcess>();
  const ports = new Map<string, number>();
  const shared = join(folder, "shared");
  const place = ["--log-monitor", nats.monitors.join(","), "--shared", shared];

  async function start(name: string, main?: string): Promise<NodeProcess> {
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    if (settings !== undefined) {
      await writeFile(join(home, "atrium.config.json"), JSON.stringify(settings));
    }
    const port = String(ports.get(name) ?? 0);
    const way = opened.use(await nats.openWay());
    const own = ["--log", way.urls.join(","), "--node", name, "--port", port];
    const other = main === undefined ? {} : { main };
    const starting = { args: [...place, ...own, ...args], env, ...other };
    const server = opened.use(await startServer(home, starting));
    ports.set(name, server.port);
    const node: NodeProcess = {
      ...server,
      name,
      home,
      stop: () => void process.kill(server.pid, "SIGSTOP"),
      wake: () => void process.kill(server.pid, "SIGCONT"),
      way,
      journal: () => readFile(join(home, "atrium.log"), "utf8"),
    };
    nodes.set(name, node);
    return node;
  }

  try {
    await Promise.all(names.map((name) => start(name)));
    const log = opened.use(
      await openNatsLog({
        servers: nats.urls,
        stream: "atrium",
        monitors: nats.monitors,
        isUnsafe: false,
        node: { id: "reader", life: "reader" },
        copyFile: join(folder, "reader", "chain.db"),
      }),
    );
    const director: ClusterProcesses["director"] = async (instead) => {
      for (;;) {
        const holder = (await leaseEvents(log)).at(-1);
        const found = holder?.type === "lease.granted" ? nodes.get(holder.node) : undefined;
        if (found !== undefined && found.name !== instead) return found;
        await setTimeout(20);
      }
    };
    return {
      nats,
      nodes,
      log,
      start,
      director,
      async other() {
        const { name } = await director();
        const found = [...nodes.values()].find((node) => node.name !== name);
        if (found === undefined) throw new Error("there is one node only");
        return found;
      },
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
