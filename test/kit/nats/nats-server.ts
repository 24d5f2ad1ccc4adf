/** One real nats-server as its own process, which dies with the test that started it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const SETPRIV = "/usr/bin/setpriv";
const POLL_MS = 20;

interface JetStreamReport {
  /** Only the one that leads them knows of the others. */
  readonly meta_cluster?: {
    readonly replicas?: readonly { readonly current: boolean; readonly offline?: boolean }[];
  };
}

export class NatsServer implements AsyncDisposable {
  readonly monitor: string;
  /** What it printed, over all its lives. */
  output = "";
  readonly #program: string;
  readonly #config: string;
  #child: ChildProcess | undefined;

  constructor(program: string, config: string, monitor: string) {
    this.#program = program;
    this.#config = config;
    this.monitor = monitor;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  start(): void {
    if (this.isRunning) return;
    const command = [this.#program, "-c", this.#config];
    // The kernel ends it when the test's process is killed and cannot.
    const [file = "", ...args] = existsSync(SETPRIV)
      ? [SETPRIV, "--pdeathsig", "KILL", ...command]
      : command;
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
    const collect = (text: string): void => {
      this.output += text;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    this.#child = child;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.#child?.kill(signal);
  }

  /** Ends it, also when it is stopped, and resolves when it is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const exit = once(child, "exit");
    child.kill(signal);
    child.kill("SIGCONT");
    await exit;
  }

  /** How many servers it knows that streams can be placed on, when it is the one that places them. */
  async placeable(): Promise<number | undefined> {
    try {
      const signal = AbortSignal.timeout(1_000);
      const answer = await fetch(`${this.monitor}/jsz`, { signal });
      const { meta_cluster: meta } = (await answer.json()) as JetStreamReport;
      if (meta?.replicas === undefined) return undefined;
      return 1 + meta.replicas.filter(({ current, offline }) => current && offline !== true).length;
    } catch {
      return undefined;
    }
  }

  /** Resolves once it serves; with JetStream that includes what it must catch up with. */
  async healthy(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!(await this.#isHealthy())) {
      if (!this.isRunning) throw new Error(`nats-server ended:\n${this.output.slice(-4000)}`);
      if (performance.now() > deadline) {
        throw new Error(`not healthy after ${limitMs} ms:\n${this.output.slice(-4000)}`);
      }
      await setTimeout(POLL_MS);
    }
  }

  async #isHealthy(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(1_000);
      const answer = await fetch(`${this.monitor}/healthz`, { signal });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }
}
