/**
 * What the agents are doing, now and at any earlier place in the log.
 *
 * Whoever tells of the past needs what was true then. A copy is kept every so many entries, the older ones
 * further apart; from the nearest one the rest is folded again.
 */
import { nobodyActive, stepActivity, type Activity } from "../signal/activity.ts";
import type { Projection } from "./projection.ts";

export interface ActivityAt {
  readonly seq: number;
  readonly activity: Activity;
}

export interface Activities extends Projection {
  readonly now: Activity;
  /** As it was at that entry or a little earlier. */
  near(seq: number): ActivityAt;
}

const COPY_EVERY = 1_000;
const MOST_COPIES = 512;
const BEGINNING: ActivityAt = { seq: 0, activity: nobodyActive };

export function createActivities(): Activities {
  let now = nobodyActive;
  let copies: ActivityAt[] = [];
  let uncopied = 0;

  function copy(seq: number): void {
    uncopied = 0;
    copies.push({ seq, activity: now });
    if (copies.length <= MOST_COPIES) return;
    const recent = copies.length / 2;
    copies = copies.filter((_, index) => index >= recent || index % 2 === 0);
  }

  return {
    name: "activities",
    version: 1,
    get now() {
      return now;
    },
    near: (seq) => copies.findLast((each) => each.seq <= seq) ?? BEGINNING,
    apply(entry) {
      now = stepActivity(now, entry).activity;
      if (++uncopied >= COPY_EVERY) copy(entry.seq);
    },
    save: () => ({ now, copies, uncopied }),
    load(saved) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what save() wrote, under the same version
      const kept = saved as { now: Activity; copies: ActivityAt[]; uncopied: number };
      ({ now, copies, uncopied } = kept);
    },
  };
}
