/**
 * The chain as one JetStream stream with one subject. A message is published on the condition that the stream ends
 * where its writer believes, which the servers' Raft group decides; its number is its place. No message ids: a
 * server that refused one may answer the next try as a duplicate and store nothing (2.10).
 *
 * Reads go to the leader. Watching reads the copy of whichever server has the consumer, so its order can be relied
 * on and its completeness cannot.
 */
import { setTimeout } from "node:timers/promises";
import {
  DeliverPolicy,
  jetstream,
  type ConsumerMessages,
  type ConsumerNotification,
} from "@nats-io/jetstream";
import { headers, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import type { Chain, Link, PublishResult } from "../chain/chain.ts";
import { LogFault } from "../log.ts";
import {
  API_ERROR,
  ApiError,
  apiErrorOf,
  askApi,
  forbidden,
  type ApiAnswer,
} from "./jetstream-api.ts";
import type { ServerLink } from "./nats-connection.ts";
import { changeLeader, streamInfo } from "./stream-leader.ts";

/** A publish in flight over a change of leaders is never answered. */
const ACK_MS = 1_000;
const READ_MS = 2_000;
const OFFLINE_MS = 100;
/** A message that no server has is no reason to change leaders for every read. */
const LEADER_CHANGE_MS = 30_000;
/** Headers count towards what a server takes as one message. */
const HEADER_BYTES = 512;
const WATCH_MESSAGES = 64;
/** A consumer that lives on a server that is gone is left after two of them. */
const HEARTBEAT_MS = 1_000;
const PULL_MS = 5_000;
const ENDINGS: ReadonlySet<ConsumerNotification["type"]> = new Set([
  "heartbeats_missed",
  "consumer_not_found",
  "consumer_deleted",
  "stream_not_found",
]);
/** A consumer whose node is gone does not stay long. */
const CONSUMER_IDLE_MS = 10_000;
const WATCH_RETRY_MS = 200;

/** Nobody can tell for the moment: no fault of the log. */
export class UnreachableServers extends Error {
  override readonly name = "UnreachableServers";
}

interface Ack extends ApiAnswer {
  readonly stream?: string;
  readonly seq?: number;
  readonly duplicate?: boolean;
}

interface StoredMessage {
  readonly message: { readonly seq: number; readonly data?: string };
}

export function chainSubject(stream: string): string {
  return `atrium.${stream}.chain`;
}

export class JetStreamChain implements Chain {
  readonly #link: ServerLink;
  readonly #stream: string;
  readonly #subject: string;
  /** The servers' reason to take nothing, until they take something again, from whichever node. */
  #refusal: string | undefined;
  /** What this node's account may not do. */
  #forbidden: string | undefined;
  #nextLeaderChange = 0;

  constructor(link: ServerLink, stream: string) {
    this.#link = link;
    this.#stream = stream;
    this.#subject = chainSubject(stream);
  }

  get maxBytes(): number {
    return this.#link.server.max_payload - HEADER_BYTES;
  }

  get trouble(): string | undefined {
    return this.#link.trouble ?? this.#forbidden ?? this.#refusal;
  }

  async publish(after: number, bytes: Uint8Array): Promise<PublishResult> {
    if (bytes.length > this.maxBytes) throw this.#tooBig(bytes.length);
    if (this.#link.trouble !== undefined) {
      // Without a connection the client would keep it, and send it late.
      await setTimeout(OFFLINE_MS);
      return "unknown";
    }
    let reply: Msg;
    try {
      const options = { timeout: ACK_MS, headers: this.#conditions(after) };
      reply = await this.#link.connection.request(this.#subject, bytes, options);
    } catch (error) {
      const operation = forbidden(error);
      if (operation !== undefined) {
        this.#forbidden = `The account at the log's servers lacks the permission to ${operation}.`;
      }
      return "unknown";
    }
    return this.#judge(readAck(reply), after, bytes);
  }

  async read(n: number): Promise<Uint8Array | undefined> {
    const found = await this.#readLeader(n);
    if (found !== undefined || n > (await this.last())) return found;
    // It may have come just now. Otherwise the leader's files are damaged, and another server may have it.
    return (await this.#readLeader(n)) ?? (await this.#readNextLeader(n));
  }

  async last(): Promise<number> {
    try {
      this.#checkConnection();
      return (await streamInfo(this.#link.connection, this.#stream)).state.last_seq;
    } catch (error) {
      throw unreachable(error);
    }
  }

  async *watch(after: number, signal: AbortSignal): AsyncGenerator<Link> {
    try {
      const { consumers } = jetstream(this.#link.connection);
      const consumer = await consumers.get(this.#stream, {
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: after + 1,
        inactive_threshold: CONSUMER_IDLE_MS,
      });
      signal.throwIfAborted();
      const messages = await consumer.consume({
        max_messages: WATCH_MESSAGES,
        expires: PULL_MS,
        idle_heartbeat: HEARTBEAT_MS,
      });
      void endWhenSilent(messages);
      const stop = (): void => messages.stop();
      signal.addEventListener("abort", stop, { once: true });
      try {
        if (signal.aborted) stop();
        for await (const { seq, data } of messages) {
          this.#refusal = undefined;
          yield { n: seq, bytes: data };
        }
      } finally {
        signal.removeEventListener("abort", stop);
        void messages.close();
      }
    } catch {
      // A hint that ends: whoever watches begins again, not at once.
      if (!signal.aborted) await setTimeout(WATCH_RETRY_MS);
    }
  }

  async #readLeader(n: number): Promise<Uint8Array | undefined> {
    try {
      this.#checkConnection();
      const answer = await askApi<StoredMessage>(this.#link.connection, {
        method: `STREAM.MSG.GET.${this.#stream}`,
        body: { seq: n },
        timeoutMs: READ_MS,
      });
      return Buffer.from(answer.message.data ?? "", "base64");
    } catch (error) {
      if (error instanceof ApiError && error.code === API_ERROR.noMessage) return undefined;
      throw unreachable(error);
    }
  }

  async #readNextLeader(n: number): Promise<Uint8Array | undefined> {
    if (performance.now() < this.#nextLeaderChange) return undefined;
    this.#nextLeaderChange = performance.now() + LEADER_CHANGE_MS;
    const isChanged = await changeLeader(this.#link.connection, this.#stream);
    return isChanged ? this.#readLeader(n) : undefined;
  }

  #checkConnection(): void {
    const { trouble } = this.#link;
    if (trouble !== undefined) throw new UnreachableServers(trouble);
  }

  #conditions(after: number): MsgHdrs {
    const conditions = headers();
    conditions.set("Nats-Expected-Last-Sequence", String(after));
    conditions.set("Nats-Expected-Stream", this.#stream);
    return conditions;
  }

  #judge(ack: Ack, after: number, bytes: Uint8Array): PublishResult {
    const error = apiErrorOf(ack);
    if (error === undefined) {
      this.#refusal = undefined;
      this.#forbidden = undefined;
      const isPlain = ack.duplicate !== true && ack.stream === this.#stream;
      return isPlain && ack.seq === after + 1 ? "written" : "unknown";
    }
    if (error.code === API_ERROR.messageTooBig) throw this.#tooBig(bytes.length);
    if (isTaken(error, after)) {
      this.#refusal = undefined;
      this.#forbidden = undefined;
      return "taken";
    }
    if (error.code !== API_ERROR.wrongLastSequence) {
      this.#refusal = `The log's servers take nothing: ${error.message}.`;
    }
    return "unknown";
  }

  #tooBig(size: number): LogFault {
    return new LogFault(
      "malformed",
      `What is to be written has ${size} bytes, and the log's servers take ${this.maxBytes}; raise max_payload there.`,
    );
  }
}

/** A stream that ends before that place is behind, and nothing stands there. */
function isTaken({ code, message }: ApiError, after: number): boolean {
  if (code === API_ERROR.wrongLastSequenceUnnamed) return true;
  if (code !== API_ERROR.wrongLastSequence) return false;
  const last = /\d+$/.exec(message)?.[0];
  return last === undefined || Number(last) > after;
}

/** The client would look for its consumer for long; a new one is there at once. */
async function endWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) if (ENDINGS.has(type)) messages.stop();
}

function readAck(reply: Msg): Ack {
  try {
    return reply.json<Ack>();
  } catch {
    return {};
  }
}

function unreachable(cause: unknown): UnreachableServers {
  if (cause instanceof UnreachableServers) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new UnreachableServers(`The log's servers cannot be read for the moment: ${why}.`, {
    cause,
  });
}
