/** What a node of several shows of itself and the others, put together. Each is loaded where there are several. */
import type { AppendTally } from "../../cluster/append-tally.ts";
import type { LogServer } from "../../cluster/cluster-report.ts";
import type { ClusterView, ClusterViewDeps } from "../../cluster/cluster-view.ts";
import type { NatsSettings } from "../../settings/cluster-settings.ts";

export async function countAppends(): Promise<AppendTally> {
  const { AppendTally } = await import("../../cluster/append-tally.ts");
  return new AppendTally(() => performance.now());
}

export async function openView(
  nats: NatsSettings | undefined,
  parts: Omit<ClusterViewDeps, "readServers">,
): Promise<ClusterView> {
  const { openClusterView } = await import("../../cluster/cluster-view.ts");
  const readServers = (): Promise<readonly LogServer[]> => serversOf(nats);
  return openClusterView({ ...parts, readServers });
}

async function serversOf(nats: NatsSettings | undefined): Promise<readonly LogServer[]> {
  if (nats === undefined || nats.monitors.length === 0) return [];
  const { readServers } = await import("@atrium/log/nats");
  return (await readServers(nats)).map(({ url, name, version, copy }) => ({
    url,
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(copy !== undefined && {
      isLeader: copy.isLeader,
      messages: copy.messages,
      missing: copy.missing,
    }),
  }));
}
