/**
 * Going back: the office at an earlier moment, standing still or playing on from there. Reaching the present by playing is
 * being live again. What happens is not run again; it is read from the log.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { indexAt, type Moment } from "./moments.ts";
import type { Then } from "./world-http.ts";

export const SPEEDS = [1, 5, 20, 60] as const;
export type Speed = (typeof SPEEDS)[number];

export interface Past {
  readonly look: Then;
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
  readonly readAt: (seq: number) => Promise<Then | null>;
  readonly moments: () => readonly Moment[];
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
}

const STEP_MS = 300;

/** What the clock of the past shows. */
export function timeIn({ look, playing }: Past, now: number): number {
  return playing === null ? look.at : look.at + (now - playing.sinceMs) * playing.speed;
}

export function createTimeTravel(deps: TimeTravelDeps): TimeTravel {
  const { readAt, moments, now, later } = deps;
  const store = createStore<{ readonly past: Past | null }>(() => ({ past: null }));
  /** Only the last place asked for is gone to. */
  let wanted = 0;
  let isStepping = false;

  const goTo = async (seq: number): Promise<void> => {
    wanted += 1;
    const mine = wanted;
    const look = await readAt(seq);
    if (look !== null && mine === wanted) store.setState({ past: { look, playing: null } });
  };

  const step = async (): Promise<void> => {
    isStepping = false;
    const { past } = store.getState();
    if (past === null || past.playing === null) return;
    const time = timeIn(past, now());
    const known = moments();
    const next = known[indexAt(known, time)];
    if (time >= now() || next === undefined || next === known.at(-1)) return returnToLive();
    if (next.seq > past.look.seq) {
      const mine = wanted;
      const look = await readAt(next.seq);
      const { past: still } = store.getState();
      if (look !== null && mine === wanted && still !== null && still.playing !== null) {
        const { speed } = still.playing;
        // The clock goes on from where it was, not from the entry that was just reached.
        const sinceMs = now() - (timeIn(still, now()) - look.at) / speed;
        store.setState({ past: { look, playing: { speed, sinceMs } } });
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
    wanted += 1;
    store.setState({ past: null });
  };

  return {
    store,
    goTo,
    play(speed) {
      const { past } = store.getState();
      if (past === null) return;
      store.setState({ past: { look: past.look, playing: { speed, sinceMs: now() } } });
      schedule();
    },
    pause() {
      const { past } = store.getState();
      if (past !== null) store.setState({ past: { ...past, playing: null } });
    },
    returnToLive,
  };
}
