/** What a node of several shows of itself and the others: in `status`, and in `/metrics`. */
import type { ClusterLog } from "@atrium/log";
import type { AppendTally } from "./append-tally.ts";
import { renderClusterMetrics } from "./cluster-metrics.ts";
import { openClusterReport, type ClusterFacts, type LogServer } from "./cluster-report.ts";
import type { Cluster } from "./cluster.ts";

export interface ClusterView extends Disposable {
  facts(): ClusterFacts;
  /** In Prometheus' text format. */
  metrics(): string;
}

export interface ClusterViewDeps {
  readonly cluster: Cluster;
  readonly chain: ClusterLog;
  readonly appends: AppendTally;
  readonly readServers: () => Promise<readonly LogServer[]>;
}

export function openClusterView(deps: ClusterViewDeps): ClusterView {
  const { cluster, chain, readServers } = deps;
  const report = openClusterReport({ cluster, chain, readServers });
  return {
    facts: () => report.read(),
    metrics: () => renderClusterMetrics(report.read(), deps.appends.read()),
    [Symbol.dispose]: () => report[Symbol.dispose](),
  };
}
