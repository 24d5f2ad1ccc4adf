/**
 * The one place where the parts meet. Everything is made here and handed what it needs; nothing else
 * knows how the whole is built. Imported by main.ts and by test kits only.
 */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  createConversations,
  createDevices,
  createDispatch,
  createRuns,
  createInvocationReader,
  createNodes,
  createTranscript,
  Fault,
  openProjections,
  type Clock,
  type Conversations,
  type Devices,
  type Dispatch,
  type RunsProjection,
  type Nodes,
} from "@atrium/core";
import { openMemoryLog, openSqliteLog, type Log, type LogFault } from "@atrium/log";
import { CLOSE } from "@atrium/wire";
import { getRequestListener } from "@hono/node-server";
import { Attempts } from "./access/attempts.ts";
import { hasBearer } from "./access/bearer.ts";
import { createDeviceToken } from "./access/secrets.ts";
import type { AgentRuntime } from "./agents/agent-runtime.ts";
import { createRuntimes } from "./agents/runtimes.ts";
import { createBlobs } from "./blobs.ts";
import type { Config } from "./config.ts";
import { createDirector, type Director } from "./director/director.ts";
import { createFanout, type Fanout } from "./fanout/fanout.ts";
import type { Home } from "./home.ts";
import { isFromThisMachine } from "./listen/gatekeeper.ts";
import { createListener } from "./listen/listener.ts";
import { createOperations } from "./listen/operations.ts";
import { createHandshake } from "./rooms/gateway/handshake.ts";
import { openPairingRequests } from "./rooms/gateway/pairing/pairing-requests.ts";
import type { ServerFacts } from "./rooms/gateway/reports.ts";
import { openGatewayRoom, type GatewayRoom } from "./rooms/gateway/room.ts";
import { createToolbox } from "./tools/toolbox.ts";
import { openVitals } from "./vitals.ts";

export interface Surface {
  readonly config: Config;
  readonly home: Home;
  readonly version: string;
  /** Where keys are kept that must not be in a file. */
  readonly readEnv: (name: string) => string | undefined;
  readonly report: (fault: Fault) => void;
}

export interface Atrium {
  readonly url: string;
  readonly port: number;
  /** The shared token; null when none is needed. */
  readonly token: string | null;
  /** Settles when the log or a projection can go on no more. */
  readonly stopped: Promise<LogFault | undefined>;
  readonly close: (reason?: string) => Promise<void>;
}

/** Long enough for the good-bye to leave before the close frame follows it. */
const GOODBYE_MS = 15;
/** How many devices may ask from one address, and how soon one more. */
const PAIRING_QUESTIONS = { tries: 5, refillMs: 60_000 };
const clock: Clock = { now: () => Date.now() };

export async function openAtrium(surface: Surface): Promise<Atrium> {
  const { config, home, version } = surface;
  const uptimeMs = since(clock.now());
  // Whatever fails, here or on the way out, everything that was opened is closed, last opened first.
  await using opened = new AsyncDisposableStack();
  const log = opened.use(await openLog(config, home));
  const conversations = createConversations();
  const devices = createDevices();
  const runs = createRuns();
  const nodes = createNodes();
  const all = [conversations, devices, runs, nodes];
  const projections = opened.use(await openProjections(log, all));
  const dispatch = createDispatch({ log, clock, settled: projections.settled });
  const fanout = createFanout(config.limits.maxBufferedBytes);
  const vitals = opened.use(openVitals());
  const token = config.auth === "none" ? null : (config.token ?? home.secret("token"));
  const connections = (): number => listener.connections;
  let isReady = false;
  let goodbye = "gateway stopping";

  const facts: ServerFacts = {
    version,
    statePath: home.folder,
    engine: config.log,
    uptimeMs,
    connections,
    position: () => ({ epoch: log.epoch, seq: log.head }),
    loop: vitals.loop,
  };
  const director = opened.use(composeDirector(surface, { log, conversations, runs, dispatch }));
  const parts = { token, facts, log, conversations, devices, nodes, dispatch, fanout, director };
  const gateway = composeGateway(surface, parts, opened);
  projections.onBatch(gateway.onBatch);
  projections.onBatch(director.onBatch);
  await gateway.resume();

  const operations = createOperations({
    version,
    isReady: () => isReady,
    uptimeMs,
    connections,
    strangers: () => listener.strangers,
    logHead: () => log.head,
    maySeeFigures: (request) => isFromThisMachine(request) || hasBearer(request, token),
  });
  const answer = getRequestListener(operations.fetch);
  const listener = createListener({
    limits: config.limits,
    gate: config,
    now: () => performance.now(),
    serve: (request, response) => void answer(request, response),
    rooms: new Map([["/", gateway]]),
    atTurnEnd: fanout.atTurnEnd,
  });
  opened.defer(() => listener.close(CLOSE.serviceRestart, "service restart"));
  opened.defer(async () => {
    isReady = false;
    gateway.close(goodbye);
    await setTimeout(GOODBYE_MS);
  });

  await director.recover();
  const port = await listener.open(config.host, config.port);
  isReady = true;
  const stopped = Promise.race([log.stopped, projections.stopped.then(() => undefined)]);
  const held = opened.move();
  const close = (reason = goodbye): Promise<void> => {
    goodbye = reason;
    return held.disposeAsync();
  };
  return { url: urlOf(config.host, port), port, token, stopped, close };
}

