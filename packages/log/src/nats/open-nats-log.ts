/** A log at NATS servers: the chain there, and a copy of everything on this node. */
import { openChainLog, type ChainLogOptions } from "../chain/chain-log.ts";
import type { ClusterLog } from "../chain/cluster-log.ts";
import { LogFault } from "../log.ts";
import { connectNats, START_LIMIT_MS, type ConnectOptions } from "./connect-nats.ts";
import { UnreachableServers } from "./jetstream-chain.ts";
import type { NatsPlace } from "./nats-connection.ts";

export interface NatsLogOptions
  extends
    NatsPlace,
    Pick<ConnectOptions, "startLimitMs">,
    Omit<ChainLogOptions, "chain" | "bus" | "warnings" | "readServers" | "release"> {}

/** Refuses, with what to change, servers that could lose what they acknowledge. */
export async function openNatsLog(options: NatsLogOptions): Promise<ClusterLog> {
  const { startLimitMs = START_LIMIT_MS } = options;
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    try {
      return await openOnce(options, deadline - performance.now());
    } catch (error) {
      if (!(error instanceof UnreachableServers)) throw error;
      // They elect, for instance, just now.
      if (performance.now() < deadline) continue;
      const message = `${error.message} Start again once most of them run.`;
      throw new LogFault("unreadable", message, error);
    }
  }
}

async function openOnce(options: NatsLogOptions, startLimitMs: number): Promise<ClusterLog> {
  const peers = await connectNats(options, { name: options.node.id, startLimitMs });
  const { chain, bus } = peers;
  return openChainLog({
    ...options,
    chain,
    bus,
    readServers: () => peers.servers(),
    warnings: () => peers.warnings,
    release: async () => peers[Symbol.asyncDispose](),
  });
}
