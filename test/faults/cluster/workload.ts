/**
 * What one node writes: streams of its own, streams that everyone fights over, a lease that goes around and what is
 * written under it, and keys that are used again. Every attempt is reported before it is made, and what became of it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { AppendResult, Log } from "@atrium/log";
import { monotonicMs, type Answer, type Operation } from "../../kit/history/history.ts";
import type { WriterLine } from "./writer-lines.ts";

/** An append to be attempted; each attempt has an id of its own. */
export type Request = Omit<Operation, "id" | "node" | "invokedAt" | "answer">;

export interface WorkloadPlan {
  readonly node: string;
  /** Which of the node's lives this is: ids and keys are different in each. */
  readonly life: number;
  /** How many writers of each kind. */
  readonly width: number;
  /** The longest that a writer waits between two appends. */
  readonly pauseMs: number;
  /** Asked for in an earlier life and never answered; asked for again. */
  readonly again: readonly Request[];
}

const HOT_STREAMS = 2;
const OPEN_STREAMS = 4;
const LEASE = "lease/test";
const REFUSED_PAUSE_MS = 100;

export class Workload {
  readonly #log: Log;
  readonly #plan: WorkloadPlan;
  readonly #random: () => number;
  readonly #report: (line: WriterLine) => void;
  #attempts = 0;
  #keys = 0;
  #isEnding = false;
  #lanes: readonly Promise<void>[] = [];
  readonly #again: Request[];

  constructor(
    log: Log,
    plan: WorkloadPlan,
    { random, report }: { random: () => number; report: (line: WriterLine) => void },
  ) {
    this.#log = log;
    this.#plan = plan;
    this.#again = [...plan.again];
    this.#random = random;
    this.#report = report;
  }

  /** Begins, also after it was finished. */
  start(): void {
    const { node, width } = this.#plan;
    const again = this.#again.splice(0);
    this.#isEnding = false;
    this.#lanes = Array.from({ length: width }, (_, lane) => [
      this.#writeOwn(`own/${node}/${lane}`),
      this.#writeHot(`hot/${lane % HOT_STREAMS}`),
      this.#writeOpen(lane),
    ]).flat();
    this.#lanes = [...this.#lanes, this.#writeUnderLease(), this.#askAgain(again)];
  }

  /** Resolves when every append that was under way has its answer. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#lanes);
  }

  /** Every append builds on the one before, and has a key. */
  async #writeOwn(stream: string): Promise<void> {
    let version = await this.#versionOf(stream);
    while (!this.#isEnding) {
      const key = this.#makeKey();
      const count = 1 + this.#below(3);
      const answer = await this.#untilTaken({ stream, expected: version, count, key });
      if (answer === undefined) return;
      if (answer.ok) version = answer.position.seq;
      else if (answer.reason === "conflict") version = answer.head;
      await this.#pause();
    }
  }

  /** Everyone expects the version that everyone knows, and one of them gets it. */
  async #writeHot(stream: string): Promise<void> {
    let version = await this.#versionOf(stream);
    while (!this.#isEnding) {
      const answer = await this.#attempt({ stream, expected: version, count: 1 });
      if (answer === undefined) return;
      if (answer.ok) version = answer.position.seq;
      else if (answer.reason === "conflict") version = answer.head;
      else await sleep(REFUSED_PAUSE_MS);
      await this.#pause();
    }
  }

  /** Streams that expect nothing; now and then the same is asked for twice, at once or one after the other. */
  async #writeOpen(lane: number): Promise<void> {
    while (!this.#isEnding) {
      const stream = `open/${(lane + this.#below(OPEN_STREAMS)) % OPEN_STREAMS}`;
      const key = this.#makeKey();
      const request: Request = { stream, expected: "any", count: 1 + this.#below(2), key };
      const chance = this.#random();
      if (chance < 0.1) await Promise.all([this.#untilTaken(request), this.#untilTaken(request)]);
      else await this.#untilTaken(request);
      if (chance > 0.9) await this.#untilTaken(request);
      const other = { ...request, key: { ...key, digest: "something else" } };
      if (chance > 0.97 && !this.#isEnding) await this.#attempt(other);
      await this.#pause();
    }
  }

  /** Takes the lease, writes under it until someone else has it, and takes it again some time later. */
  async #writeUnderLease(): Promise<void> {
    while (!this.#isEnding) {
      const before = await this.#versionOf(LEASE);
      const grant = await this.#attempt({ stream: LEASE, expected: before, count: 1 });
      if (grant === undefined) return;
      if (grant.ok) await this.#writeGuarded(grant.position.seq);
      for (let n = 0; n < 5 && !this.#isEnding; n++) await sleep(20 + this.#below(60));
    }
  }

  async #writeGuarded(version: number): Promise<void> {
    const guard = { stream: LEASE, version };
    while (!this.#isEnding) {
      const stream = `work/${this.#below(OPEN_STREAMS)}`;
      const answer = await this.#attempt({ stream, expected: "any", count: 1, guard });
      if (answer === undefined || (!answer.ok && answer.reason === "fenced")) return;
      if (!answer.ok) await sleep(REFUSED_PAUSE_MS);
      await this.#pause();
    }
  }

  async #askAgain(requests: readonly Request[]): Promise<void> {
    for (const request of requests) await this.#untilTaken(request);
  }

  /** Asks until it is written or refused for good. */
  async #untilTaken(request: Request): Promise<AppendResult | undefined> {
    for (;;) {
      const answer = await this.#attempt(request);
      const isLater =
        answer?.ok === false && (answer.reason === "busy" || answer.reason === "unavailable");
      if (!isLater || this.#isEnding) return answer;
      await sleep(REFUSED_PAUSE_MS);
    }
  }

  /** Undefined when the log can do no more. */
  async #attempt(request: Request): Promise<AppendResult | undefined> {
    const { node, life } = this.#plan;
    const { stream, expected, count, key, guard } = request;
    const id = `${node}.${life}.${this.#attempts++}`;
    const drafts = Array.from({ length: count }, (_, part) => ({
      type: "wrote",
      at: Date.now(),
      data: { id, part },
    }));
    const options = {
      ...(key === undefined ? {} : { key }),
      ...(guard === undefined ? {} : { guard }),
    };
    this.#report({ type: "invoke", operation: { ...request, id, node, invokedAt: monotonicMs() } });
    try {
      const result = await this.#log.append(stream, expected, drafts, options);
      this.#report({ type: "answer", id, answer: answerOf(result) });
      return result;
    } catch {
      return undefined;
    }
  }

  async #versionOf(stream: string): Promise<number> {
    const [newest] = await Array.fromAsync(this.#log.read({ stream, backwards: true, limit: 1 }));
    return newest?.seq ?? 0;
  }

  #makeKey(): { readonly id: string; readonly digest: string } {
    return { id: `${this.#plan.node}.${this.#plan.life}/${this.#keys++}`, digest: "this" };
  }

  async #pause(): Promise<void> {
    await sleep(this.#random() * this.#plan.pauseMs);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function answerOf(result: AppendResult): Answer {
  const at = monotonicMs();
  return result.ok
    ? { type: "ok", seq: result.position.seq, isRepeated: result.repeated, at }
    : { type: "refused", reason: result.reason, at };
}
