/** The copy of a stream that one server keeps, thrown away and fetched from the others. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { NatsServers } from "./nats-servers.ts";

export interface ServerFiles {
  readonly nats: NatsServers;
  readonly stream: string;
  readonly server: number;
}

/** What docs/cluster.md tells an operator to do: without its messages the server fetches them from the others. */
export async function mendServer({ nats, stream, server }: ServerFiles): Promise<void> {
  await nats.end(server);
  rmSync(messagesFolder({ nats, stream, server }), { recursive: true, force: true });
  nats.start(server);
}

export function messagesFolder({ nats, stream, server }: ServerFiles): string {
  return join(nats.storeFolder(server), "jetstream/LOG/streams", stream, "msgs");
}
