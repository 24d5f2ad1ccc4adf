/** A chain whose servers keep the chain's two promises and nothing else. */
import type { Chain, Link, PublishResult } from "@atrium/log/chain";
import { strikes, type Faults } from "./faults.ts";
import { Owner, type Schedule } from "./schedule.ts";

const ACK_TIMEOUT_MS = 1000;
const MAX_LATE_MS = 3000;
const FOREVER_MS = 1e9;

/** The servers, which outlive every node. */
export class NemesisServers {
  readonly links: Uint8Array[] = [];
  /** What the servers give in the place of a link that they damaged; undefined for one that they lost. */
  readonly damages = new Map<number, Uint8Array | undefined>();
  readonly owner = new Owner();
  faults: Faults;
  readonly #schedule: Schedule;
  readonly #waiting = new Set<() => void>();

  constructor(schedule: Schedule, faults: Faults) {
    this.#schedule = schedule;
    this.faults = faults;
  }

  publish(after: number, bytes: Uint8Array): PublishResult {
    if (after !== this.links.length) return "taken";
    this.links.push(bytes);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    return "written";
  }

  read(n: number): Uint8Array | undefined {
    return this.damages.has(n) ? this.damages.get(n) : this.links[n - 1];
  }

  next(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.add(resolve));
  }

  delay(): number {
    const isLate = strikes(this.#schedule, this.faults, "lateness");
    return isLate ? this.#schedule.random() * MAX_LATE_MS : 0.5 + this.#schedule.random() * 4;
  }
}

/** The servers as one life of a node meets them. */
export class NemesisChain implements Chain {
  readonly maxBytes = 1024 * 1024;
  readonly trouble = undefined;
  /** True while this node cannot reach them. */
  isCut = false;
  readonly #schedule: Schedule;
  readonly #servers: NemesisServers;
  readonly #owner: Owner;

  constructor(schedule: Schedule, servers: NemesisServers, owner: Owner) {
    this.#schedule = schedule;
    this.#servers = servers;
    this.#owner = owner;
  }

  publish(after: number, bytes: Uint8Array): Promise<PublishResult> {
    const { promise, resolve } = Promise.withResolvers<PublishResult>();
    const schedule = this.#schedule;
    const patience = schedule.now + ACK_TIMEOUT_MS;
    schedule.after(this.#owner, ACK_TIMEOUT_MS, () => resolve("unknown"));
    let isWritten = false;
    const arrive = (): PublishResult => {
      const result = this.#servers.publish(after, bytes);
      if (isWritten) schedule.count("arrived twice");
      isWritten ||= result === "written";
      if (result === "written" && schedule.now > patience) schedule.count("written late");
      return result;
    };
    const times = strikes(schedule, this.#servers.faults, "doubling") ? 2 : 1;
    for (let time = 0; time < times; time++) this.#request(arrive, resolve);
    return promise;
  }

  read(n: number): Promise<Uint8Array | undefined> {
    return this.#ask(() => this.#servers.read(n));
  }

  last(): Promise<number> {
    return this.#ask(() => this.#servers.links.length);
  }

  async *watch(after: number, signal: AbortSignal): AsyncGenerator<Link, void, undefined> {
    const schedule = this.#schedule;
    const meets = (kind: keyof Faults): boolean => strikes(schedule, this.#servers.faults, kind);
    for (let n = after + 1; !signal.aborted;) {
      if (this.#servers.links.length < n) {
        await this.#servers.next();
        continue;
      }
      await schedule.pause(this.#owner, this.#servers.delay());
      if (this.isCut || meets("watchStall")) {
        await schedule.pause(this.#owner, schedule.happens(0.3) ? FOREVER_MS : MAX_LATE_MS);
      }
      if (meets("watchEnd")) return;
      const bytes = this.#servers.read(n);
      if (bytes !== undefined && !meets("watchSkip")) {
        yield { n, bytes: meets("watchDamage") ? flip(bytes, schedule) : bytes };
      }
      if (!meets("watchRepeat")) n++;
      else if (n > 1 && schedule.happens(0.5)) n--;
    }
  }

  #ask<Value>(answer: () => Value): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const fail = (): void => reject(new Error("nobody can tell"));
    this.#schedule.after(this.#owner, ACK_TIMEOUT_MS, fail);
    if (strikes(this.#schedule, this.#servers.faults, "silence")) return promise;
    this.#request(answer, resolve);
    return promise;
  }

  #request<Value>(atServers: () => Value, atNode: (value: Value) => void): void {
    const servers = this.#servers;
    if (this.isCut || strikes(this.#schedule, servers.faults, "loss")) return;
    this.#schedule.after(servers.owner, servers.delay(), () => {
      const value = atServers();
      if (this.isCut || strikes(this.#schedule, servers.faults, "loss")) return;
      this.#schedule.after(this.#owner, servers.delay(), () => atNode(value));
    });
  }
}

export function flip(bytes: Uint8Array, schedule: Schedule): Uint8Array {
  const damaged = Uint8Array.from(bytes);
  const at = schedule.below(damaged.length);
  damaged[at] = damaged[at]! ^ (1 << schedule.below(8));
  return damaged;
}
