/** What a node of several shows of itself and the others, put together. Each is loaded where there are several. */
import type { ClusterLog } from "@atrium/log";
import type { AppendTally } from "../../cluster/append-tally.ts";
import type { LogServer } from "../../cluster/cluster-report.ts";
import type { ClusterView, ClusterViewDeps } from "../../cluster/cluster-view.ts";

export async function countAppends(): Promise<AppendTally> {
  const { AppendTally } = await import("../../cluster/append-tally.ts");
  return new AppendTally(() => performance.now());
}

export async function openView(parts: Omit<ClusterViewDeps, "readServers">): Promise<ClusterView> {
  const { openClusterView } = await import("../../cluster/cluster-view.ts");
  const readServers = (): Promise<readonly LogServer[]> => serversOf(parts.chain);
  return openClusterView({ ...parts, readServers });
}

async function serversOf(chain: Pick<ClusterLog, "readServers">): Promise<readonly LogServer[]> {
  return (await chain.readServers()).map(({ url, name, version, copy }) => ({
    url,
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(copy !== undefined && {
      isLeader: copy.isLeader,
      messages: copy.messages,
      missing: copy.missing,
      lastSeq: copy.lastSeq,
    }),
  }));
}
