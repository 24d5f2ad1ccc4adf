/**
 * Ends sessions of nodes that do not come back: nobody sees any more whether they are there. Whoever directs does it.
 * One that is still there joins again by its next hook.
 */
import {
  joinedSession,
  type Clock,
  type Dispatch,
  type JoinedSessions,
  type LeaveReason,
} from "@atrium/core";
import type { Cluster } from "../cluster/cluster.ts";
import { repeatAfter, type Timers } from "../platform/timers.ts";
import { MAX_SILENCE_MS } from "./departures.ts";
import type { HeldRequests } from "./held-requests.ts";

export interface LostNodesDeps {
  readonly cluster: {
    readonly members: () => readonly Pick<ReturnType<Cluster["members"]>[number], "node">[];
    readonly lease: Pick<Cluster["lease"], "isHeld">;
  };
  /** Of the director. */
  readonly dispatch: Dispatch;
  readonly sessions: Pick<JoinedSessions, "list">;
  readonly held: Pick<HeldRequests, "settle">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onFault: (cause: unknown) => void;
}

const LOOK_EVERY_MS = 5_000;
/** Longer than a node takes to start again; until then its sessions are greyed out at most. */
const LOST_MS = 120_000;

export function watchLostNodes(deps: LostNodesDeps): Disposable {
  const { cluster, dispatch, sessions, held, clock, timers } = deps;
  let missedSince: ReadonlyMap<string, number> = new Map();

  function whyLost(node: string | undefined, heardAt: number): LeaveReason | undefined {
    const now = clock.now();
    // Of a release that did not say whose it is.
    if (node === undefined) return now - heardAt > MAX_SILENCE_MS ? "silent" : undefined;
    return now - (missedSince.get(node) ?? now) > LOST_MS ? "gone" : undefined;
  }

  async function look(): Promise<void> {
    const present = new Set(cluster.members().map(({ node }) => node));
    const named = sessions.list().flatMap(({ details: { node } }) => node ?? []);
    const missed = named.filter((node) => !present.has(node));
    missedSince = new Map(missed.map((node) => [node, missedSince.get(node) ?? clock.now()]));
    if (!cluster.lease.isHeld) return;
    for (const { id, details, heardAt } of sessions.list()) {
      const why = whyLost(details.node, heardAt);
      if (why === undefined) continue;
      await held.settle(id, null);
      await dispatch(joinedSession, id, { type: "leave", why });
    }
  }

  return repeatAfter(timers, LOOK_EVERY_MS, look, deps.onFault);
}
