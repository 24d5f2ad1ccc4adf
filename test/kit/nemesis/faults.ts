/** What goes wrong, and how often: drawn anew for each schedule, so that every mixture comes up. */
import type { Schedule } from "./schedule.ts";

export interface Faults {
  /** Of a request to the servers, and of its answer. */
  readonly loss: number;
  /** Of a request that arrives twice. */
  readonly doubling: number;
  /** Of a request that takes up to seconds. */
  readonly lateness: number;
  /** Of a read that nobody can answer. */
  readonly silence: number;
  readonly watchStall: number;
  readonly watchSkip: number;
  readonly watchRepeat: number;
  readonly watchDamage: number;
  readonly watchEnd: number;
  readonly busLoss: number;
  readonly busDoubling: number;
  readonly busLateness: number;
}

export const NO_FAULTS: Faults = {
  loss: 0,
  doubling: 0,
  lateness: 0,
  silence: 0,
  watchStall: 0,
  watchSkip: 0,
  watchRepeat: 0,
  watchDamage: 0,
  watchEnd: 0,
  busLoss: 0,
  busDoubling: 0,
  busLateness: 0,
};

/** Whether it goes wrong this time. */
export function strikes(schedule: Schedule, faults: Faults, kind: keyof Faults): boolean {
  const isStruck = schedule.happens(faults[kind]);
  if (isStruck) schedule.count(kind);
  return isStruck;
}

export function drawFaults(schedule: Schedule): Faults {
  const draw = (most: number): number =>
    schedule.happens(0.4) ? 0 : schedule.random() * schedule.random() * most;
  return {
    loss: draw(0.4),
    doubling: draw(0.3),
    lateness: draw(0.3),
    silence: draw(0.4),
    watchStall: draw(0.1),
    watchSkip: draw(0.2),
    watchRepeat: draw(0.2),
    watchDamage: draw(0.15),
    watchEnd: draw(0.05),
    busLoss: draw(0.5),
    busDoubling: draw(0.4),
    busLateness: draw(0.5),
  };
}
