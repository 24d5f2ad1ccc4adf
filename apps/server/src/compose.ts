/**
 * The one place where the parts meet. Everything is made here and handed what it needs; nothing else
 * knows how the whole is built. Imported by main.ts and by test kits only.
 */
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  createApprovals,
  createConversations,
  createDevices,
  createDispatch,
  createHeartbeats,
  createOfficeLines,
  createPolls,
  createQuestions,
  createRuns,
  createInvocationReader,
  createNodes,
  createTranscript,
  Fault,
  openProjections,
  type Clock,
  type Ids,
} from "@atrium/core";
import { openMemoryLog, openSqliteLog, type Log, type LogFault } from "@atrium/log";
import { CLOSE } from "@atrium/wire";
import { getRequestListener } from "@hono/node-server";
import { Attempts } from "./access/attempts.ts";
import { hasBearer } from "./access/bearer.ts";
import { createHttpAccess } from "./access/http-access.ts";
import { createDeviceToken } from "./access/secrets.ts";
import type { AgentRuntime } from "./agents/agent-runtime.ts";
import { createRuntimes } from "./agents/runtimes.ts";
import { createAsking } from "./asking/asking.ts";
import { createDeadlines } from "./asking/deadlines.ts";
import { askForTurns } from "./asking/for-turns.ts";
import { machineTimers } from "./asking/timers.ts";
import { createBlobs } from "./blobs.ts";
import { createChannels } from "./channels/channel.ts";
import { createOffice } from "./channels/office.ts";
import { createPolling } from "./channels/polling.ts";
import { createWebchat } from "./channels/webchat.ts";
import { BRIDGE_PATH, composeBridge } from "./compose-bridge.ts";
import { composeHttp, composeToolbox } from "./compose-http.ts";
import type { Config } from "./config.ts";
import { createDirector, type Director, type DirectorDeps } from "./director/director.ts";
import { HOUSE_COMMANDS } from "./director/house-commands.ts";
import { createFanout, type Fanout } from "./fanout/fanout.ts";
import type { Home } from "./home.ts";
import { createJournalTail } from "./journal-tail.ts";
import { isFromThisMachine } from "./listen/gatekeeper.ts";
import { createListener } from "./listen/listener.ts";
import { createOperations } from "./listen/operations.ts";
import { createPages, type Pages } from "./listen/pages.ts";
import { createStaticFiles } from "./listen/static-files.ts";
import type { BridgeSessions } from "./rooms/bridge/bridge-sessions.ts";
import { createHandshake } from "./rooms/gateway/handshake.ts";
import { openPairingRequests } from "./rooms/gateway/pairing/pairing-requests.ts";
import type { ServerFacts } from "./rooms/gateway/reports.ts";
import { openGatewayRoom, type GatewayRoom } from "./rooms/gateway/room.ts";
import type { Room } from "./rooms/room.ts";
import { showSettings } from "./shown-settings.ts";
import type { Toolbox } from "./tools/toolbox.ts";
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
  /** Conversations that a Claude Code serves. */
  readonly bridge: BridgeSessions;
  /** Settles when the log or a projection can go on no more. */
  readonly stopped: Promise<LogFault | undefined>;
  readonly close: (reason?: string) => Promise<void>;
}

/** Long enough for the good-bye to leave before the close frame follows it. */
const GOODBYE_MS = 15;
/** How many devices may ask from one address, and how soon one more. */
const PAIRING_QUESTIONS = { tries: 5, refillMs: 60_000 };
const clock: Clock = { now: () => Date.now() };
const ids: Ids = { next: randomUUID };

export async function openAtrium(surface: Surface): Promise<Atrium> {
  const { config, home, version, report } = surface;
  const uptimeMs = since(clock.now());
  // Whatever fails, here or on the way out, everything that was opened is closed, last opened first.
  await using opened = new AsyncDisposableStack();
  const state = await openState(config, home, opened);
  const { log, projections } = state;
  const fanout = createFanout(config.limits.maxBufferedBytes);
  const vitals = opened.use(openVitals());
  const token = config.auth === "none" ? null : (config.token ?? home.secret("token"));
  const connections = (): number => listener.connections;
  let { port } = config;
  const url = (): string => urlOf(config.host, port);
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
  const people = composePeople(surface, state);
  opened.defer(() => people.deadlines.close());
  const { asking } = people;
  const common = { ...state, crew: config.crew, limits: config.limits, clock, ids, report };
  const blobs = createBlobs(home.blobsFolder);
  const turns = { asking: askForTurns(asking, config.crew), blobs };
  const toolbox = composeToolbox({ ...common, ...turns }, () => director);
  const director: Director = opened.use(
    composeDirector(surface, state, { ...turns, tools: toolbox }, opened),
  );
  const attempts = createAttempts(config);
  const bridge = composeBridge({ ...common, attempts, url });
  const parts = { token, attempts, facts, state, fanout, director, people, toolbox };
  const gateway = composeGateway(surface, parts, opened);
  const access = createHttpAccess({ token, attempts, isFromThisMachine });
  const http = composeHttp({ ...common, director, toolbox, access });
  for (const { onBatch } of [gateway, asking, people.polling, director]) {
    projections.onBatch(onBatch);
  }
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
  for (const app of http.apps) operations.route("/", app);
  // Last, because it answers for every path that nobody else has.
  const answer = getRequestListener(operations.route("/", composePages(surface, token)).fetch);
  const listener = createListener({
    limits: config.limits,
    gate: config,
    now: () => performance.now(),
    serve: (request, response) => void answer(request, response),
    rooms: new Map(Object.entries<Room>({ "/": gateway, [BRIDGE_PATH]: bridge.room })),
    atTurnEnd: fanout.atTurnEnd,
  });
  opened.defer(() => listener.close(CLOSE.serviceRestart, "service restart"));
  opened.defer(async () => {
    isReady = false;
    gateway.close(goodbye);
    http.close();
    await setTimeout(GOODBYE_MS);
  });

  await recover(people, director);
  port = await listener.open(config.host, config.port);
  isReady = true;
  const stopped = Promise.race([log.stopped, projections.stopped.then(() => undefined)]);
  const held = opened.move();
  const close = (reason = goodbye): Promise<void> => {
    goodbye = reason;
    return held.disposeAsync();
  };
  return { url: url(), port, token, bridge: bridge.sessions, stopped, close };
}

