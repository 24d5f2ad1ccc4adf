/** Writers that ask for everything a log can be asked for, and what they were answered. */
import { LogFault, type AppendOptions, type AppendResult, type Entry } from "@atrium/log";
import type { Answer, Operation } from "../history/history.ts";
import type { Life, Nodes } from "./nodes.ts";
import type { Schedule } from "./schedule.ts";

const STREAMS = ["desk", "wall", "door"];
const LEASE = "lease";
const KEYS = 12;
/** The digest of keys that write nothing. */
const NOTHING = "nothing";

/** One attempt, with what the plain history does not say. */
export interface Attempt extends Omit<Operation, "answer"> {
  readonly life: string;
  readonly writer: number;
  /** The attempt before it at its node, which this one was to stand right behind. */
  readonly behind?: string;
  /** True when the version it expects had been acknowledged to someone. */
  readonly isInformed: boolean;
  /** The newest time of any entry that its node had when this was asked. */
  readonly newestTime: number;
  /** The times of its entries. */
  readonly at: number;
  answer?: Answer & { readonly head?: number };
  fault?: string;
}

export class Workload {
  readonly attempts: Attempt[] = [];
  readonly #schedule: Schedule;
  readonly #nodes: Nodes;
  /** By stream: the newest version that anyone was told of. */
  readonly #versions = new Map<string, number>();
  #grant = 0;
  /** The entries whose erasure was acknowledged. */
  readonly erased = new Set<number>();
  isOver = false;

  constructor(schedule: Schedule, nodes: Nodes) {
    this.#schedule = schedule;
    this.#nodes = nodes;
  }

