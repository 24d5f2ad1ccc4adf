/** Starts writer.ts as a process of its own, once for each life of its node, and keeps what it prints. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { ChainCounts } from "@atrium/log/chain";
import type { NatsLogOptions } from "@atrium/log/nats";
import type { HistoryEntry, Operation, TailPiece } from "../../kit/history/history.ts";
import type { Request, WorkloadPlan } from "./workload.ts";
import type { WriterLine, WriterOrder } from "./writer-lines.ts";

export interface WriterPlan {
  readonly log: NatsLogOptions;
  readonly workload: WorkloadPlan;
  readonly seed: number;
}

/** Nothing that is waited for takes as long, on the busiest machine. */
const STANDSTILL_MS = 60_000;

export class WriterProcess implements AsyncDisposable {
  readonly operations = new Map<string, Operation>();
  readonly ended: Promise<void>;
  /** What went wrong with its log for good. */
  fault: { readonly code: string; readonly message: string } | undefined;
  /** Every reason why nothing could be written, in order; undefined when all was well again. */
  readonly troubles: (string | undefined)[] = [];
  acknowledged = 0;
  readonly #tail: { after: number; entries: HistoryEntry[] } = { after: 0, entries: [] };
  readonly #child: ChildProcess;
  readonly #node: string;
  readonly #copy: HistoryEntry[] = [];
  readonly #waiting = new Set<() => boolean>();
  #counts: ChainCounts | undefined;
  #quietHead: number | undefined;
  #isComplete = false;
  #isOver = false;

  constructor(plan: WriterPlan) {
    this.#node = plan.workload.node;
    const program = new URL("writer.ts", import.meta.url).pathname;
    this.#child = spawn(process.execPath, [program, JSON.stringify(plan)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    // It may be killed while an order is on its way.
    this.#child.stdin?.on("error", () => undefined);
    const output = createInterface({ input: this.#child.stdout! });
    output.on("line", (text) => this.#take(text));
    this.ended = this.#end([once(this.#child, "close"), once(output, "close")]);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get tail(): TailPiece {
    return { node: this.#node, ...this.#tail };
  }

  /** Asked for with a key and never answered. */
  get unanswered(): readonly Request[] {
    return [...this.operations.values()]
      .filter(({ answer, key }) => answer === undefined && key !== undefined)
      .map(({ stream, expected, count, key, guard }) => ({
        stream,
        expected,
        count,
        ...(key === undefined ? {} : { key }),
        ...(guard === undefined ? {} : { guard }),
      }));
  }

  /** Resolves once it has everything, with what it has counted until then. */
  opened(): Promise<ChainCounts> {
    return this.#until(() => this.#counts);
  }

  /** Resolves after so many more acknowledgments; rejects when it ends before. */
  async acknowledges(more: number): Promise<void> {
    const enough = this.acknowledged + more;
    await this.#until(() => this.acknowledged >= enough);
  }

  /** Resolves when it says that nothing can be written. */
  async inTrouble(): Promise<void> {
    await this.#until(() => this.troubles.at(-1) !== undefined);
  }

  /** Writes again after `finish`. */
  resume(): void {
    this.#quietHead = undefined;
    this.#order({ type: "resume" });
  }

  /** Writes no more, waits for what is under way, and resolves with the head it knows. */
  async finish(): Promise<number> {
    this.#order({ type: "finish" });
    return this.#until(() => this.#quietHead);
  }

  /** The whole log as this node has it, once that is as long. */
  async read(head: number): Promise<readonly HistoryEntry[]> {
    this.#copy.length = 0;
    this.#isComplete = false;
    this.#order({ type: "read", head });
    await this.#until(() => this.#isComplete);
    return [...this.#copy];
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  async #end(closings: readonly Promise<unknown>[]): Promise<void> {
    await Promise.all(closings);
    this.#isOver = true;
    this.#check();
  }

  #order(order: WriterOrder): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  #take(text: string): void {
    const line = parse(text);
    if (line === undefined) return;
    switch (line.type) {
      case "opened":
        this.#tail.after = line.head;
        this.#counts = line.counts;
        break;
      case "invoke":
        this.operations.set(line.operation.id, line.operation);
        break;
      case "answer": {
        const operation = this.operations.get(line.id);
        if (operation !== undefined) {
          this.operations.set(line.id, { ...operation, answer: line.answer });
        }
        if (line.answer.type === "ok") this.acknowledged += 1;
        break;
      }
      case "tail":
        this.#tail.entries.push(...line.entries);
        break;
      case "quiet":
        this.#quietHead = line.head;
        break;
      case "read":
        this.#copy.push(...line.entries);
        break;
      case "complete":
        this.#isComplete = true;
        break;
      case "trouble":
        this.troubles.push(line.trouble);
        break;
      case "fault":
        this.fault = line;
        break;
    }
    this.#check();
  }

  #check(): void {
    for (const isMet of this.#waiting) if (isMet()) this.#waiting.delete(isMet);
  }

  /** Resolves with the first value that is neither false nor undefined. */
  #until<T>(read: () => T | false | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const isMet = (): boolean => {
      const value = read();
      if (value !== false && value !== undefined) resolve(value);
      else if (this.#isOver) reject(new Error(`${this.#node} has ended: ${this.#state}`));
      else return false;
      return true;
    };
    if (isMet()) return promise;
    this.#waiting.add(isMet);
    const timer = setTimeout(() => {
      reject(new Error(`${this.#node} is at a standstill: ${this.#state}`));
    }, STANDSTILL_MS);
    return promise.finally(() => clearTimeout(timer));
  }

  get #state(): string {
    return this.fault?.message ?? this.troubles.at(-1) ?? "it says nothing";
  }
}

/** A line that its process's death cut short is none. */
function parse(text: string): WriterLine | undefined {
  try {
    return JSON.parse(text) as WriterLine;
  } catch {
    return undefined;
  }
}
