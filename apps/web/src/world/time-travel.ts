/**
 * Going back: the office at an earlier instant, standing still or playing on from there. Reaching the present by playing is
 * being live again. What happens is not run again; it is read from the log, with the walks of a while ahead, so that people
 * are seen on their way at every instant and at every speed.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { arrivalOf } from "../office/people/walk.ts";
import { indexAt, type Moment } from "./moments.ts";
import type { PastOffice, PastQuery } from "./world-http.ts";

export const SPEEDS = [1, 5, 20, 60] as const;
export type Speed = (typeof SPEEDS)[number];

export interface Past {
  /** What is known: how it was at some instant, and who walks from then on for a while. */
  readonly look: PastOffice;
  /** The instant it stands at, or from which it plays. */
  readonly at: number;
  /** Null: it stands still. */
  readonly playing: { readonly speed: Speed; readonly sinceMs: number } | null;
}

export interface TimeTravel {
  /** Null: live. */
  readonly store: StoreApi<{ readonly past: Past | null }>;
  goTo(seq: number): Promise<void>;
  play(speed: Speed): void;
  pause(): void;
  returnToLive(): void;
}

export interface TimeTravelDeps {
  readonly readAt: (when: PastQuery) => Promise<PastOffice | null>;
  readonly moments: () => readonly Moment[];
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
}

const STEP_MS = 300;
/** How much of the office's time is known ahead at least: more than passes at the highest speed until the next look. */
const MIN_AHEAD_MS = 20_000;
const STEPS_AHEAD = 4;

/** What the clock of the past shows. */
export function timeIn({ at, playing }: Past, now: number): number {
  return playing === null ? at : at + (now - playing.sinceMs) * playing.speed;
}

/** Whether something has happened by the moment that is shown; of what shares its millisecond, what was written by then. */
export function hasHappened(
  past: Past | null,
  { seq, at }: { readonly seq: number; readonly at: number },
  now: number,
): boolean {
  if (past === null || seq <= past.look.seq) return true;
  const time = timeIn(past, now);
  return time > past.look.at && at <= time;
}

/** The last of the moments that has happened by then, as its place in the list; -1: none has. */
export function shownIndex(moments: readonly Moment[], past: Past | null, now: number): number {
  return moments.findLastIndex((moment) => hasHappened(past, moment, now));
}

export function createTimeTravel(deps: TimeTravelDeps): TimeTravel {
  const { readAt, moments, now, later } = deps;
  const store = createStore<{ readonly past: Past | null }>(() => ({ past: null }));
  /** While one drags, the newest place asked for; those between are gone to as fast as they can be read. */
  let wanted: number | undefined;
  let isReading = false;
  let isStepping = false;

  const goTo = async (seq: number): Promise<void> => {
    wanted = seq;
    if (isReading) return;
    isReading = true;
    for (let target: number | undefined = seq; target !== undefined;) {
      const look = await readAt({ seq: target, ahead: MIN_AHEAD_MS });
      // Whoever has returned meanwhile is not taken back again.
      if (look !== null && wanted !== undefined) {
        store.setState({ past: { look, at: look.at, playing: null } });
      }
      target = wanted === target ? undefined : wanted;
    }
    isReading = false;
  };

  const step = async (): Promise<void> => {
    isStepping = false;
    const { past } = store.getState();
    if (past === null || past.playing === null) return;
    const time = timeIn(past, now());
    const known = moments();
    const next = known[indexAt(known, time)];
    if (time >= now() || next === undefined || next === known.at(-1)) return returnToLive();
    if (isOutdated(past.look, { next, time, speed: past.playing.speed })) {
      const look = await readAt({ time: Math.round(time), ahead: aheadAt(past.playing.speed) });
      const { past: still } = store.getState();
      if (look !== null && still !== null && still.look === past.look) {
        store.setState({ past: { ...still, look } });
      }
    }
    schedule();
  };
  const schedule = (): void => {
    if (isStepping) return;
    isStepping = true;
    later(() => void step(), STEP_MS);
  };
  const returnToLive = (): void => {
    wanted = undefined;
    store.setState({ past: null });
  };

  return {
    store,
    goTo,
    play(speed) {
      const { past } = store.getState();
      if (past === null) return;
      const playing = { speed, sinceMs: now() };
      store.setState({ past: { ...past, at: timeIn(past, now()), playing } });
      schedule();
    },
    pause() {
      const { past } = store.getState();
      if (past === null) return;
      store.setState({ past: { ...past, at: timeIn(past, now()), playing: null } });
    },
    returnToLive,
  };
}

function aheadAt(speed: Speed): number {
  return Math.max(MIN_AHEAD_MS, speed * STEP_MS * STEPS_AHEAD);
}

interface PlaybackPosition {
  readonly next: Moment;
  readonly time: number;
  readonly speed: Speed;
}

/** Something has happened since, someone has got to where they went, or what is known ahead is nearly used up. */
function isOutdated(look: PastOffice, { next, time, speed }: PlaybackPosition): boolean {
  if (next.seq > look.seq) return true;
  if (time + speed * STEP_MS * 2 > look.at + aheadAt(speed)) return true;
  return look.walks.some((walk) => {
    const arrival = arrivalOf(walk);
    return arrival > look.at && arrival <= time;
  });
}