  /** Of those that still wait and whose node lives. */
  get pending(): readonly Attempt[] {
    const lives = new Set(this.#nodes.alive.map(({ log }) => log.node.life));
    return this.attempts.filter(
      ({ answer, fault, life }) => answer === undefined && fault === undefined && lives.has(life),
    );
  }

  /** A writer that goes on for as long as there is a node to ask. */
  start(writer: number): void {
    const schedule = this.#schedule;
    const again = async (): Promise<void> => {
      if (this.isOver) return;
      const life = this.#lifeFor(writer);
      // A writer goes with the life that it asks: whoever comes next is another one.
      if (life !== undefined) await Promise.race([this.#ask(life, writer), this.#died(life)]);
      schedule.after(this.#nodes.servers.owner, schedule.random() * 250, () => void again());
    };
    schedule.after(this.#nodes.servers.owner, schedule.random() * 100, () => void again());
  }

  #died({ owner }: Life): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (owner.isDead || this.isOver) resolve();
      else this.#schedule.after(this.#nodes.servers.owner, 200, look);
    };
    look();
    return promise;
  }

  #lifeFor(writer: number): Life | undefined {
    const name = this.#nodes.names[writer % this.#nodes.names.length];
    return this.#nodes.alive.find(({ node }) => node === name);
  }

  async #ask(life: Life, writer: number): Promise<void> {
    const schedule = this.#schedule;
    const stream = schedule.pick(STREAMS);
    switch (schedule.below(8)) {
      case 0:
        return this.#append(life, writer, stream, "any", { key: this.#key() });
      case 1:
        return this.#append(life, writer, stream, "any");
      case 2: {
        const version = await newestOf(life, stream);
        return this.#append(life, writer, stream, version);
      }
      case 3:
        return this.#append(life, writer, stream, this.#versions.get(stream) ?? 0);
      case 4:
        return this.#appendInARow(life, writer, stream);
      case 5:
        return this.#append(life, writer, LEASE, this.#versions.get(LEASE) ?? 0);
      case 6:
        return this.#append(life, writer, stream, "any", {
          guard: { stream: LEASE, version: schedule.happens(0.7) ? this.#grant : 1 },
        });
      default:
        if (schedule.happens(0.2)) return this.#erase(life);
        return this.#append(life, writer, stream, await newestOf(life, stream), {
          key: this.#key(),
          guard: { stream: LEASE, version: this.#grant },
        });
    }
  }

  #newestTimeAt({ node, log }: Life): number {
    const entries = this.#nodes.entriesOf(node).slice(0, log.head);
    return entries.reduce((newest, { at }) => Math.max(newest, at), 0);
  }

  #key(): { id: string; digest: string } {
    const n = this.#schedule.below(KEYS);
    if (n < 3) return { id: `idle ${n}`, digest: NOTHING };
    // Now and then for something else than what it was used for.
    return { id: `key ${n}`, digest: this.#schedule.happens(0.05) ? "other" : "d" };
  }

  /** The second is asked for while the first is under way, maybe in the next tick. */
  async #appendInARow(life: Life, writer: number, stream: string): Promise<void> {
    const first = this.#append(life, writer, stream, "any");
    if (this.#schedule.happens(0.7)) {
      await this.#schedule.pause(life.owner, this.#schedule.random() * 8);
    }
    const behind = this.attempts.findLast((one) => one.life === life.log.node.life)?.id ?? "";
    const second = this.#append(life, writer, stream, { behind });
    const third = this.#append(life, writer, this.#schedule.pick(STREAMS), "any");
    await Promise.all([first, second, third]);
  }

  async #append(
    life: Life,
    writer: number,
    stream: string,
    expected: number | "any" | { readonly behind: string },
    options: AppendOptions = {},
  ): Promise<void> {
    const schedule = this.#schedule;
    const id = `${this.attempts.length}`;
    const count = options.key?.digest === NOTHING ? 0 : 1 + schedule.below(2);
    // Writers' clocks differ, and one jumps now and then.
    const at = 1_000_000 + schedule.now * (schedule.happens(0.05) ? 3 : 1) + schedule.below(50);
    const attempt: Attempt = {
      id,
      node: life.node,
      life: life.log.node.life,
      writer,
      stream,
      expected: typeof expected === "object" ? "any" : expected,
      count,
      ...options,
      ...(typeof expected === "object" ? expected : {}),
      isInformed: typeof expected === "number" && expected === this.#versions.get(stream),
      newestTime: this.#newestTimeAt(life),
      at,
      invokedAt: schedule.now,
    };
    this.attempts.push(attempt);
    const drafts = Array.from({ length: count }, (_, part) => ({
      type: "t",
      at,
      data: { id, part },
    }));
    try {
      const version = typeof expected === "object" ? "after-previous" : expected;
      this.#note(attempt, await life.log.append(stream, version, drafts, options));
    } catch (error) {
      attempt.fault = error instanceof LogFault ? `${error.code}: ${error.message}` : String(error);
    }
  }

  #note(attempt: Attempt, result: AppendResult): void {
    const at = this.#schedule.now;
    if (!result.ok) {
      const { reason } = result;
      const head = "head" in result ? { head: result.head } : {};
      attempt.answer = { type: "refused", reason, at, ...head };
      return;
    }
    const { seq } = result.position;
    attempt.answer = { type: "ok", seq, isRepeated: result.repeated, at };
    const last = result.entries.at(-1);
    if (last === undefined) return;
    this.#versions.set(last.stream, Math.max(last.seq, this.#versions.get(last.stream) ?? 0));
    if (last.stream === LEASE) this.#grant = last.seq;
  }

  async #erase({ log }: Life): Promise<void> {
    const seq = 1 + this.#schedule.below(log.head + 1);
    const [entry] = await Array.fromAsync(log.read({ after: seq - 1, limit: 1 }));
    if (entry === undefined) return;
    const data = { ...idOf(entry), isErased: true };
    const answer = await log.erase([{ seq, data }]).catch(() => undefined);
    if (answer?.ok === true) this.erased.add(seq);
  }
}

export function idOf({ data }: Entry): { id?: string; part?: number } {
  const { id, part } = Object(data) as { id?: string; part?: number };
  return { ...(id === undefined ? {} : { id }), ...(part === undefined ? {} : { part }) };
}

async function newestOf({ log }: Life, stream: string): Promise<number> {
  const [newest] = await Array.fromAsync(log.read({ stream, backwards: true, limit: 1 }));
  return newest?.seq ?? 0;
}
