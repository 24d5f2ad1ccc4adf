/**
 * Sees when a joined session is over without having said so: its process is gone, or nothing was heard of it for very
 * long. So nobody is shown who is not there.
 */
import {
  joinedSession,
  type Clock,
  type Dispatch,
  type JoinedSessionRow,
  type JoinedSessions,
  type LeaveReason,
} from "@atrium/core";
import { repeatAfter, type Timers } from "../platform/timers.ts";
import type { HeldRequests } from "./held-requests.ts";
import type { LiveSessions } from "./live-sessions.ts";

export interface DepartureDeps {
  readonly dispatch: Dispatch;
  /** Whose processes are on this machine. */
  readonly sessions: Pick<JoinedSessions, "list">;
  readonly live: LiveSessions;
  readonly held: HeldRequests;
  readonly identityOf: (pid: number) => string | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onFault: (cause: unknown) => void;
}

const LOOK_EVERY_MS = 1_000;
/** For those whose process is not known. */
export const MAX_SILENCE_MS = 12 * 60 * 60_000;

export function watchDepartures(deps: DepartureDeps): Disposable {
  const { sessions, live, held, clock, timers } = deps;

  async function look(): Promise<void> {
    for (const row of sessions.list()) {
      // Whoever sees it in its files sees that it is gone, too.
      if (row.details.source === "transcript") continue;
      const why = whyGone(row, live.get(row.id)?.heardAt ?? row.heardAt);
      if (why === undefined) continue;
      await held.settle(row.id, null);
      await deps.dispatch(joinedSession, row.id, { type: "leave", why });
      live.forget(row.id);
    }
  }

  function whyGone({ details }: JoinedSessionRow, heardAt: number): LeaveReason | undefined {
    const process = details.process ?? details.servedBy ?? null;
    if (process === null) return clock.now() - heardAt > MAX_SILENCE_MS ? "silent" : undefined;
    return deps.identityOf(Number.parseInt(process, 10)) === process ? undefined : "gone";
  }

  return repeatAfter(timers, LOOK_EVERY_MS, look, deps.onFault);
}
