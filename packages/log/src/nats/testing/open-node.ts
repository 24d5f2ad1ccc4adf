/** A node on the servers of a test. */
import { join } from "node:path";
import type { NatsServers } from "../../../../../test/kit/nats/nats-servers.ts";
import type { ClusterLog } from "../../chain/cluster-log.ts";
import { openNatsLog } from "../index.ts";

export interface NodePlace {
  /** Where its copy is. */
  readonly folder: string;
  readonly stream: string;
  readonly id?: string;
  readonly credentialsFile?: string;
}

export function openNode(
  nats: NatsServers,
  { folder, stream, id = "n1", ...account }: NodePlace,
): Promise<ClusterLog> {
  return openNatsLog({
    servers: nats.urls.map((url) => new URL(url).host),
    stream,
    monitors: nats.monitors,
    isUnsafe: false,
    ...account,
    node: { id, life: `${id}-of-${stream}` },
    copyFile: join(folder, stream, id, "chain.db"),
  });
}
