/** A log at NATS servers: the chain there, and a copy of everything on this node. */
import { openChainLog, type ChainLogOptions } from "../chain/chain-log.ts";
import type { ClusterLog } from "../chain/cluster-log.ts";
import { LogFault } from "../log.ts";
import { connectNats, type ConnectOptions } from "./connect-nats.ts";
import { UnreachableServers } from "./jetstream-chain.ts";
import type { NatsPlace } from "./nats-connection.ts";

export interface NatsLogOptions
  extends
    NatsPlace,
    Pick<ConnectOptions, "startLimitMs">,
    Omit<ChainLogOptions, "chain" | "bus" | "warnings" | "release"> {}

/** Refuses, with what to change, servers that could lose what they acknowledge. */
export async function openNatsLog(options: NatsLogOptions): Promise<ClusterLog> {
  const { node, startLimitMs } = options;
  const limit = startLimitMs === undefined ? {} : { startLimitMs };
  const peers = await connectNats(options, { name: node.id, ...limit });
  const { chain, bus, warnings } = peers;
  try {
    return await openChainLog({
      ...options,
      chain,
      bus,
      warnings: () => warnings,
      release: async () => peers[Symbol.asyncDispose](),
    });
  } catch (error) {
    if (!(error instanceof UnreachableServers)) throw error;
    throw new LogFault("unreadable", `${error.message} Start again once most of them run.`, error);
  }
}
