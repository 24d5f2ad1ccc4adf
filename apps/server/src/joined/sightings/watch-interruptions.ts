/**
 * Sees that a joined session rests whose turn its user has cancelled, which no hook tells. So nobody is shown working who is
 * not. It looks at what the program itself notes of that one process, and only while the session is shown working.
 */
import {
  joinedSession,
  type Dispatch,
  type JoinedSessionRow,
  type JoinedSessions,
} from "@atrium/core";
import { repeatAfter, type Timers } from "../../platform/timers.ts";
import type { LiveSessions } from "../live-sessions.ts";
import type { ReadStatus } from "./registry-file.ts";

export interface InterruptionDeps {
  readonly dispatch: Dispatch;
  readonly sessions: Pick<JoinedSessions, "list">;
  readonly live: LiveSessions;
  /** By the name of the program. */
  readonly statuses: ReadonlyMap<string, ReadStatus>;
  readonly timers: Timers;
  readonly onFault: (cause: unknown) => void;
}

const LOOK_EVERY_MS = 2_000;

export function watchInterruptions(deps: InterruptionDeps): Disposable {
  const { dispatch, sessions, live, statuses, timers } = deps;
  /** Of those that were at rest at the last look: when they were heard of. */
  let resting: ReadonlyMap<string, number> = new Map();

  async function isAtRest({ activity, details }: JoinedSessionRow): Promise<boolean> {
    const { program, process, source } = details;
    if (activity !== "working" || process === null || source === "transcript") return false;
    return (await statuses.get(program)?.(process)) === "idle";
  }

  async function look(): Promise<void> {
    const before = resting;
    const found = new Map<string, number>();
    for (const row of sessions.list()) {
      if (!(await isAtRest(row))) continue;
      const heardAt = live.get(row.id)?.heardAt ?? row.heardAt;
      // A turn that has just begun may not be noted yet, so one look does not count.
      if (before.get(row.id) !== heardAt) {
        found.set(row.id, heardAt);
        continue;
      }
      await dispatch(joinedSession, row.id, { type: "change-activity", activity: "idle" });
      live.hear(row.id, null);
    }
    resting = found;
  }

  return repeatAfter(timers, LOOK_EVERY_MS, look, deps.onFault);
}
