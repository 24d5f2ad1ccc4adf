/** Three servers and three nodes that write, each a process that can be killed, stopped, woken and cut off. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChainCounts } from "@atrium/log/chain";
import {
  monotonicMs,
  type Disturbance,
  type History,
  type Operation,
  type TailPiece,
} from "../../kit/history/history.ts";
import {
  startNats,
  type NatsOptions,
  type NatsServers,
  type NatsWay,
} from "../../kit/nats/nats-servers.ts";
import { readServerCopies } from "../../kit/nats/server-copies.ts";
import { entriesIn } from "./chain-entries.ts";
import type { Request } from "./workload.ts";
import { historyEntry } from "./writer-lines.ts";
import { WriterProcess } from "./writer-process.ts";

const NODES = ["a", "b", "c"];
const SERVERS = 3;
/** So many acknowledgments are no leftovers from before. */
const ENOUGH = 20;
const POLL_MS = 50;
export const STREAM = "faults";

interface LogNodePlace {
  readonly way: NatsWay;
  readonly monitors: readonly string[];
  readonly folder: string;
  readonly seed: number;
}

/** One node over all its lives. */
export class LogNode {
  readonly name: string;
  readonly way: NatsWay;
  readonly #place: LogNodePlace;
  readonly #lives: WriterProcess[] = [];
  #unanswered: readonly Request[] = [];

  constructor(name: string, place: LogNodePlace) {
    this.name = name;
    this.way = place.way;
    this.#place = place;
  }

  get process(): WriterProcess {
    return this.#lives.at(-1)!;
  }

  /** Where its copy is. */
  get home(): string {
    return join(this.#place.folder, this.name);
  }

  get operations(): readonly Operation[] {
    return this.#lives.flatMap((life) => [...life.operations.values()]);
  }

  get tails(): readonly TailPiece[] {
    return this.#lives.map((life) => life.tail);
  }

  start(): void {
    const life = this.#lives.length;
    const { monitors, seed } = this.#place;
    this.#lives.push(
      new WriterProcess({
        log: {
          servers: this.way.urls.map((url) => new URL(url).host),
          stream: STREAM,
          monitors,
          isUnsafe: false,
          node: { id: this.name, life: `${this.name}${life}` },
          copyFile: join(this.home, "chain.db"),
        },
        workload: {
          node: this.name,
          life,
          width: 2,
          pauseMs: 20,
          again: this.#unanswered,
        },
        seed: seed + life,
      }),
    );
  }

  async kill(): Promise<void> {
    await this.process.kill();
    this.#unanswered = this.process.unanswered;
  }

  /** Killed and started again without its copy: resolves with how it got everything. */
  async beginAnew(): Promise<ChainCounts> {
    await this.kill();
    rmSync(this.home, { recursive: true });
    this.start();
    return this.process.opened();
  }
}

export class LogCluster implements AsyncDisposable {
  readonly nats: NatsServers;
  readonly nodes: readonly LogNode[];
  readonly #disturbances: Disturbance[] = [];
  readonly #stack: AsyncDisposableStack;

  constructor(nats: NatsServers, nodes: readonly LogNode[], stack: AsyncDisposableStack) {
    this.nats = nats;
    this.nodes = nodes;
    this.#stack = stack;
  }

  get acknowledged(): number {
    return this.nodes.reduce((sum, node) => sum + node.process.acknowledged, 0);
  }

  /** Measures how long these nodes are without an acknowledgment meanwhile. */
  async disturb(
    name: string,
    nodes: readonly LogNode[],
    maxGapMs: number,
    act: () => Promise<void>,
  ): Promise<void> {
    const from = monotonicMs();
    await act();
    const until = monotonicMs();
    const names = nodes.map((node) => node.name);
    this.#disturbances.push({ name, nodes: names, from, until, maxGapMs });
  }

  /** Resolves when each of these nodes has written again. */
  async acknowledge(nodes: readonly LogNode[] = this.nodes): Promise<void> {
    await Promise.all(nodes.map((node) => node.process.acknowledges(ENOUGH)));
  }

  async findServer(role: "leading" | "following"): Promise<number> {
    for (;;) {
      const leader = await this.nats.leader(STREAM);
      if (leader !== undefined) return role === "leading" ? leader : (leader + 1) % SERVERS;
      await sleep(POLL_MS);
    }
  }

  /** Stops the writing, reads everything from everyone, and goes on. */
  async history(): Promise<History> {
    const heads = await Promise.all(this.nodes.map((node) => node.process.finish()));
    const head = Math.max(...heads);
    const copies = await Promise.all(
      this.nodes.map(async (node) => ({
        holder: `node ${node.name}`,
        entries: await node.process.read(head),
      })),
    );
    const servers = await readServerCopies(this.nats, STREAM);
    for (const node of this.nodes) node.process.resume();
    return {
      operations: this.nodes.flatMap((node) => node.operations),
      tails: this.nodes.flatMap((node) => node.tails),
      copies: [
        ...copies,
        ...servers.map((copy, server) => ({
          holder: `server ${server + 1}`,
          entries: entriesIn(copy).map(historyEntry),
        })),
      ],
      disturbances: this.#disturbances,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

export async function openLogCluster(seed: number, options: NatsOptions = {}): Promise<LogCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "atrium-nodes-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const nats = stack.use(await startNats({ servers: 3, ...options }));
  const nodes: LogNode[] = [];
  for (const [index, name] of NODES.entries()) {
    const way = await nats.openWay();
    const place = { way, monitors: nats.monitors, folder, seed: seed + index * 1_000 };
    const node = new LogNode(name, place);
    node.start();
    stack.defer(() => node.process.kill());
    nodes.push(node);
  }
  await Promise.all(nodes.map((node) => node.process.acknowledges(ENOUGH)));
  return new LogCluster(nats, nodes, stack.move());
}
