/**
 * Which server leads the stream. A server whose files were damaged may lead it and lack messages that the others have;
 * then another one must lead. It is asked for, not chosen: older servers choose by themselves.
 */
import { setTimeout } from "node:timers/promises";
import type { NatsConnection } from "@nats-io/transport-node";
import { askApi } from "./jetstream-api.ts";
import type { StreamInfo } from "./stream-settings.ts";

const API_MS = 2_000;
const POLL_MS = 100;
const CHANGE_LIMIT_MS = 10_000;

export function streamInfo(connection: NatsConnection, stream: string): Promise<StreamInfo> {
  return askApi(connection, { method: `STREAM.INFO.${stream}`, timeoutMs: API_MS });
}

/** Makes another server lead; resolves with false when none does in time, or when there is no other. */
export async function changeLeader(connection: NatsConnection, stream: string): Promise<boolean> {
  try {
    const { cluster } = await streamInfo(connection, stream);
    if (cluster?.replicas === undefined) return false;
    await askApi(connection, { method: `STREAM.LEADER.STEPDOWN.${stream}`, timeoutMs: API_MS });
    return await isLedByAnother(connection, { stream, former: cluster.leader });
  } catch {
    return false;
  }
}

async function isLedByAnother(
  connection: NatsConnection,
  { stream, former }: { readonly stream: string; readonly former: string | undefined },
): Promise<boolean> {
  const deadline = performance.now() + CHANGE_LIMIT_MS;
  while (performance.now() < deadline) {
    await setTimeout(POLL_MS);
    const leader = await leaderOf(connection, stream);
    if (leader !== undefined && leader !== former) return true;
  }
  return false;
}

/** Undefined while there is none to answer. */
async function leaderOf(connection: NatsConnection, stream: string): Promise<string | undefined> {
  try {
    return (await streamInfo(connection, stream)).cluster?.leader;
  } catch {
    return undefined;
  }
}
