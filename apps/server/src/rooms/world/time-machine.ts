/**
 * The office as it was: projects and office folded up to any entry, as the live ones are.
 *
 *   checkpoint <= seq -> load -> fold the rest of the log up to seq -> look, at that entry's time
 *
 * Folding leaves checkpoints behind, so that going back and forth reads a short piece of the log only.
 */
import {
  createActivities,
  createApprovals,
  createBuilds,
  createOfficeView,
  createProjects,
  createQuestions,
  createVisitors,
  type Floor,
} from "@atrium/core";
import type { PastReader } from "./past-reader.ts";
import { lookAt, type Look, type Scenery } from "./snapshot.ts";

export interface TimeMachineDeps {
  readonly log: PastReader;
  readonly floor: Floor;
  readonly scenery: Scenery;
}

export interface Then {
  readonly seq: number;
  /** The time of that entry. */
  readonly at: number;
  readonly look: Look;
}

interface Checkpoint {
  readonly seq: number;
  readonly at: number;
  /** By fold. */
  readonly saved: readonly unknown[];
}

const CHECKPOINT_EVERY = 1_000;
const MOST_CHECKPOINTS = 200;

export interface TimeMachine {
  /** A seq beyond the log's end is its end. */
  goTo(seq: number): Promise<Then>;
}

export function createTimeMachine({ log, floor, scenery }: TimeMachineDeps): TimeMachine {
  /** In order of seq. */
  let checkpoints: readonly Checkpoint[] = [];

  function keep(checkpoint: Checkpoint): void {
    const others = checkpoints.filter(({ seq }) => seq !== checkpoint.seq);
    const all = [...others, checkpoint].toSorted((a, b) => a.seq - b.seq);
    // Every other one is enough once there are many: the rest is read.
    checkpoints = all.length <= MOST_CHECKPOINTS ? all : all.filter((_, at) => at % 2 === 0);
  }

  return {
    async goTo(wanted) {
      const target = Math.min(wanted, log.head);
      const from = checkpoints.findLast(({ seq }) => seq <= target);
      const then = {
        projects: createProjects(),
        view: createOfficeView(floor),
        activities: createActivities(),
        visitors: createVisitors(),
        approvals: createApprovals(),
        questions: createQuestions(),
        builds: createBuilds(),
      };
      const folds = Object.values(then);
      for (const [index, saved] of from?.saved.entries() ?? []) folds[index]?.load(saved);
      let { seq, at } = from ?? { seq: 0, at: 0 };
      let folded = 0;
      const mark = (): void => keep({ seq, at, saved: folds.map((fold) => fold.save()) });
      for await (const entry of log.read({ after: seq, before: target + 1 })) {
        for (const fold of folds) fold.apply(entry);
        ({ seq, at } = entry);
        folded += 1;
        if (folded % CHECKPOINT_EVERY === 0) mark();
      }
      if (folded > CHECKPOINT_EVERY / 4) mark();
      // What is under way now was not then.
      const look = lookAt({ ...scenery, ...then, usageOf: () => undefined }, at);
      return { seq, at, look };
    },
  };
}
