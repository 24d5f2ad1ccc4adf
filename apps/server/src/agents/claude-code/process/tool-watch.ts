/**
 * Notices when the program that brings our tools is dead.
 *
 *   found --lost sight--> a moment's grace --> still there? look again later : dead
 *      ^------------------found again----------'
 *
 * A connection that breaks comes back by itself, and tells nothing about the program. But an interactive Claude Code
 * does not start it again, and from then on has no tools of ours.
 */
import type { Timers } from "../../../platform/timers.ts";

export interface ToolWatch {
  readonly found: (pid: number) => void;
  readonly lost: () => void;
  /** Called once when it is dead, at once if it is already. */
  onDead(listener: () => void): void;
  stop(): void;
}

export interface ToolWatchDeps extends Timers {
  readonly isAlive: (pid: number) => Promise<boolean>;
}

const GRACE_MS = 500;

export function createToolWatch({ after, isAlive }: ToolWatchDeps): ToolWatch {
  let cancel: (() => void) | undefined;
  /** Counts what was seen: whoever looks for long must know whether it is still true. */
  let sightings = 0;
  let known: number | undefined;
  const dead = Promise.withResolvers<void>();

  const look = async (pid: number, sighting: number): Promise<void> => {
    const isThere = await isAlive(pid);
    if (sighting !== sightings) return;
    if (isThere) lookLater(pid);
    else dead.resolve();
  };
  const lookLater = (pid: number): void => {
    const sighting = sightings;
    cancel = after(GRACE_MS, () => void look(pid, sighting));
  };
  const turnTo = (pid: number | undefined): void => {
    cancel?.();
    sightings += 1;
    known = pid;
  };
  return {
    found: turnTo,
    lost() {
      const pid = known;
      turnTo(undefined);
      if (pid !== undefined) lookLater(pid);
    },
    onDead: (listener) => void dead.promise.then(listener),
    stop: () => turnTo(undefined),
  };
}
