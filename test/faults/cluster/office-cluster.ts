/** An office on three servers of the log and three nodes, with what can be done to them and undone. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterLog } from "@atrium/log/chain";
import {
  startCluster,
  type ClusterProcesses,
  type ClusterProcessOptions,
  type NodeProcess,
} from "../../kit/cluster-processes.ts";
import type { NatsServers } from "../../kit/nats/nats-servers.ts";
import { readServerCopies, type ServerCopy } from "../../kit/nats/server-copies.ts";

export const STREAM = "atrium";
const SERVERS = [0, 1, 2];
const POLL_MS = 100;
/** Long enough to be killed in the middle. */
const PROGRAM_SECONDS = 0.3;

export class OfficeCluster implements AsyncDisposable {
  readonly #cluster: ClusterProcesses;
  readonly #executions: string;
  readonly #stack: AsyncDisposableStack;
  /** How each that is not well is made so. */
  readonly #cures = new Map<string, () => unknown>();

  constructor(cluster: ClusterProcesses, executions: string, stack: AsyncDisposableStack) {
    this.#cluster = cluster;
    this.#executions = executions;
    this.#stack = stack;
  }

  get nodes(): readonly NodeProcess[] {
    return [...this.#cluster.nodes.values()];
  }

  get nats(): NatsServers {
    return this.#cluster.nats;
  }

  /** Every run of the agent that is a program, as the program itself wrote it down when it began. */
  get executions(): readonly string[] {
    return readFileSync(this.#executions, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  }

  director(): Promise<NodeProcess> {
    return this.#cluster.director();
  }

  /** A node that does not direct. */
  other(): Promise<NodeProcess> {
    return this.#cluster.other();
  }

  async leadingServer(): Promise<number> {
    for (;;) {
      const leader = await this.nats.leader(STREAM);
      if (leader !== undefined) return leader;
      await sleep(POLL_MS);
    }
  }

  /** The log as a node that serves nobody reads it. */
  get log(): Pick<ClusterLog, "head" | "read"> {
    return this.#cluster.log;
  }

  /** The messages that each server has. */
  copies(): Promise<readonly ServerCopy[]> {
    return readServerCopies(this.nats, STREAM);
  }

  async followingServer(): Promise<number> {
    return ((await this.leadingServer()) + 1) % SERVERS.length;
  }

  /** Each of these returns the nodes that are left. */
  async kill(node: NodeProcess): Promise<readonly NodeProcess[]> {
    await node.end("SIGKILL");
    return this.#without(node, () => this.#cluster.start(node.name));
  }

  stop(node: NodeProcess): readonly NodeProcess[] {
    node.stop();
    return this.#without(node, () => node.wake());
  }

  async cut(node: NodeProcess): Promise<readonly NodeProcess[]> {
    await node.way.cut();
    return this.#without(node, () => node.way.heal());
  }

  /** What makes everything well again, besides what was stopped or killed. */
  cureBy(what: string, cure: () => unknown): void {
    this.#cures.set(what, cure);
  }

  /** Everything is there again. */
  async restore(): Promise<void> {
    for (const server of SERVERS) {
      this.nats.wake(server);
      this.nats.start(server);
    }
    for (const cure of this.#cures.values()) await cure();
    this.#cures.clear();
  }

  #without(node: NodeProcess, cure: () => unknown): readonly NodeProcess[] {
    this.#cures.set(node.name, cure);
    return this.nodes.filter(({ name }) => !this.#cures.has(name));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

export async function openOfficeCluster(
  options: Pick<ClusterProcessOptions, "smallDisk"> = {},
): Promise<OfficeCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "atrium-office-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const executions = join(folder, "executions");
  writeFileSync(executions, "");
  const cluster = stack.use(
    await startCluster({ ...options, servers: 3, settings: settings(executions) }),
  );
  return new OfficeCluster(cluster, executions, stack.move());
}

function settings(executions: string): object {
  const script = `cat > /dev/null; echo "$ATRIUM_RUN_ID" >> "${executions}"; sleep ${PROGRAM_SECONDS}; echo done`;
  return {
    runtimes: {
      brisk: { type: "rehearsal", pace: 0.05 },
      program: { type: "command", command: ["/bin/sh", "-c", script] },
    },
    agents: [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "brisk", tools: [] },
      { id: "agent_writer_1", name: "Writer", role: "writer", runtime: "brisk", tools: [] },
      { id: "agent_writer_2", name: "Poet", role: "writer", runtime: "brisk", tools: [] },
      { id: "agent_worker", name: "Worker", role: "worker", runtime: "program", tools: [] },
    ],
    office: { walkingSpeedMps: 12, meetingMs: 0 },
  };
}
