/**
 * Real servers of the log, one or three, on this machine: started, killed, stopped, woken and cut off by a test.
 * One set for a test file, one stream for a case.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { readServers, type ServerCopy } from "@atrium/log/nats";
import { findProgram } from "../../../scripts/system-programs.ts";
import { freePorts } from "./free-ports.ts";
import { natsConfig, type NatsPorts, type NatsSettings, type NatsTls } from "./nats-config.ts";
import { NatsServer } from "./nats-server.ts";
import type { WayCommand } from "./way-worker.ts";

export interface NatsOptions {
  readonly servers?: 1 | 2 | 3;
  readonly isSynced?: boolean;
  readonly maxPayload?: string;
  readonly hasJetStream?: boolean;
  readonly tls?: NatsTls;
  readonly userKey?: string;
  /** This server keeps its files on a disk of so many bytes; where none may be mounted, `startNats` rejects. */
  readonly smallDisk?: { readonly server: number; readonly bytes: number };
  /** The program; otherwise the one that tests use. */
  readonly program?: string;
}

/** A way to each server that one node comes by, and that can be cut. */
export interface NatsWay extends AsyncDisposable {
  readonly urls: readonly string[];
  /** From now on nobody gets through, and who was connected is no longer. */
  cut(): Promise<void>;
  /** From now on nothing that the servers say arrives. */
  deafen(): Promise<void>;
  heal(): Promise<void>;
}

export interface NatsServers extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly monitors: readonly string[];
  /** Where that server keeps its streams. */
  storeFolder(server: number): string;
  pid(server: number): number;
  /** SIGKILL. */
  kill(server: number): Promise<void>;
  /** SIGTERM: it hands over what it leads. */
  end(server: number): Promise<void>;
  /** SIGSTOP: it is there and does not answer. */
  stop(server: number): void;
  /** SIGCONT. */
  wake(server: number): void;
  /** How it is set up from its next start on. */
  configure(server: number, changes: Pick<NatsOptions, "isSynced">): void;
  /** Starts it again on the same files and ports. */
  start(server: number): void;
  /** The same, and resolves once it serves: not before most of them do. */
  restart(server: number): Promise<void>;
  healthy(limitMs?: number): Promise<void>;
  /** The server that leads the stream; undefined while none does. */
  leader(stream: string): Promise<number | undefined>;
  /** Each server's own copy; undefined for one that does not answer or has none. */
  copies(stream: string): Promise<readonly (ServerCopy | undefined)[]>;
  openWay(): Promise<NatsWay>;
  output(server: number): string;
}

const START_LIMIT_MS = 30_000;
const START_TRIES = 3;
const POLL_MS = 50;

export async function startNats(options: NatsOptions = {}): Promise<NatsServers> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another test may have taken a port in between, or a busy machine kept the servers from each other.
      const isPassing = /in use|not healthy|do not know each other/.test(String(error));
      if (tries === START_TRIES || !isPassing) throw error;
    }
  }
}

async function startOnce(options: NatsOptions): Promise<NatsServers> {
  const program = options.program ?? findProgram("nats-server");
  if (program === undefined) throw new Error("nats-server is missing");
  const count = options.servers ?? 1;
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "atrium-nats-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const ports = await choosePorts(count);
  const settings = ports.map((own, server) => settingsOf(options, { folder, ports, own, server }));
  const servers = settings.map((setting) => {
    mkdirSync(setting.storeFolder, { recursive: true });
    return new NatsServer(
      program,
      writeConfig(setting),
      `http://127.0.0.1:${setting.ports.monitor}`,
    );
  });
  if (options.smallDisk !== undefined) stack.use(mountDisk(settings, options.smallDisk));
  for (const server of servers) {
    stack.use(server);
    server.start();
  }
  await Promise.all(servers.map((server) => server.healthy(START_LIMIT_MS)));
  if (options.hasJetStream !== false && count > 1) await untilPlaceable(servers);
  return steering(settings, servers, stack.move());
}

/** Beside the folder of its files. */
function writeConfig(setting: NatsSettings): string {
  const file = `${setting.storeFolder}.conf`;
  writeFileSync(file, natsConfig(setting));
  return file;
}

