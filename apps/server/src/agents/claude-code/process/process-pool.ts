/**
 * One Claude process per conversation, started when it is needed, ended when it is idle for
 * long or when there are too many. A conversation holds its slot for the length of a turn, so turns wait in line.
 */
import type { Timers } from "../../../platform/timers.ts";
import type { TurnHost } from "../../turn/agent-runtime.ts";
import { untilAborted } from "../../turn/until-aborted.ts";
import type { ClaudeProcess } from "../protocol/claude-process.ts";

export interface Slot {
  readonly claudeSession: string;
  running: Running | undefined;
  /** One that will be there soon. */
  starting: Promise<Running> | undefined;
  /** Whether Claude Code knows the session; undefined: not tried yet. */
  isKnown: boolean | undefined;
  /** Failures in a row, and when the last was. */
  crashes: number;
  crashedAt: number;
}

export interface Running {
  readonly process: ClaudeProcess;
  /** Two processes with the same are alike. */
  readonly signature: string;
  /** What it was given that nobody may read. */
  readonly secrets: readonly string[];
  /** The tools of this host are the ones it calls, until disposed. */
  attach(host: TurnHost): Attached;
  stop(): Promise<void>;
}

export interface Attached extends Disposable {
  /** Our own name of a tool, from the one Claude Code has for it. */
  readonly nameOf: (seen: string) => string;
}

export interface PoolLimits {
  readonly idleStopMs: number;
  readonly maxProcesses: number;
}

/** Timers that do not keep the server alive, and the time. */
export interface PoolDeps extends Timers {
  readonly now: () => number;
}

export interface SlotLease {
  readonly slot: Slot;
  readonly release: () => void;
}

interface Seat {
  readonly slot: Slot;
  /** Resolves when the one before has left. */
  line: Promise<void>;
  holders: number;
  lastUsed: number;
  cancelIdle: () => void;
}

export class ProcessPool {
  readonly #limits: PoolLimits;
  readonly #deps: PoolDeps;
  readonly #seats = new Map<string, Seat>();
  readonly #waiting = new Set<() => void>();
  /** What is being started or ended by itself, and must be over when the pool is closed. */
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;
  #starting = 0;
  #stopping = 0;

  constructor(limits: PoolLimits, deps: PoolDeps) {
    this.#limits = limits;
    this.#deps = deps;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Waits until the conversation's turn before has ended. Rejects when the signal is aborted meanwhile. */
  async hold(claudeSession: string, signal: AbortSignal): Promise<SlotLease> {
    const seat = this.#seatFor(claudeSession);
    seat.holders += 1;
    seat.cancelIdle();
    const before = seat.line;
    const left = Promise.withResolvers<void>();
    seat.line = before.then(() => left.promise);
    const release = (): void => {
      left.resolve();
      this.#leave(seat);
    };
    try {
      await untilAborted(signal, before);
      return { slot: seat.slot, release };
    } catch (cause) {
      release();
      throw cause;
    }
  }

  /** Starts a process for the slot when there is room for one more; waits while all are at work. */
  async start(slot: Slot, open: () => Promise<Running>, signal: AbortSignal): Promise<Running> {
    if (slot.starting === undefined) {
      await this.#reservePlace(signal);
      slot.starting = this.#begin(slot, open);
      this.#track(slot.starting);
    }
    // It goes on starting when this turn is stopped; the next one will find it.
    return untilAborted(signal, slot.starting);
  }

  /** Ends the conversation's process, if it has one; its slot stays, and knows what it knew. */
  async vacate(claudeSession: string, signal: AbortSignal): Promise<void> {
    const { slot, release } = await this.hold(claudeSession, signal);
    try {
      await slot.starting?.catch(doNothing);
      await this.#empty(slot);
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const seat of this.#seats.values()) seat.cancelIdle();
    await Promise.allSettled(this.#underWay);
    await Promise.all([...this.#seats.values()].map(({ slot }) => this.#empty(slot)));
  }

  #seatFor(claudeSession: string): Seat {
    const known = this.#seats.get(claudeSession);
    if (known !== undefined) return known;
    const slot: Slot = {
      claudeSession,
      running: undefined,
      starting: undefined,
      isKnown: undefined,
      crashes: 0,
      crashedAt: 0,
    };
    const line = Promise.resolve();
    const seat = { slot, line, holders: 0, lastUsed: 0, cancelIdle: doNothing };
    this.#seats.set(claudeSession, seat);
    return seat;
  }

  #leave(seat: Seat): void {
    seat.holders -= 1;
    seat.lastUsed = this.#deps.now();
    if (seat.holders === 0 && !this.#isClosed) {
      seat.cancelIdle = this.#deps.after(this.#limits.idleStopMs, () => {
        if (seat.holders > 0) return;
        this.#seats.delete(seat.slot.claudeSession);
        this.#track(this.#empty(seat.slot));
      });
    }
    this.#wakeWaiting();
  }

  #wakeWaiting(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Counts the process as one that is being started, so that nobody else takes its place. */
  async #reservePlace(signal: AbortSignal): Promise<void> {
    for (;;) {
      const seats = [...this.#seats.values()];
      const running = seats.filter(({ slot }) => slot.running !== undefined);
      const count = running.length + this.#starting + this.#stopping;
      if (count < this.#limits.maxProcesses) {
        this.#starting += 1;
        return;
      }
      const [oldest] = running
        .filter(({ holders }) => holders === 0)
        .toSorted((a, b) => a.lastUsed - b.lastUsed);
      if (oldest !== undefined) await this.#empty(oldest.slot);
      else await untilAborted(signal, new Promise<void>((wake) => this.#waiting.add(wake)));
    }
  }

  async #begin(slot: Slot, open: () => Promise<Running>): Promise<Running> {
    try {
      const running = await open();
      slot.running = running;
      // Closed while it was being started.
      if (this.#isClosed) await running.stop();
      return running;
    } finally {
      this.#starting -= 1;
      slot.starting = undefined;
    }
  }

  async #empty(slot: Slot): Promise<void> {
    const { running } = slot;
    if (running === undefined) return;
    slot.running = undefined;
    this.#stopping += 1;
    try {
      await running.stop();
    } finally {
      this.#stopping -= 1;
      this.#wakeWaiting();
    }
  }

  #track(work: Promise<unknown>): void {
    const settled = work.then(doNothing, doNothing).finally(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
  }
}

function doNothing(): void {
  // Nothing to be done.
}
