/**
 * Virtual time for several nodes in one thread: one step after the other, in an order that a seed decides.
 *
 * Whatever a node waits for is a step of its owner. A paused owner gets its steps later, a dead one never.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChainClock } from "@atrium/log/chain";

/** One life of a node, or the servers. */
export class Owner {
  isDead = false;
  pausedUntil = 0;
}

interface Step {
  readonly order: number;
  readonly owner: Owner;
  readonly run: () => void;
  at: number;
  isDropped: boolean;
}

export class Schedule {
  readonly random: () => number;
  now = 0;
  steps = 0;
  /** How often each thing went wrong, and what came of it. */
  readonly counts = new Map<string, number>();
  readonly #waiting = new StepHeap();
  #order = 0;

  constructor(random: () => number) {
    this.random = random;
  }

  after(owner: Owner, ms: number, run: () => void): Disposable {
    const step = { order: ++this.#order, owner, run, at: this.now + ms, isDropped: false };
    this.#waiting.add(step);
    return { [Symbol.dispose]: () => void (step.isDropped = true) };
  }

  /** Never resolves for an owner that dies. */
  pause(owner: Owner, ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(owner, ms, resolve));
  }

  clockOf(owner: Owner): ChainClock {
    return {
      now: () => this.now,
      after: (ms, work) => this.after(owner, ms, work),
      soon: (work) => void this.after(owner, 0, work),
    };
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  happens(chance: number): boolean {
    return this.random() < chance;
  }

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Runs until that time, or until nothing is left to wait for. */
  async run(until: number, isOver: () => boolean = () => false): Promise<void> {
    // What was begun outside of a step comes first.
    await nextTurn();
    while (!isOver()) {
      const step = this.#take(until);
      if (step === undefined) break;
      this.now = Math.max(this.now, step.at);
      this.steps++;
      step.run();
      await nextTurn();
    }
    this.now = Math.max(this.now, until);
  }

  #take(until: number): Step | undefined {
    for (;;) {
      const first = this.#waiting.first;
      if (first === undefined || first.at > until) return undefined;
      this.#waiting.take();
      const { owner } = first;
      if (first.isDropped || owner.isDead) continue;
      if (owner.pausedUntil <= first.at) return first;
      first.at = owner.pausedUntil;
      this.#waiting.add(first);
    }
  }
}

/** The earliest first: a binary heap. */
class StepHeap {
  readonly #steps: Step[] = [];

  get first(): Step | undefined {
    return this.#steps[0];
  }

  add(step: Step): void {
    const steps = this.#steps;
    let at = steps.push(step) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(step, steps[parent]!)) break;
      steps[at] = steps[parent]!;
      at = parent;
    }
    steps[at] = step;
  }

  take(): void {
    const steps = this.#steps;
    const step = steps.pop();
    if (step === undefined || steps.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= steps.length) break;
      if (child + 1 < steps.length && isBefore(steps[child + 1]!, steps[child]!)) child++;
      if (!isBefore(steps[child]!, step)) break;
      steps[at] = steps[child]!;
      at = child;
    }
    steps[at] = step;
  }
}

function isBefore(a: Step, b: Step): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