/** Healthy servers may not know each other yet, and then no stream has three copies. */
async function untilPlaceable(servers: readonly NatsServer[]): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline) {
    const counts = await Promise.all(servers.map((server) => server.placeable()));
    if (counts.includes(servers.length)) return;
    await setTimeout(POLL_MS);
  }
  throw new Error(`the servers do not know each other after ${START_LIMIT_MS} ms`);
}

async function choosePorts(count: number): Promise<readonly NatsPorts[]> {
  const free = (await freePorts(count * 3)).values();
  const next = (): number => free.next().value ?? 0;
  return Array.from({ length: count }, () => ({ client: next(), monitor: next(), route: next() }));
}

interface Place {
  readonly folder: string;
  readonly ports: readonly NatsPorts[];
  readonly own: NatsPorts;
  readonly server: number;
}

function settingsOf(options: NatsOptions, { folder, ports, own, server }: Place): NatsSettings {
  return {
    name: `s${server + 1}`,
    cluster: basename(folder),
    ports: own,
    routes: ports.map(({ route }) => route),
    storeFolder: join(folder, `s${server + 1}`),
    isSynced: options.isSynced ?? true,
    maxPayload: options.maxPayload ?? "8MB",
    hasJetStream: options.hasJetStream ?? true,
    tls: options.tls,
    userKey: options.userKey,
  };
}

function mountDisk(
  settings: readonly NatsSettings[],
  { server, bytes }: { readonly server: number; readonly bytes: number },
): Disposable {
  const path = settings[server]?.storeFolder ?? "";
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path]);
  if (status !== 0) throw new Error("may not mount a small disk here");
  return { [Symbol.dispose]: () => void spawnSync("umount", ["--lazy", path]) };
}

function steering(
  settings: readonly NatsSettings[],
  servers: readonly NatsServer[],
  stack: AsyncDisposableStack,
): NatsServers {
  const at = (server: number): NatsServer => {
    const found = servers[server];
    if (found === undefined) throw new Error(`there is no server ${server}`);
    return found;
  };
  const scheme = settings[0]?.tls === undefined ? "nats" : "tls";
  const monitors = servers.map(({ monitor }) => monitor);
  const copies = async (stream: string): Promise<readonly (ServerCopy | undefined)[]> =>
    (await readServers({ monitors, stream })).map(({ copy }) => copy);
  return {
    urls: settings.map(({ ports }) => `${scheme}://127.0.0.1:${ports.client}`),
    monitors,
    storeFolder: (server) => settings[server]?.storeFolder ?? "",
    pid: (server) => at(server).pid,
    kill: (server) => at(server).end("SIGKILL"),
    end: (server) => at(server).end("SIGTERM"),
    stop: (server) => at(server).signal("SIGSTOP"),
    wake: (server) => at(server).signal("SIGCONT"),
    configure(server, { isSynced = true }) {
      const setting = settings[server];
      if (setting !== undefined) writeConfig({ ...setting, isSynced });
    },
    start: (server) => at(server).start(),
    async restart(server) {
      at(server).start();
      await at(server).healthy(START_LIMIT_MS);
    },
    async healthy(limitMs = START_LIMIT_MS) {
      await Promise.all(servers.map((server) => server.healthy(limitMs)));
    },
    async leader(stream) {
      const found = (await copies(stream)).findIndex((copy) => copy?.isLeader === true);
      return found === -1 ? undefined : found;
    },
    copies,
    async openWay() {
      const way = await openWay(settings, scheme);
      stack.use(way);
      return way;
    },
    output: (server) => at(server).output,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function openWay(settings: readonly NatsSettings[], scheme: string): Promise<NatsWay> {
  const worker = new Worker(new URL("way-worker.ts", import.meta.url), {
    workerData: settings.map(({ ports }) => ports.client),
  });
  const [ports] = (await once(worker, "message")) as [readonly number[]];
  const tell = async (command: WayCommand): Promise<void> => {
    const done = once(worker, "message");
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(command);
    await done;
  };
  return {
    urls: ports.map((port) => `${scheme}://127.0.0.1:${port}`),
    cut: () => tell("cut"),
    deafen: () => tell("deafen"),
    heal: () => tell("heal"),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