/** What every room is made from. */
interface Parts {
  readonly token: string | null;
  readonly facts: ServerFacts;
  readonly log: Log;
  readonly conversations: Conversations;
  readonly devices: Devices;
  readonly nodes: Nodes;
  readonly dispatch: Dispatch;
  readonly fanout: Fanout;
  readonly director: Director;
}

function composeDirector(surface: Surface, parts: DirectedParts): Director {
  const { config, home, report } = surface;
  const { budgets } = config;
  return createDirector({
    ...parts,
    crew: config.crew,
    runtimeOf: chooseRuntimes(surface),
    blobs: createBlobs(home.blobsFolder),
    tools: createToolbox([]),
    asking: {
      ask: () => Promise.resolve(null),
      requestPermission: () => Promise.resolve("denied"),
    },
    budgets: { run: budgets.run.tokens, conversation: budgets.conversation.tokens },
    limits: config.limits,
    ids: { next: randomUUID },
    now: () => clock.now(),
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    report,
  });
}

function chooseRuntimes({ config, readEnv }: Surface): (agentId: string) => AgentRuntime {
  const runtimes = createRuntimes(config.runtimes, readEnv);
  const chosen = new Map(config.crew.map(({ id, runtime }) => [id, runtimes.get(runtime)]));
  return (agentId) => {
    const runtime = chosen.get(agentId);
    if (runtime === undefined) throw new Fault("an agent without a runtime", { agentId });
    return runtime;
  };
}

type DirectedParts = Pick<Parts, "log" | "conversations" | "dispatch"> & {
  readonly runs: RunsProjection;
};

function composeGateway(
  { config, home, report }: Surface,
  parts: Parts,
  opened: AsyncDisposableStack,
): GatewayRoom {
  const { token, facts, log, conversations, devices, nodes, dispatch, fanout, director } = parts;
  const { maxPayloadBytes, maxBufferedBytes, tickIntervalMs, healthIntervalMs } = config.limits;
  const { wrongTokenTries: tries, wrongTokenRefillMs: refillMs } = config.limits;
  const deviceToken = createDeviceToken(home.secret("device-secret"));
  const attempts = new Attempts({ tries, refillMs }, clock);
  const ids = { next: randomUUID };
  const pairings = openPairingRequests({
    devices,
    dispatch,
    ids,
    clock,
    attempts: new Attempts(PAIRING_QUESTIONS, clock),
    lifetimeMs: config.limits.pairingRequestMs,
    report,
  });
  opened.defer(() => pairings.close());
  const { crew } = config;
  const transcript = createTranscript(log);
  const readInvocation = createInvocationReader(log);
  return openGatewayRoom({
    clock,
    handshake: createHandshake({
      token,
      deviceToken,
      attempts,
      pairings,
      devices,
      dispatch,
      clock,
    }),
    chat: {
      dispatch,
      desk: director.desk,
      runs: director.reports,
      ids,
      crew,
      conversations,
      transcript,
      modelOf: director.modelOf,
    },
    live: director.live,
    nodes: { nodes, devices, dispatch, ids, deviceToken, readInvocation },
    reports: { conversations, crew, facts },
    policy: { maxPayload: maxPayloadBytes, maxBufferedBytes, tickIntervalMs },
    healthIntervalMs,
    authMode: config.auth,
    bootId: randomUUID(),
    newChallenge: () => ({ nonce: randomUUID(), ts: clock.now() }),
    openAudience: (present) => fanout.openAudience(present),
    report,
  });
}

function since(started: number): () => number {
  return () => clock.now() - started;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}

function openLog({ log, durability }: Config, home: Home): Promise<Log> {
  switch (log) {
    case "memory":
      return Promise.resolve(openMemoryLog());
    case "sqlite":
      return openSqliteLog({ file: home.logFile, durability });
  }
}
