/**
 * Who is alive: every node publishes a heartbeat on the bus and listens to those of all, its own included.
 *
 * Silence is counted in own beats and not in time, and only while the own beats come back: a node that was stopped, or
 * cut off, has heard nothing for a while and knows nothing of the others. Whether its own beats get out is measured by
 * the monotonic clock, because that is what the others wait for.
 */
import type { Bus, NodeIdentity } from "@atrium/log";
import type { Timers } from "../platform/timers.ts";
import type { Member } from "./cluster.ts";
import {
  decodeHeartbeat,
  encodeHeartbeat,
  HEARTBEAT_SUBJECT,
  type Heartbeat,
} from "./heartbeat.ts";

export interface MembershipDeps {
  readonly bus: Pick<Bus, "publish" | "subscribe">;
  readonly self: NodeIdentity;
  readonly describe: () => Omit<Member, "node" | "life">;
  readonly timers: Timers;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** After every own beat. */
  readonly onBeat: () => void;
  /** Someone came, or is gone. */
  readonly onChange: () => void;
}

const BEAT_MS = 300;
/** Two seconds, give or take a beat. */
export const SILENT_BEATS = 7;
/** When an own beat that came back is older, it does not count as coming back. */
const ECHO_MS = 1_000;
const LATE_MS = 2 * BEAT_MS;

interface Known {
  readonly member: Member;
  heardAt: number;
}

export class Membership implements Disposable {
  readonly #deps: MembershipDeps;
  readonly #known = new Map<string, Known>();
  readonly #subscription: Disposable;
  #cancel: () => void = () => undefined;
  #beats = 0;
  #echoSentAt: number;
  #beatAt: number;
  #isLate = false;
  #hadOthers = false;
  #isClosed = false;

  constructor(deps: MembershipDeps) {
    this.#deps = deps;
    this.#echoSentAt = this.#beatAt = deps.now();
    this.#subscription = deps.bus.subscribe(HEARTBEAT_SUBJECT, (bytes) => this.#take(bytes));
  }

  /** From now on the others hear of this node. */
  start(): void {
    this.#beat();
  }

  /** By name; this node is always among them. */
  list(): readonly Member[] {
    const { self, describe } = this.#deps;
    const own: Member = { node: self.id, life: self.life, ...describe() };
    const others = Array.from(this.#known.values(), ({ member }) => member);
    return [own, ...others].toSorted((a, b) => (a.node < b.node ? -1 : 1));
  }

  /** For how many beats that life was not heard, counted from `since` at the earliest. */
  silenceOf(life: string, since: number): number {
    const known = this.#known.get(life);
    return this.#beats - Math.max(since, known?.heardAt ?? 0);
  }

  isKnown(life: string): boolean {
    return this.#known.has(life);
  }

  /** The number of the present beat. */
  get beats(): number {
    return this.#beats;
  }

  /** For how long none of the own beats has come back. */
  get unheardMs(): number {
    return this.#deps.now() - this.#echoSentAt;
  }

  /**
   * This process stood still for a while, and what has come meanwhile is not read yet: by the next beat it is. One late
   * beat after another is no excuse.
   */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Whether another node was alive when this one last looked. */
  get hadOthers(): boolean {
    return this.#hadOthers;
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel();
    this.#subscription[Symbol.dispose]();
    this.#publish({ isLast: true });
  }

  #beat(): void {
    const { timers, now, onBeat } = this.#deps;
    this.#isLate = now() - this.#beatAt > LATE_MS && !this.#isLate;
    this.#beatAt = now();
    this.#cancel = timers.after(BEAT_MS, () => this.#beat());
    if (this.unheardMs < ECHO_MS) this.#beats += 1;
    onBeat();
    if (this.#isClosed) return;
    this.#publish({});
    this.#expire();
    this.#hadOthers = this.#known.size > 0;
  }

  #publish(last: Pick<Heartbeat, "isLast">): void {
    const { bus, self, describe, now } = this.#deps;
    const own = { node: self.id, life: self.life, ...describe(), sentAt: now(), ...last };
    bus.publish(HEARTBEAT_SUBJECT, encodeHeartbeat(own));
  }

  #take(bytes: Uint8Array): void {
    const beat = decodeHeartbeat(bytes);
    if (beat === undefined || this.#isClosed) return;
    const { sentAt, isLast, ...member } = beat;
    if (member.life === this.#deps.self.life) {
      this.#echoSentAt = Math.max(this.#echoSentAt, sentAt);
      return;
    }
    const isNew = !this.#known.has(member.life);
    if (isLast === true) this.#known.delete(member.life);
    else this.#known.set(member.life, { member, heardAt: this.#beats });
    if (isNew !== (isLast === true)) this.#deps.onChange();
  }

  #expire(): void {
    for (const [life, { heardAt }] of this.#known) {
      if (this.#beats - heardAt < SILENT_BEATS) continue;
      this.#known.delete(life);
      this.#deps.onChange();
    }
  }
}
