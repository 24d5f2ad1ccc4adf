/** Lets a server lead a stream: whoever leads is told to step down until that one does. */
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "@nats-io/transport-node";
import type { NatsServers } from "./nats-servers.ts";

const POLL_MS = 100;

export async function leadStream(nats: NatsServers, stream: string, server: number): Promise<void> {
  const connection = await connect({ servers: [...nats.urls] });
  try {
    for (;;) {
      const leader = await nats.leader(stream);
      if (leader === server) return;
      if (leader !== undefined) {
        await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`).catch(() => undefined);
      }
      await sleep(POLL_MS);
    }
  } finally {
    await connection.close();
  }
}
