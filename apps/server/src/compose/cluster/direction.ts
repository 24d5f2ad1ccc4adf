/**
 * When this node directs: from the grant until the lease is lost. Part of compose.ts, and imported by it alone.
 *
 * A node that loses the lease ends at once what acts outside of the log: its agents and their processes. Nothing of that
 * is written, for the next director has taken it up. It goes on serving until the log can be written again; then it has
 * to be opened anew.
 */
import { setTimeout } from "node:timers/promises";
import { Fault } from "@atrium/core";
import type { Log } from "@atrium/log";
import type { Cluster } from "../../cluster/cluster.ts";

interface DirectionDeps {
  readonly cluster: Pick<Cluster, "lease" | "bus" | "node">;
  readonly log: Pick<Log, "trouble">;
  /** Takes up what was left, for as long as `isOpen`. */
  readonly direct: (isOpen: () => boolean) => Promise<void>;
  /** What acts outside of the log. */
  readonly directing: AsyncDisposableStack;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
  readonly report: (fault: Fault) => void;
}

interface Direction {
  /** With one node it resolves when what was left is taken up; else at once, for that may be another node's work. */
  readonly start: () => Promise<void>;
  /** Resolves with the reason when this node has to be opened anew. */
  readonly lost: Promise<string>;
  readonly close: () => Promise<void>;
}

const LOOK_AGAIN_MS = 200;

export function openDirection(deps: DirectionDeps): Direction {
  const { cluster, log, direct, directing, note, report } = deps;
  const { lease, bus, node } = cluster;
  const closing = new AbortController();
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => (ended ??= directing.disposeAsync());
  const reportAs = (what: string) => (cause: unknown) => report(new Fault(what, {}, cause));

  const giveUp = (): void => {
    if (log.trouble !== undefined) lease.abandon();
  };

  async function take(): Promise<void> {
    await lease.granted;
    if (bus !== undefined) note("this node directs", { node, grant: lease.guard()?.version });
    await direct(() => ended === undefined);
  }

  async function lose(): Promise<string> {
    const reason = await lease.lost;
    note("this node directs no more", { node, why: reason });
    await end().catch(reportAs("agents were not ended"));
    while (log.trouble !== undefined && !closing.signal.aborted) {
      await setTimeout(LOOK_AGAIN_MS, undefined, { ref: false });
    }
    return reason;
  }

  return {
    async start() {
      if (bus === undefined) await take();
      else take().catch(reportAs("this node does not direct"));
    },
    lost: lose(),
    async close() {
      closing.abort();
      // Otherwise the end of a run would wait for servers that may never come back.
      const looking = setInterval(giveUp, LOOK_AGAIN_MS);
      giveUp();
      await end().finally(() => clearInterval(looking));
    },
  };
}
