/**
 * What the agents are doing, now and at any earlier place in the log.
 *
 * Whoever tells of the past needs what was true then. A copy is kept every so many entries, the older ones
 * further apart; from the nearest one the rest is folded again.
 */
import type { Projection } from "../engine/projection.ts";
import {
  nobodyActive,
  stepActivity,
  type Activity,
  type AgentState,
  type RunUnderWay,
} from "../signal/activity.ts";

export interface ActivityAt {
  readonly seq: number;
  readonly activity: Activity;
}

export interface Activities extends Projection<Saved> {
  readonly now: Activity;
  /** As it was at that entry or a little earlier. */
  near(seq: number): ActivityAt;
}

/** An activity as plain JSON. */
interface SavedActivity {
  readonly runs: readonly (readonly [runId: string, run: RunUnderWay])[];
  readonly rest: readonly (readonly [handle: string, state: AgentState])[];
}

interface Saved {
  readonly now: SavedActivity;
  readonly copies: readonly { readonly seq: number; readonly activity: SavedActivity }[];
  readonly uncopied: number;
}

const COPY_EVERY = 1_000;
const MAX_COPIES = 512;
const BEGINNING: ActivityAt = { seq: 0, activity: nobodyActive };

export function createActivities(): Activities {
  let now = nobodyActive;
  let copies: ActivityAt[] = [];
  let uncopied = 0;

  function copy(seq: number): void {
    uncopied = 0;
    copies.push({ seq, activity: now });
    if (copies.length <= MAX_COPIES) return;
    const recent = copies.length / 2;
    copies = copies.filter((_, index) => index >= recent || index % 2 === 0);
  }

  return {
    name: "activities",
    version: 2,
    get now() {
      return now;
    },
    near: (seq) => copies.findLast((each) => each.seq <= seq) ?? BEGINNING,
    apply(entry) {
      now = stepActivity(now, entry).activity;
      if (++uncopied >= COPY_EVERY) copy(entry.seq);
    },
    save: (): Saved => ({
      now: toSaved(now),
      copies: copies.map(({ seq, activity }) => ({ seq, activity: toSaved(activity) })),
      uncopied,
    }),
    load(kept) {
      now = fromSaved(kept.now);
      copies = kept.copies.map(({ seq, activity }) => ({ seq, activity: fromSaved(activity) }));
      ({ uncopied } = kept);
    },
  };
}

function toSaved({ runs, rest }: Activity): SavedActivity {
  return { runs: [...runs], rest: [...rest] };
}

function fromSaved({ runs, rest }: SavedActivity): Activity {
  return { runs: new Map(runs), rest: new Map(rest) };
}
