/**
 * Whose turn it is in a stream that writers of several nodes race for.
 *
 * The node with the pen hears of a new version first, so its own writers would win every time. Whoever lost a race is
 * therefore next: for a moment, others that expect a version of that stream wait. Only a matter of fairness.
 */
import type { Lookup } from "./state/chain-state.ts";
import type { Tick } from "./state/decide.ts";
import type { MessageTick } from "./state/message.ts";

/** How long a turn is kept for a node that does not take it. */
const HOLD_MS = 50;

interface Queue {
  /** The nodes that lost, by life, the first one's turn first. */
  readonly lives: string[];
  since: number;
}

export class StreamTurns {
  readonly #queues = new Map<string, Queue>();

  /** False while the tick would win a stream in which it is another's turn; one that loses may learn of it at once. */
  isNext({ author, appends }: Tick, versions: Pick<Lookup, "versionOf">, now: number): boolean {
    if (this.#queues.size === 0) return true;
    return appends.every(({ stream, expected }) => {
      if (typeof expected !== "number" || expected !== versions.versionOf(stream)) return true;
      const life = this.#headOf(stream, now);
      return life === undefined || life === author.life;
    });
  }

  /** What became of a tick: losers queue, and whoever wrote has had its turn. */
  note({ author, appends }: Tick, { refusals }: MessageTick, now: number): void {
    const reasons = new Map(refusals.map(({ index, reason }) => [index, reason]));
    for (const [index, { stream, expected }] of appends.entries()) {
      if (typeof expected !== "number") continue;
      const reason = reasons.get(index);
      if (reason === "conflict") this.#push(stream, author.life, now);
      else if (reason === undefined) this.#shift(stream, author.life, now);
    }
  }

  #headOf(stream: string, now: number): string | undefined {
    const queue = this.#queues.get(stream);
    if (queue !== undefined && now - queue.since > HOLD_MS) this.#next(stream, queue, now);
    return queue?.lives[0];
  }

  #push(stream: string, life: string, now: number): void {
    const queue = this.#queues.get(stream) ?? { lives: [], since: now };
    if (!queue.lives.includes(life)) queue.lives.push(life);
    this.#queues.set(stream, queue);
  }

  #shift(stream: string, life: string, now: number): void {
    const queue = this.#queues.get(stream);
    if (queue?.lives[0] === life) this.#next(stream, queue, now);
  }

  #next(stream: string, queue: Queue, now: number): void {
    queue.lives.shift();
    queue.since = now;
    if (queue.lives.length === 0) this.#queues.delete(stream);
  }
}
