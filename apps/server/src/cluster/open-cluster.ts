/** A node among others: heartbeats, the lease, and the bus. Loaded where the log is one that several nodes write. */
import { Fault, type Dispatch, type Projections } from "@atrium/core";
import type { ChainStatus, ClusterLog } from "@atrium/log";
import type { Timers } from "../platform/timers.ts";
import type { Cluster, Member } from "./cluster.ts";
import { DirectorLease } from "./director-lease.ts";
import { Membership } from "./membership.ts";

export interface ClusterDeps {
  readonly log: Pick<ClusterLog, "node" | "bus" | "append" | "read" | "trouble"> & {
    readonly status: () => Pick<ChainStatus, "applied" | "hash">;
  };
  readonly dispatch: Dispatch;
  readonly projections: Pick<Projections, "onBatch">;
  readonly describe: () => Pick<Member, "url" | "version" | "settings" | "warnings">;
  readonly timers: Timers;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly report: (fault: Fault) => void;
}

export interface OpenCluster {
  readonly cluster: Cluster;
  /** Writes as the director. */
  readonly direct: Dispatch;
}

export async function openCluster(deps: ClusterDeps): Promise<OpenCluster> {
  const { log, projections, timers, now, report } = deps;
  const { node: self, bus } = log;
  const listeners = new Set<() => void>();
  const onChange = (): void => {
    for (const listener of listeners) listener();
  };
  const lease = new DirectorLease({
    self,
    log,
    dispatch: deps.dispatch,
    members: () => membership,
    onChange,
    report: (cause) => report(new Fault("the lease could not be changed", {}, cause)),
  });
  const describe = (): Omit<Member, "node" | "life"> => {
    const { applied, hash } = log.status();
    return { ...deps.describe(), applied, hash };
  };
  const onBeat = (): void => lease.consider();
  const membership = new Membership({ bus, self, describe, timers, now, onBeat, onChange });
  projections.onBatch(lease.onBatch, "cluster.lease");
  await lease.start();
  membership.start();
  const cluster: Cluster = {
    node: self.id,
    life: self.life,
    mayGoOn: (life) => life === self.life || (membership.isKnown(life) && !lease.hasDirected(life)),
    bus,
    members: () => membership.list(),
    director: () => lease.holder?.node,
    since: () => lease.holder?.since,
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    lease,
    async [Symbol.asyncDispose]() {
      await lease.close();
      membership[Symbol.dispose]();
    },
  };
  return { cluster, direct: lease.dispatch };
}