/** Goes on with, or ends, what an earlier life of the server left under way. */
async function recover({ asking, polling }: People, director: Director): Promise<void> {
  // No run outlives the process, so nobody waits any more for what agents asked before.
  await asking.recover(() => false);
  await polling.recover();
  await director.recover();
}

/** What is kept, and the one way to change it. */
type State = Awaited<ReturnType<typeof openState>>;

async function openState(config: Config, home: Home, opened: AsyncDisposableStack) {
  const log = opened.use(await openLog(config, home));
  const folds = {
    conversations: createConversations(),
    devices: createDevices(),
    runs: createRuns(),
    nodes: createNodes(),
    approvals: createApprovals(),
    questions: createQuestions(),
    polls: createPolls(),
    officeLines: createOfficeLines(),
    heartbeats: createHeartbeats(),
  };
  const projections = opened.use(await openProjections(log, Object.values(folds)));
  const dispatch = createDispatch({ log, clock, settled: projections.settled });
  return { log, ...folds, projections, dispatch };
}

/** What every room is made from. */
interface Parts {
  readonly token: string | null;
  readonly attempts: Attempts;
  readonly facts: ServerFacts;
  readonly state: State;
  readonly fanout: Fanout;
  readonly director: Director;
  readonly people: People;
  readonly toolbox: Toolbox;
}

/** What is asked of people and told to them. */
type People = ReturnType<typeof composePeople>;

function composePeople({ config, report }: Surface, state: State) {
  const { dispatch, approvals, questions, polls } = state;
  const asked = { dispatch, approvals, questions, polls };
  const timers = machineTimers;
  const deadlines = createDeadlines({
    clock,
    timers,
    report: (name, cause) => report(new Fault("a deadline could not be kept", { name }, cause)),
  });
  const asking = createAsking({ ...asked, clock, ids, random: randomInt, deadlines });
  const channels = createChannels(() => clock.now());
  channels.register(createWebchat({ dispatch, ids, crew: config.crew }));
  channels.register(createOffice({ dispatch, ids }));
  const polling = createPolling({ ...asked, channels, clock, deadlines });
  return { ...asked, timers, deadlines, asking, channels, polling };
}

/** A wrong token costs a try, whichever way it came in. */
function createAttempts({ limits }: Config): Attempts {
  const { wrongTokenTries: tries, wrongTokenRefillMs: refillMs } = limits;
  return new Attempts({ tries, refillMs }, clock);
}

function composeDirector(
  surface: Surface,
  state: State,
  turns: Pick<DirectorDeps, "asking" | "blobs" | "tools">,
  opened: AsyncDisposableStack,
): Director {
  const { config, report } = surface;
  const { budgets } = config;
  return createDirector({
    ...state,
    ...turns,
    crew: config.crew,
    runtimeOf: chooseRuntimes(surface, opened),
    budgets: { run: budgets.run.tokens, conversation: budgets.conversation.tokens },
    limits: config.limits,
    ids,
    now: () => clock.now(),
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    report,
  });
}

function chooseRuntimes(
  { config, readEnv }: Surface,
  opened: AsyncDisposableStack,
): (agentId: string) => AgentRuntime {
  const runtimes = createRuntimes(config.runtimes, readEnv, machineTimers);
  for (const runtime of runtimes.values()) opened.defer(() => runtime.close?.());
  const chosen = new Map(config.crew.map(({ id, runtime }) => [id, runtimes.get(runtime)]));
  return (agentId) => {
    const runtime = chosen.get(agentId);
    if (runtime === undefined) throw new Fault("an agent without a runtime", { agentId });
    return runtime;
  };
}

function composeGateway(
  { config, home, report }: Surface,
  parts: Parts,
  opened: AsyncDisposableStack,
): GatewayRoom {
  const { token, attempts, facts, state, fanout, director, people } = parts;
  const { log, conversations, devices, nodes, dispatch } = state;
  const { maxPayloadBytes, maxBufferedBytes, tickIntervalMs, healthIntervalMs } = config.limits;
  const deviceToken = createDeviceToken(home.secret("device-secret"));
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
    heartbeats: state.heartbeats,
    asked: people,
    delivery: people,
    crew: {
      crew: crew.map((member) => ({ ...member, model: director.modelOf(member.handle) })),
      commands: HOUSE_COMMANDS.map((command) => ({ ...command, args: [] })),
      tools: parts.toolbox.declarations,
    },
    operations: {
      desk: director.desk,
      dispatch,
      ids,
      crew,
      readJournal: createJournalTail(home.journalFile),
      settings: () => showSettings(config),
      statePath: home.folder,
    },
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

function composePages({ config, version }: Surface, token: string | null): Pages {
  return createPages({
    version,
    files: config.web === undefined ? undefined : createStaticFiles(config.web),
    crew: config.crew,
    hasToken: (request) => token === null || hasBearer(request, token),
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
