/**
 * The process manager: one Claude process per conversation, started when it is needed, ended when it is idle for
 * long or when there are too many. A conversation holds its slot for the length of a turn, so turns wait in line.
 */
import type { TurnHost } from "../agent-runtime.ts";
import { untilAborted } from "../until-aborted.ts";
import type { ClaudeProcess } from "./claude-process.ts";

export interface Slot {
  readonly claudeSession: string;
  /** Undefined: there is none. */
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
  /** The tools of this host are the ones it calls, until disposed. */
  attach(host: TurnHost): Attached;
  /** Ends the process, then what was opened for it. */
  stop(): Promise<void>;
}

export interface Attached extends Disposable {
  /** Our own name of a tool, from the one Claude Code has for it. */
  nameOf(seen: string): string;
}

export interface PoolLimits {
  readonly idleStopMs: number;
  readonly maxProcesses: number;
}

export interface PoolDeps {
  /** Runs it later, unless cancelled; does not keep the server alive. */
  after(ms: number, run: () => void): () => void;
  now(): number;
}

interface Seat {
  readonly slot: Slot;
  /** Resolves when the one before has left. */
  line: Promise<void>;
  holders: number;
  lastUsed: number;
  cancelIdle: () => void;
}

export interface ProcessPool {
  readonly isClosed: boolean;
  /** Waits until the conversation's turn before has ended. Rejects when the signal is aborted meanwhile. */
  hold(claudeSession: string, signal: AbortSignal): Promise<{ slot: Slot; release(): void }>;
  /** Starts a process for the slot when there is room for one more; waits while all are at work. */
  start(slot: Slot, open: () => Promise<Running>, signal: AbortSignal): Promise<Running>;
  close(): Promise<void>;
}

export function createProcessPool(limits: PoolLimits, deps: PoolDeps): ProcessPool {
  const seats = new Map<string, Seat>();
  const waiting = new Set<() => void>();
  const endings = new Set<Promise<void>>();
  let isClosed = false;
  let starting = 0;

  const seatFor = (claudeSession: string): Seat => {
    const known = seats.get(claudeSession);
    if (known !== undefined) return known;
    const slot: Slot = {
      claudeSession,
      running: undefined,
      starting: undefined,
      isKnown: undefined,
      crashes: 0,
      crashedAt: 0,
    };
    const idle = (): void => undefined;
    const seat = { slot, line: Promise.resolve(), holders: 0, lastUsed: 0, cancelIdle: idle };
    seats.set(claudeSession, seat);
    return seat;
  };

  const empty = async (seat: Seat): Promise<void> => {
    const { running } = seat.slot;
    seat.slot.running = undefined;
    await running?.stop();
  };

  /** What is being ended by itself must have ended when the pool is closed. */
  const track = async (ending: Promise<void>): Promise<void> => {
    endings.add(ending);
    await ending.finally(() => endings.delete(ending));
  };

  const leave = (seat: Seat): void => {
    seat.holders -= 1;
    seat.lastUsed = deps.now();
    if (seat.holders === 0 && !isClosed) {
      seat.cancelIdle = deps.after(limits.idleStopMs, () => {
        if (seat.holders > 0) return;
        seats.delete(seat.slot.claudeSession);
        void track(empty(seat));
      });
    }
    for (const wake of waiting) wake();
    waiting.clear();
  };

  const makeRoom = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      const running = [...seats.values()].filter(({ slot }) => slot.running !== undefined);
      if (running.length + starting < limits.maxProcesses) return;
      const [oldest] = running
        .filter(({ holders }) => holders === 0)
        .toSorted((a, b) => a.lastUsed - b.lastUsed);
      if (oldest !== undefined) await empty(oldest);
      else await untilAborted(signal, new Promise<void>((resolve) => waiting.add(resolve)));
    }
  };

  const begin = async (slot: Slot, open: () => Promise<Running>): Promise<Running> => {
    starting += 1;
    const opening = open();
    void track(
      opening.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      const running = await opening;
      slot.running = running;
      // Closed while it was being started.
      if (isClosed) await running.stop();
      return running;
    } finally {
      starting -= 1;
      slot.starting = undefined;
    }
  };

  return {
    get isClosed() {
      return isClosed;
    },

    async hold(claudeSession, signal) {
      const seat = seatFor(claudeSession);
      seat.holders += 1;
      seat.cancelIdle();
      const before = seat.line;
      const left = Promise.withResolvers<void>();
      seat.line = before.then(() => left.promise);
      const release = (): void => {
        left.resolve();
        leave(seat);
      };
      try {
        await untilAborted(signal, before);
        return { slot: seat.slot, release };
      } catch (cause) {
        release();
        throw cause;
      }
    },

    async start(slot, open, signal) {
      if (slot.starting === undefined) {
        await makeRoom(signal);
        slot.starting = begin(slot, open);
      }
      // It goes on starting when this turn is stopped; the next one will find it.
      return untilAborted(signal, slot.starting);
    },

    async close() {
      isClosed = true;
      for (const seat of seats.values()) seat.cancelIdle();
      await Promise.all(endings);
      await Promise.all([...seats.values()].map(empty));
    },
  };
}
