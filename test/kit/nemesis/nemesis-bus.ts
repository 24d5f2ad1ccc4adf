/** A bus that loses, delays and doubles what it carries. */
import type { Bus, BusHandler } from "@atrium/log/chain";
import { strikes, type Faults } from "./faults.ts";
import type { Owner, Schedule } from "./schedule.ts";

const MAX_LATE_MS = 2500;

interface Subscription {
  readonly subject: string;
  readonly owner: Owner;
  readonly handler: BusHandler;
}

export class NemesisWires {
  readonly subscriptions = new Set<Subscription>();
  faults: Faults;
  readonly #schedule: Schedule;

  constructor(schedule: Schedule, faults: Faults) {
    this.#schedule = schedule;
    this.faults = faults;
  }

  listening(subject: string): Subscription[] {
    return [...this.subscriptions].filter((one) => one.subject === subject && !one.owner.isDead);
  }

  carry(owner: Owner, deliver: () => void): void {
    const schedule = this.#schedule;
    if (strikes(schedule, this.faults, "busLoss")) return;
    const times = strikes(schedule, this.faults, "busDoubling") ? 2 : 1;
    for (let time = 0; time < times; time++) {
      const isLate = strikes(schedule, this.faults, "busLateness");
      const ms = schedule.random() * (isLate ? MAX_LATE_MS : 2);
      schedule.after(owner, ms, deliver);
    }
  }
}

export class NemesisBus implements Bus {
  readonly #schedule: Schedule;
  readonly #wires: NemesisWires;
  readonly #owner: Owner;

  constructor(schedule: Schedule, wires: NemesisWires, owner: Owner) {
    this.#schedule = schedule;
    this.#wires = wires;
    this.#owner = owner;
  }

  publish(subject: string, bytes: Uint8Array): void {
    for (const { owner, handler } of this.#wires.listening(subject)) {
      this.#wires.carry(owner, () => handler(bytes, undefined));
    }
  }

  subscribe(subject: string, handler: BusHandler): Disposable {
    const subscription = { subject, owner: this.#owner, handler };
    this.#wires.subscriptions.add(subscription);
    return { [Symbol.dispose]: () => void this.#wires.subscriptions.delete(subscription) };
  }

  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array | undefined> {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
    const listening = this.#wires.listening(subject);
    const noAnswerMs = listening.length === 0 ? 1 : timeoutMs;
    this.#schedule.after(this.#owner, noAnswerMs, () => resolve(undefined));
    for (const { owner, handler } of listening) {
      this.#wires.carry(owner, () =>
        handler(bytes, (answer) => this.#wires.carry(this.#owner, () => resolve(answer))),
      );
    }
    return promise;
  }
}
