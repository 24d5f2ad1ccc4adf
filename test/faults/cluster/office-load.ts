/**
 * People at work on all nodes: they chat, let things be built, have projects and send signals. Whoever loses their
 * node goes to the next one and asks for the same again with the same key.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { attend } from "../../kit/attend.ts";
import { BuildApi } from "../../kit/builds.ts";
import type { NodeProcess } from "../../kit/cluster-processes.ts";
import type { Connected } from "../../kit/raw-peer.ts";
import type { ServerProcess } from "../../kit/server-process.ts";
import { post, signalOf } from "../../kit/signals.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import type { OfficeCluster } from "./office-cluster.ts";

const ANSWER_LIMIT_MS = 2_000;
const RETRY_MS = 50;
const BUILD_PAUSE_MS = 4_000;
const AGENTS = ["main", "writer_1", "worker"];

export interface ServiceTimes {
  readonly takenMs: number;
  readonly answeredMs: number;
}

export class OfficeLoad {
  /** Runs that a node has taken. */
  readonly runs = new Set<string>();
  readonly signals = new Set<string>();
  readonly #cluster: OfficeCluster;
  readonly #random: () => number;
  readonly #unsettled = new Set<string>();
  #builds: string[] = [];
  #isEnding = false;
  #lanes: readonly Promise<void>[] = [];
  #shift = 0;
  #count = 0;

  constructor(cluster: OfficeCluster, random: () => number) {
    this.#cluster = cluster;
    this.#random = random;
  }

  start(): void {
    this.#isEnding = false;
    this.#shift += 1;
    this.#lanes = [
      ...Array.from({ length: 4 }, (_, person) => this.#chat(person)),
      this.#signal(0),
      this.#build(1),
      this.#haveProjects(2),
    ];
  }

  /** Nothing new is asked for; resolves when what was asked for is taken. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#lanes);
  }

  /** Resolves when each of these nodes has taken a message and answered it, with how long that took the slowest. */
  async serve(nodes: readonly NodeProcess[]): Promise<ServiceTimes> {
    const times = await Promise.all(nodes.map((node) => this.#serveAt(node)));
    return {
      takenMs: Math.max(...times.map(({ takenMs }) => takenMs)),
      answeredMs: Math.max(...times.map(({ answeredMs }) => answeredMs)),
    };
  }

  async #serveAt(node: NodeProcess): Promise<ServiceTimes> {
    const since = performance.now();
    const runId = this.#makeId("probe");
    let takenMs: number | undefined;
    for (;;) {
      try {
        await using peer = await within(node.connect(), ANSWER_LIMIT_MS);
        await this.#sendMessage(peer, this.#conversation("main", `probe-${node.name}`), runId);
        takenMs ??= performance.now() - since;
        const { status } = await peer.ask("agent.wait", { runId, timeoutMs: ANSWER_LIMIT_MS });
        if (status !== "timeout") return { takenMs, answeredMs: performance.now() - since };
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }

  /** Resolves when every run that was taken has ended, and every build, with the builds that ended since last time. */
  async settle(): Promise<readonly string[]> {
    await this.#insist(0, async (server) => {
      await using peer = await server.connect();
      await Promise.all(
        [...this.#unsettled].map(async (runId) => {
          const { status } = await peer.ask("agent.wait", { runId, timeoutMs: ANSWER_LIMIT_MS });
          if (status !== "timeout") this.#unsettled.delete(runId);
        }),
      );
      if (this.#unsettled.size > 0) throw new Error(`${[...this.#unsettled].join(", ")} go on`);
    });
    const builds = this.#builds;
    this.#builds = [];
    for (const id of builds) await this.#insist(0, (server) => endBuild(server, id));
    return builds;
  }

  async #chat(person: number): Promise<void> {
    const agent = AGENTS[person % AGENTS.length] ?? "main";
    let node = person;
    while (!this.#isEnding) {
      const runId = this.#makeId(`p${person}`);
      node = await this.#insist(node, async (server) => {
        await using peer = await server.connect();
        await this.#sendMessage(peer, this.#conversation(agent, `p${person}`), runId);
      });
      await this.#pause();
    }
  }

  async #sendMessage(peer: Connected, sessionKey: string, runId: string): Promise<void> {
    const message = `[[sleep: 20ms]] [[say: ${runId}]]`;
    const params = { sessionKey, message, idempotencyKey: runId };
    const { ok, error } = await within(peer.request("chat.send", params), ANSWER_LIMIT_MS);
    // One that was taken and cut off is answered with how it ended.
    if (ok !== true && error?.retryable !== false) throw new Error(error?.message);
    this.runs.add(runId);
    this.#unsettled.add(runId);
  }

  async #signal(first: number): Promise<void> {
    let node = first;
    while (!this.#isEnding) {
      const signal = signalOf("tool_call", { toolName: "look", agentId: "visitor" });
      node = await this.#insist(node, async (server) => {
        const { status } = await within(post(server, [signal]), ANSWER_LIMIT_MS);
        if (status !== 202) throw new Error(`status ${status}`);
      });
      this.signals.add(signal.id);
      await this.#pause();
    }
  }

  async #build(first: number): Promise<void> {
    let node = first;
    while (!this.#isEnding) {
      const key = this.#makeId("build");
      node = await this.#insist(node, async (server) => {
        const headers = { "idempotency-key": key };
        const { status, body } = await within(
          new BuildApi(server).post("", { prompt: `Build ${key}` }, headers),
          ANSWER_LIMIT_MS,
        );
        if (status >= 300) throw new Error(`status ${status}`);
        this.#builds.push(body.id);
      });
      await sleep(BUILD_PAUSE_MS);
    }
  }

  async #haveProjects(first: number): Promise<void> {
    let node = first;
    for (let n = 0; !this.#isEnding; n++) {
      if (n % 10 === 0) {
        node = await this.#insist(node, async (server) => {
          await using peer = await within(enterWorld(server), ANSWER_LIMIT_MS);
          await within(peer.ask("submit_request", { text: "Write a page" }), ANSWER_LIMIT_MS);
        });
      }
      await this.#insist(node, (server) =>
        within(attend(server), ANSWER_LIMIT_MS).then(() => undefined),
      );
      await sleep(300);
    }
  }

  /** Tries at one node after the other, and returns which one did it. */
  async #insist(first: number, act: (server: ServerProcess) => Promise<void>): Promise<number> {
    const { nodes } = this.#cluster;
    for (let at = first; ; at++) {
      const node = nodes[at % nodes.length]!;
      try {
        await within(act(node), 3 * ANSWER_LIMIT_MS);
        return at;
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }

  /** New ones each time: one that goes on for ever uses up its budget, and then asks. */
  #conversation(agent: string, name: string): string {
    return `agent:${agent}:${name}-${this.#shift}`;
  }

  #makeId(what: string): string {
    return `${what}-${this.#count++}`;
  }

  async #pause(): Promise<void> {
    await sleep(100 + this.#random() * 200);
  }
}

/** Answers what it waits for; rejects until it is complete. */
async function endBuild(server: ServerProcess, id: string): Promise<void> {
  const api = new BuildApi(server);
  const { stage } = (await api.get(`/${id}`)).body.build;
  if (stage === "waiting") await api.answer(id, { question_id: "audience", option_id: "me" });
  if (stage !== "completed") throw new Error(`build ${id} is ${stage}`);
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  const leave = new AbortController();
  const late = sleep(limitMs, undefined, { signal: leave.signal }).then(() => {
    throw new Error(`nothing within ${limitMs} ms`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    leave.abort();
    promise.catch(() => undefined);
  }
}
