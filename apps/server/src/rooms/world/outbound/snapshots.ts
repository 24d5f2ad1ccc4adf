/**
 * When snapshots are sent: while anything moves, so many times a second; when something changed, once,
 * with whatever else changes at the same time; when nothing did, never. Each is made once for everyone.
 */
import type { Clock } from "@atrium/core";
import type { Timers } from "../../../platform/timers.ts";
import { envelope } from "../messages/message.ts";
import { epochTag, snapshotId } from "../messages/snapshot-id.ts";
import type { SnapshotBody } from "../snapshots/snapshot.ts";

export interface SnapshotDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  /** How many a second, at most. */
  readonly hz: () => number;
  readonly epoch: string;
  readonly seq: () => number;
  readonly look: (time: number) => SnapshotBody;
  readonly isAnythingMoving: (time: number) => boolean;
  readonly hasListeners: () => boolean;
  readonly publish: (text: string) => void;
}

interface Made {
  readonly seq: number;
  readonly at: number;
  /** Without where it stands in the log, which changes when nothing is seen of it. */
  readonly look: string;
  readonly payload: string;
  readonly text: string;
}

/** What changes at the same moment is shown together. */
const TOGETHER_MS = 20;
const MS_PER_SECOND = 1_000;

export class SnapshotPublisher {
  readonly #deps: SnapshotDeps;
  readonly #tag: string;
  #latest: Made | undefined;
  #sentAt = 0;
  #sentLook = "";
  #cancel: (() => void) | undefined;

  constructor(deps: SnapshotDeps) {
    this.#deps = deps;
    this.#tag = epochTag(deps.epoch);
  }

  /**
   * How things stand, as a message. In a quiet office that is what was made long ago, under a new date: whoever
   * comes in tells the time by it.
   */
  present(): string {
    const { clock, seq, isAnythingMoving } = this.#deps;
    const time = clock.now();
    const latest = this.#latest;
    const isFresh =
      latest !== undefined &&
      latest.seq === seq() &&
      (time - latest.at < TOGETHER_MS || !isAnythingMoving(latest.at));
    this.#watch(time);
    if (!isFresh) return this.#make(time).text;
    return time - latest.at < TOGETHER_MS ? latest.text : this.#dated(latest, time);
  }

  changed(): void {
    this.#latest = undefined;
    if (this.#cancel !== undefined || !this.#deps.hasListeners()) return;
    const since = this.#deps.clock.now() - this.#sentAt;
    this.#wait(Math.max(TOGETHER_MS, this.#intervalMs - since));
  }

  close(): void {
    this.#cancel?.();
  }

  get #intervalMs(): number {
    return MS_PER_SECOND / this.#deps.hz();
  }

  #make(time: number): Made {
    const seq = this.#deps.seq();
    const look = JSON.stringify(this.#deps.look(time));
    const payload = `{"seq":${seq},"epoch":${JSON.stringify(this.#deps.epoch)},${look.slice(1)}`;
    this.#latest = { seq, at: time, look, payload, text: this.#dated({ seq, payload }, time) };
    return this.#latest;
  }

  #dated({ seq, payload }: Pick<Made, "seq" | "payload">, time: number): string {
    const id = snapshotId({ tag: this.#tag, seq }, time);
    return envelope("snapshot", { id, ts: time }, payload);
  }

  /** Whoever has just been told how things stand wants to see what moves. */
  #watch(time: number): void {
    if (this.#cancel === undefined && this.#deps.isAnythingMoving(time)) {
      this.#wait(this.#intervalMs);
    }
  }

  #wait(ms: number): void {
    this.#cancel = this.#deps.timers.after(ms, () => this.#tick());
  }

  #tick(): void {
    this.#cancel = undefined;
    const { clock, isAnythingMoving, hasListeners, publish } = this.#deps;
    if (!hasListeners()) return;
    const time = clock.now();
    const { look, text } = this.#make(time);
    if (look !== this.#sentLook) {
      this.#sentLook = look;
      this.#sentAt = time;
      publish(text);
    }
    if (isAnythingMoving(time)) this.#wait(this.#intervalMs);
  }
}
