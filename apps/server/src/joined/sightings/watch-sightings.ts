/**
 * Shows sessions that have not joined, as the files of their programs tell, of those programs that people have chosen.
 *
 *   finders -> what is seen now -> sight (who it is, what it does) or lose sight (not seen any more) -> the log
 *
 * It only reads. A session that reports by itself is left to its reports; what it says and is told stays in its files.
 */
import { joinedSession, type JoinedSessions } from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";
import type { FindRunning } from "./running-programs.ts";
import type { SeenSession, SessionFinder } from "./seen-session.ts";
import { createTakeSighting, type TakeSightingDeps } from "./take-sighting.ts";

export interface SightingDeps extends TakeSightingDeps {
  /** By the name of the program. */
  readonly finders: ReadonlyMap<string, SessionFinder>;
  readonly findRunning: FindRunning;
  /** Those that this node looks after. */
  readonly own: Pick<JoinedSessions, "list">;
  /** Whether people want to see the sessions of the program. */
  readonly isWatched: (program: string) => boolean;
  readonly timers: Timers;
  readonly onFault: (cause: unknown) => void;
}

export interface Sightings extends Disposable {
  /** Looks now, once, and not beside another look. */
  look(): Promise<void>;
}

/** What is seen at one look. */
interface Look {
  readonly here: ReadonlySet<string>;
  /** Programs of which it could not be told. */
  readonly unknown: ReadonlySet<string>;
}

/** Nobody waits for it, and it costs a little. */
const LOOK_EVERY_MS = 2_000;

export function watchSightings(deps: SightingDeps): Sightings {
  const { timers, onFault } = deps;
  const takeSighting = createTakeSighting(deps);
  let cancel: (() => void) | undefined;
  let isOver = false;
  let looking = Promise.resolve();

  async function lookOnce(): Promise<void> {
    if (!isOver) await loseSight(deps, await lookAround(deps, takeSighting));
  }

  function look(): Promise<void> {
    looking = looking.then(lookOnce).catch(onFault);
    return looking;
  }

  function lookSoon(): void {
    if (isOver) return;
    cancel = timers.after(LOOK_EVERY_MS, () => void look().then(lookSoon));
  }

  lookSoon();
  return {
    look,
    [Symbol.dispose]() {
      isOver = true;
      cancel?.();
      for (const finder of deps.finders.values()) finder.close?.();
    },
  };
}

async function lookAround(
  { finders, findRunning, isWatched, onFault }: SightingDeps,
  takeSighting: ReturnType<typeof createTakeSighting>,
): Promise<Look> {
  let found: ReturnType<FindRunning> | undefined;
  const here = new Set<string>();
  const unknown = new Set<string>();
  for (const [program, finder] of finders) {
    if (!isWatched(program)) {
      finder.close?.();
      continue;
    }
    let seen: readonly SeenSession[] = [];
    try {
      seen = await finder.look(() => (found ??= findRunning()).get(program) ?? []);
    } catch (cause) {
      unknown.add(program);
      onFault(cause);
    }
    for (const each of seen) {
      const id = await takeSighting(program, each);
      if (id !== undefined) here.add(id);
    }
  }
  return { here, unknown };
}

async function loseSight(
  { own, dispatch, live, isWatched }: SightingDeps,
  { here, unknown }: Look,
): Promise<void> {
  for (const { id, details } of own.list()) {
    const { program, source } = details;
    if (source !== "transcript" || here.has(id) || unknown.has(program)) continue;
    const why = isWatched(program) ? "gone" : "unwatched";
    await dispatch(joinedSession, id, { type: "lose-sight", why });
    live.forget(id);
  }
}
