/**
 * What each server has of a stream in its own files. A consumer that is kept once reads the copy of the server that
 * keeps it, so consumers are made until each server has had one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AckPolicy, jetstream, jetstreamManager, type ConsumerInfo } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { mendServer } from "./mend-server.ts";
import type { NatsServers } from "./nats-servers.ts";

/** The messages that a server can give, by their number. */
export type ServerCopy = ReadonlyMap<number, Uint8Array>;

const MAX_TRIES = 60;
/** On a busy machine a server that was away may need most of a minute. */
const CATCH_UP_LIMIT_MS = 90_000;
/** Whoever watches the servers' health starts one again that comes no further for so long. */
const STANDSTILL_MS = 20_000;
const POLL_MS = 50;
const BATCH = 1_000;
const QUIET_MS = 1_000;

export async function readServerCopies(
  nats: NatsServers,
  stream: string,
): Promise<readonly ServerCopy[]> {
  await caughtUp(nats, stream);
  const connection = await connect({ servers: [...nats.urls] });
  try {
    const copies = new Map<string, ServerCopy>();
    const unfinished = new Map<string, number>();
    const names = nats.urls.map((_, server) => `s${server + 1}`);
    for (let tries = 0; copies.size < names.length; tries++) {
      if (tries === MAX_TRIES) {
        throw new Error(`only ${[...copies.keys()].join(", ")} keep consumers`);
      }
      try {
        await readOne(connection, stream, { copies, unfinished });
      } catch (error) {
        // Just after a server was started, whoever answers such requests may still be elected.
        if (tries === MAX_TRIES - 1) throw error;
        await sleep(POLL_MS);
      }
    }
    return names.map((name) => copies.get(name) ?? new Map());
  } finally {
    await connection.close();
  }
}

interface Readings {
  readonly copies: Map<string, ServerCopy>;
  /** How many messages a reading had that ended early, by server. */
  readonly unfinished: Map<string, number>;
}

async function readOne(
  connection: NatsConnection,
  stream: string,
  { copies, unfinished }: Readings,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const info = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    num_replicas: 1,
    mem_storage: true,
    inactive_threshold: 30_000_000_000,
  });
  const server = info.cluster?.leader ?? "s1";
  if (!copies.has(server)) {
    const { copy, isWhole } = await readAll(connection, info);
    // What is missing from one reading may only have been slow; a server without it lacks it in the next one, too.
    const isProven = isWhole || unfinished.get(server) === copy.size;
    if (isProven) copies.set(server, copy);
    else unfinished.set(server, copy.size);
  }
  await manager.consumers.delete(stream, info.name);
}

async function readAll(
  connection: NatsConnection,
  info: ConsumerInfo,
): Promise<{ readonly copy: ServerCopy; readonly isWhole: boolean }> {
  const consumer = await jetstream(connection).consumers.get(info.stream_name, info.name);
  const copy = new Map<number, Uint8Array>();
  for (let pending = info.num_pending; pending > 0;) {
    const batch = await consumer.fetch({
      max_messages: Math.min(BATCH, pending),
      expires: QUIET_MS,
    });
    const before = copy.size;
    for await (const message of batch) {
      copy.set(message.seq, message.data);
      pending = message.info.pending;
    }
    // A damaged message is skipped, and still counted as pending.
    if (copy.size === before) return { copy, isWhole: false };
  }
  return { copy, isWhole: true };
}

/**
 * Resolves when all servers say that they are equally far. After a kill or a full disk, servers of 2.10 sometimes do not
 * catch up until they are started again, or only without their own messages; docs/cluster.md says so under "A server
 * that stays behind".
 */
async function caughtUp(nats: NatsServers, stream: string): Promise<void> {
  const deadline = performance.now() + CATCH_UP_LIMIT_MS;
  const seen = new Map<number, { readonly lastSeq: number | undefined; readonly since: number }>();
  const startedAgain = new Set<number>();
  for (;;) {
    const lasts = (await nats.copies(stream)).map((copy) => copy?.lastSeq);
    if (new Set(lasts).size === 1 && !lasts.includes(undefined)) return;
    const now = performance.now();
    if (now > deadline) throw new Error(`the servers of ${stream} are at ${lasts.join(", ")}`);
    const furthest = Math.max(...lasts.map((last) => last ?? 0));
    for (const [server, lastSeq] of lasts.entries()) {
      const before = seen.get(server);
      if (before === undefined || before.lastSeq !== lastSeq) {
        seen.set(server, { lastSeq, since: now });
      } else if (lastSeq !== furthest && now - before.since > STANDSTILL_MS) {
        seen.delete(server);
        if (startedAgain.has(server)) await mendServer({ nats, stream, server });
        else {
          startedAgain.add(server);
          await nats.end(server);
          nats.start(server);
        }
      }
    }
    await sleep(POLL_MS);
  }
}
