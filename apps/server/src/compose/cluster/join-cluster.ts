/** Joins the nodes that write the same log. Part of compose.ts, and imported by it alone. */
import { hostname } from "node:os";
import type { Fault } from "@atrium/core";
import type { ClusterLog, Log } from "@atrium/log";
import type { NodeWarnings } from "../../cluster/node-warnings.ts";
import type { ClusterDeps, OpenCluster } from "../../cluster/open-cluster.ts";
import type { Home } from "../../platform/home.ts";
import { systemTimers } from "../../platform/timers.ts";

export function isClusterLog(log: Log): log is ClusterLog {
  return "bus" in log;
}

interface JoinDeps extends Pick<ClusterDeps, "log" | "dispatch" | "projections"> {
  readonly url: () => string;
  readonly version: string;
  /** Digests of what should be the same on every node. */
  readonly settings: () => Readonly<Record<string, string>>;
  readonly warnings: Pick<NodeWarnings, "list">;
  readonly home: Home;
  readonly report: (fault: Fault) => void;
}

/** Loaded where it is needed: a server of one node starts without. */
export async function joinCluster(
  { url, version, home, settings, warnings, ...deps }: JoinDeps,
  opened: AsyncDisposableStack,
): Promise<OpenCluster> {
  const { openCluster } = await import("../../cluster/open-cluster.ts");
  const { claimName } = await import("../../cluster/claims/claim-name.ts");
  const { claimSharedFolder } = await import("../../cluster/claims/claim-shared-folder.ts");
  const { bus, node: self } = deps.log;
  const here = (): string => reachableUrl(url());
  opened.use(await claimName({ bus, self, url: here }));
  await claimSharedFolder(home, self.id, deps.dispatch);
  return openCluster({
    ...deps,
    describe: () => ({ url: here(), version, settings: settings(), warnings: warnings.list() }),
    timers: systemTimers,
    now: () => performance.now(),
  });
}

/** Who listens on every address is reached by the name of the machine. */
function reachableUrl(text: string): string {
  const url = new URL(text);
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = hostname();
  return url.href;
}
