/**
 * The office as it was: projects and office folded up to any entry or any time, as the live ones are.
 *
 *   checkpoint <= seq -> load -> fold the rest of the log up to seq -> look, at that entry's time -> who walks, and soon will
 *
 * Folding leaves checkpoints behind, so that going back and forth reads a short piece of the log only. Walks are functions
 * of time, so whoever has them can show every instant until the next entry, and with those of a while ahead, that while.
 */
import {
  createActivities,
  createApprovals,
  createBuilds,
  createJoinedSessions,
  createOfficeView,
  createProjects,
  createQuestions,
  createVisitors,
  isUnderWay,
  type Floor,
  type OfficeView,
  type Projection,
} from "@atrium/core";
import type { LogReader } from "../translate/log-reader.ts";
import { walkOnWire, type WalkOnWire } from "../translate/translate-office.ts";
import { snapshotAt, type SnapshotBody, type SnapshotSources } from "./snapshot.ts";

export interface PastSnapshotsDeps {
  readonly log: LogReader;
  readonly floor: Floor;
  readonly scenery: SnapshotSources;
}

export interface PastQuery {
  /** A seq beyond the log's end is its end. */
  readonly seq: number;
  /** Nothing that is later counts, and the look is of this time. Left out: the time of the entry. */
  readonly time?: number | undefined;
  /** How far ahead walks are told. */
  readonly aheadMs?: number | undefined;
}

export interface PastSnapshot {
  /** Of the last entry that counts. */
  readonly seq: number;
  readonly at: number;
  readonly look: SnapshotBody;
  /** Those under way, and those that begin within the time ahead, in the order they begin. */
  readonly walks: readonly WalkOnWire[];
}

/** What is under way now was not then. */
const NOTHING_LIVE = {
  usageOf: () => undefined,
  liveSession: () => undefined,
  terminalOf: () => undefined,
};

interface Checkpoint {
  readonly seq: number;
  readonly at: number;
  readonly saved: readonly unknown[];
}

const CHECKPOINT_EVERY = 1_000;
const MAX_CHECKPOINTS = 200;

export interface PastSnapshots {
  goTo(when: PastQuery): Promise<PastSnapshot>;
  /** Some of the past was erased: what was kept of it goes. */
  forget(): void;
}

export function createPastSnapshots({ log, floor, scenery }: PastSnapshotsDeps): PastSnapshots {
  let checkpoints: readonly Checkpoint[] = [];
  /** How often something was erased: whoever began to read before keeps nothing. */
  let erasures = 0;

  function keep(checkpoint: Checkpoint, erasuresThen: number): void {
    if (erasures !== erasuresThen) return;
    const others = checkpoints.filter(({ seq }) => seq !== checkpoint.seq);
    const all = [...others, checkpoint].toSorted((a, b) => a.seq - b.seq);
    // Every other one is enough once there are many: the rest is read.
    checkpoints = all.length <= MAX_CHECKPOINTS ? all : all.filter((_, at) => at % 2 === 0);
  }

  return {
    forget() {
      checkpoints = [];
      erasures += 1;
    },
    async goTo({ seq: wanted, time = Infinity, aheadMs = 0 }) {
      const target = Math.min(wanted, log.head);
      const from = checkpoints.findLast((each) => each.seq <= target && each.at <= time);
      const then = {
        projects: createProjects(),
        view: createOfficeView(floor),
        activities: createActivities(),
        visitors: createVisitors(),
        joinedSessions: createJoinedSessions(),
        approvals: createApprovals(),
        questions: createQuestions(),
        builds: createBuilds(),
      };
      const folds: readonly Projection[] = Object.values(then);
      for (const [index, saved] of from?.saved.entries() ?? []) folds[index]?.load(saved);
      let { seq, at } = from ?? { seq: 0, at: 0 };
      let folded = 0;
      const began = erasures;
      const mark = (): void => keep({ seq, at, saved: folds.map((fold) => fold.save()) }, began);
      for await (const entry of log.read({ after: seq, before: target + 1 })) {
        if (entry.at > time) break;
        for (const fold of folds) fold.apply(entry);
        ({ seq, at } = entry);
        folded += 1;
        if (folded % CHECKPOINT_EVERY === 0) mark();
      }
      if (folded > CHECKPOINT_EVERY / 4) mark();
      const shownAt = Number.isFinite(time) ? time : at;
      const look = snapshotAt({ ...scenery, ...then, ...NOTHING_LIVE }, shownAt);
      const walks = await walksFrom(log, then.view, { seq, at: shownAt, aheadMs });
      return { seq, at: shownAt, look, walks };
    },
  };
}

/** However far ahead one asks to see, no more than this is read for it. */
const MAX_ENTRIES_AHEAD = 2_000;

/** Takes the view on past that moment. */
async function walksFrom(
  log: LogReader,
  view: OfficeView,
  { seq, at, aheadMs }: Readonly<Record<"seq" | "at" | "aheadMs", number>>,
): Promise<readonly WalkOnWire[]> {
  const walks = view
    .agents()
    .filter(({ walk }) => isUnderWay(walk, at))
    .map(walkOnWire);
  if (aheadMs === 0) return walks;
  let known = new Set(view.agents().map(({ walk }) => walk));
  for await (const entry of log.read({ after: seq, limit: MAX_ENTRIES_AHEAD })) {
    if (entry.at > at + aheadMs) break;
    view.apply(entry);
    const agents = view.agents();
    walks.push(...agents.filter(({ walk }) => !known.has(walk)).map(walkOnWire));
    known = new Set(agents.map(({ walk }) => walk));
  }
  return walks;
}
