/** A connection to the servers of a log whose stream exists and has been checked: the chain and the bus on it. */
import { setTimeout } from "node:timers/promises";
import type { Bus } from "../chain/bus.ts";
import type { Chain } from "../chain/chain.ts";
import { LogFault } from "../log.ts";
import { CoreBus } from "./core-bus.ts";
import { API_ERROR, ApiError, askApi, forbidden } from "./jetstream-api.ts";
import { JetStreamChain } from "./jetstream-chain.ts";
import { connectServers, type NatsPlace, type ServerLink } from "./nats-connection.ts";
import { readServers, type ServerReport } from "./server-reports.ts";
import { checkServers, warningsOf, type CheckedServers } from "./start-checks.ts";
import { changeLeader, streamInfo } from "./stream-leader.ts";
import { newStream, type StreamInfo } from "./stream-settings.ts";

export interface NatsPeers extends AsyncDisposable {
  readonly chain: Chain;
  readonly bus: Bus;
  /** What an operator should change, as the servers were when they were last looked at. */
  readonly warnings: readonly string[];
  /** Looks at them: what each server that has a monitoring address says of itself, now. */
  servers(): Promise<readonly ServerReport[]>;
}

const API_MS = 2_000;
/** Just after their start servers have no leader yet, and say so in several ways. */
export const START_LIMIT_MS = 45_000;
const RETRY_MS = 250;
const LEADER_TRIES = 3;
const LASTING: readonly number[] = [API_ERROR.notEnabled, API_ERROR.notEnabledForAccount];

export interface ConnectOptions {
  /** What the servers show of this node. */
  readonly name?: string;
  /** How long the servers may take to come up while this node starts. */
  readonly startLimitMs?: number;
  /** Takes servers and stream as they are: nothing is made or moved, and what is wrong is a warning. */
  readonly isLooking?: boolean;
}

/** There is nothing to look at. */
export class NoStream extends LogFault {
  constructor(stream: string) {
    const advice = "look at --log-stream and --log-credentials, or start a node, which makes it";
    super("unreadable", `The log's servers have no stream ${stream}: ${advice}.`);
  }
}

/** Makes the stream when there is none, and refuses one that could lose or change what is written. */
export async function connectNats(
  settings: NatsPlace,
  { name = "atrium", startLimitMs = START_LIMIT_MS, isLooking = false }: ConnectOptions = {},
): Promise<NatsPeers> {
  const deadline = performance.now() + startLimitMs;
  await using stack = new AsyncDisposableStack();
  const link = stack.use(await connectServers(settings, { name, deadline }));
  const { stream, monitors, isUnsafe } = settings;
  const countNow = (): number =>
    Math.max(settings.servers.length, link.server.connect_urls?.length ?? 0);
  const count = countNow();
  const account = await accountOf(link);
  let reports: readonly ServerReport[] = [];
  const look = async (): Promise<readonly ServerReport[]> => {
    reports = await readServers({ monitors, stream, ...(account !== undefined && { account }) });
    return reports;
  };
  const search = { stream, count, deadline, isLooking };
  const standing = await findInTime(link, search);
  const found = isLooking ? standing : await ledByWhole(link, standing);
  const seen = (): CheckedServers => {
    const { version, max_payload: maxPayload } = link.server;
    return { stream: found, version, maxPayload, count: countNow(), reports, isUnsafe };
  };
  await look();
  const looked = isLooking ? lookAtServers(seen()) : undefined;
  if (!isLooking) checkServers(seen());
  const owned = stack.move();
  return {
    chain: new JetStreamChain(link, stream),
    bus: new CoreBus(link, stream),
    get warnings() {
      return looked ?? warningsOf(seen());
    },
    servers: look,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Servers from 2.10 on tell; without it streams of other accounts cannot be told apart. */
async function accountOf({ connection }: ServerLink): Promise<string | undefined> {
  try {
    const reply = await connection.request("$SYS.REQ.USER.INFO", "", { timeout: API_MS });
    return reply.json<{ readonly data?: { readonly account?: string } }>().data?.account;
  } catch {
    return undefined;
  }
}

/** The same checks, and what they refuse as one more warning. */
function lookAtServers(servers: CheckedServers): readonly string[] {
  try {
    return checkServers(servers);
  } catch (error) {
    if (error instanceof LogFault && error.code !== "foreign") return [error.message];
    throw error;
  }
}

async function findOrMakeStream(
  { connection }: ServerLink,
  { stream, count, isLooking }: StreamSearch,
): Promise<StreamInfo> {
  try {
    return await streamInfo(connection, stream);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== API_ERROR.noStream) throw error;
  }
  if (isLooking) throw new NoStream(stream);
  // Of several nodes that start at once each sends the same, and the servers make one.
  return askApi(connection, {
    method: `STREAM.CREATE.${stream}`,
    body: newStream(stream, count >= 3 ? 3 : 1),
    timeoutMs: API_MS,
  });
}

/** A server that lost messages does not lead while another has them all. */
async function ledByWhole({ connection }: ServerLink, found: StreamInfo): Promise<StreamInfo> {
  const { name } = found.config;
  let info = found;
  for (let tries = 0; tries < LEADER_TRIES && info.state.messages < info.state.last_seq; tries++) {
    if (!(await changeLeader(connection, name))) break;
    info = await streamInfo(connection, name);
  }
  return info;
}

interface StreamSearch {
  readonly stream: string;
  /** How many servers there are, as far as is known. */
  readonly count: number;
  readonly deadline: number;
  readonly isLooking: boolean;
}

async function findInTime(link: ServerLink, search: StreamSearch): Promise<StreamInfo> {
  const { stream, count, deadline } = search;
  // In a cluster another server may have what this one has not.
  const hasJetStream = link.server.jetstream === true || count > 1;
  for (;;) {
    try {
      return await findOrMakeStream(link, search);
    } catch (error) {
      if (error instanceof NoStream) throw error;
      const isLasting =
        !hasJetStream ||
        forbidden(error) !== undefined ||
        (error instanceof ApiError && LASTING.includes(error.code));
      if (isLasting || performance.now() > deadline) {
        throw startFault(error, { stream, hasJetStream });
      }
      await setTimeout(RETRY_MS);
    }
  }
}

function startFault(
  error: unknown,
  { stream, hasJetStream }: { readonly stream: string; readonly hasJetStream: boolean },
): LogFault {
  const operation = forbidden(error);
  const code = error instanceof ApiError ? error.code : 0;
  if (operation !== undefined) {
    return unusable(
      `The account at the log's servers lacks the permission to ${operation}; allow it there.`,
      error,
    );
  }
  if (code === API_ERROR.notEnabledForAccount) {
    return unusable(
      "The account at the log's servers has no JetStream; enable it there, or name another account with --log-credentials.",
      error,
    );
  }
  if (!hasJetStream || code === API_ERROR.notEnabled) {
    return unusable(
      "The log's servers run without JetStream; add a jetstream block to their configuration.",
      error,
    );
  }
  const why = error instanceof Error ? error.message : String(error);
  return unusable(
    `The log's servers do not open the stream ${stream} (${why}); see whether most of them run.`,
    error,
  );
}

function unusable(message: string, cause: unknown): LogFault {
  return new LogFault("unreadable", message, cause);
}
