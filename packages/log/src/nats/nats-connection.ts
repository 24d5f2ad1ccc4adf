/**
 * The connection of a node to the servers of the log: encrypted and with an account where the settings say so, made
 * again for ever when it breaks. What it knows of a server it keeps while there is none.
 */
import { isIP } from "node:net";
import { setTimeout } from "node:timers/promises";
import {
  connect,
  errors,
  type ConnectionOptions,
  type NatsConnection,
  type ServerInfo,
  type Status,
} from "@nats-io/transport-node";
import { LogFault } from "../log.ts";
import { readsCredentials } from "./nats-credentials.ts";

/** Where a log is kept by NATS servers, and who this node is there. */
export interface NatsPlace {
  /** `host:port` each. */
  readonly servers: readonly string[];
  /** The name of the stream. */
  readonly stream: string;
  readonly credentialsFile?: string;
  /** Present when connections must be encrypted. */
  readonly tls?: {
    readonly caFile?: string;
    readonly certFile?: string;
    readonly keyFile?: string;
  };
  /** Addresses of the servers' monitoring ports. */
  readonly monitors: readonly string[];
  /** Accepts servers that may lose what they acknowledged. */
  readonly isUnsafe: boolean;
}

export interface ServerLink extends AsyncDisposable {
  readonly connection: NatsConnection;
  /** Of the server this node is connected to, or was. */
  readonly server: ServerInfo;
  /** Why there is no connection; undefined while there is one. */
  readonly trouble: string | undefined;
}

const RETRY_MS = 250;
const CONNECT_MS = 2_000;
/** A server that is stopped is left after two of them: before the heartbeats that go through it count as lost. */
const PING_MS = 500;
const MAX_PINGS_OUT = 1;

/** How long to try, and what the servers show of this node. */
export interface Attempt {
  readonly deadline: number;
  readonly name: string;
}

export async function connectServers(
  settings: NatsPlace,
  { name, deadline }: Attempt,
): Promise<ServerLink> {
  const { servers, credentialsFile, tls } = settings;
  if (tls !== undefined) checkNames(servers);
  const options: ConnectionOptions = {
    servers: [...servers],
    name,
    ...(credentialsFile !== undefined && { authenticator: readsCredentials(credentialsFile) }),
    ...(tls !== undefined && { tls }),
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: RETRY_MS,
    reconnectJitterTLS: RETRY_MS,
    // An account that is refused today may be known tomorrow, and a node that gives up needs a person.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  };
  return new Connected(await connectInTime(options, settings, deadline), servers);
}

/** The client checks certificates against names only; for a number it would accept one of `localhost`. */
function checkNames(servers: readonly string[]): void {
  const number = servers.find((server) =>
    isIP(server.replace(/:\d+$/, "").replace(/^\[|\]$/g, "")),
  );
  if (number === undefined) return;
  throw new LogFault(
    "unreadable",
    `${number} is a number; write the name of that server in --log, the one its certificate has.`,
  );
}

async function connectInTime(
  options: ConnectionOptions,
  settings: NatsPlace,
  deadline: number,
): Promise<NatsConnection> {
  for (;;) {
    try {
      return await connect(options);
    } catch (error) {
      if (error instanceof LogFault) throw error;
      const fault = connectFault(error, settings);
      if (fault.isLasting || performance.now() > deadline) {
        throw new LogFault("unreadable", fault.message, error);
      }
      await setTimeout(RETRY_MS);
    }
  }
}

function connectFault(
  error: unknown,
  { servers, credentialsFile, tls }: NatsPlace,
): { readonly message: string; readonly isLasting: boolean } {
  const where = servers.join(", ");
  const why = reasonOf(error);
  if (error instanceof errors.AuthorizationError) {
    const message =
      credentialsFile === undefined
        ? `The log's servers at ${where} want an account; name a file that has it with --log-credentials.`
        : `The log's servers at ${where} refuse the account in ${credentialsFile}; correct that file.`;
    return { message, isLasting: true };
  }
  if (/certificate|\btls\b|\bssl\b|self.signed/i.test(why)) {
    const message =
      tls === undefined
        ? `The log's servers at ${where} want encrypted connections (${why}); write tls:// in --log.`
        : `No encrypted connection to the log's servers at ${where} (${why}); see --log-ca, --log-cert and --log-key.`;
    return { message, isLasting: true };
  }
  const message = `No server of the log answers at ${where} (${why}); start them, or correct --log.`;
  return { message, isLasting: false };
}

/** Causes say more than what they caused. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause === undefined ? "" : reasonOf(error.cause);
  return inner === "" || inner === error.message ? error.message : `${error.message}: ${inner}`;
}

class Connected implements ServerLink {
  readonly connection: NatsConnection;
  server: ServerInfo;
  trouble: string | undefined;
  readonly #servers: readonly string[];

  constructor(connection: NatsConnection, servers: readonly string[]) {
    this.connection = connection;
    this.#servers = servers;
    const { info } = connection;
    if (info === undefined) {
      throw new LogFault("failed", "The log's server told nothing of itself.");
    }
    this.server = info;
    void this.#follow();
  }

  async #follow(): Promise<void> {
    for await (const status of this.connection.status()) this.#onStatus(status);
  }

  #onStatus({ type }: Status): void {
    if (type === "disconnect" || type === "close") {
      this.trouble = `This node has no connection to the log's servers (${this.#servers.join(", ")}); it tries again until one answers.`;
    } else if (type === "reconnect") {
      this.trouble = undefined;
      this.server = this.connection.info ?? this.server;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.close();
  }
}
