/**
 * The one place where the parts meet. Everything is made here and handed what it needs; nothing else
 * knows how the whole is built. Imported by main.ts and by test kits only.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LogFault } from "@atrium/log";
import { CLOSE } from "@atrium/wire";
import { AuthAttempts } from "../access/auth-attempts.ts";
import { createFailureJournal } from "../access/failure-journal.ts";
import { createFanout } from "../fanout/fanout.ts";
import { createClosingReport } from "../platform/closing-report.ts";
import type { Home } from "../platform/home.ts";
import { openVitals } from "../platform/loop-monitor.ts";
import { clock, ids } from "../platform/system-clock.ts";
import type { BridgeSessions } from "../rooms/bridge/sessions/bridge-sessions.ts";
import type { ServerFacts } from "../rooms/gateway/state/health-reports.ts";
import type { RunDirector } from "../runs/run-director.ts";
import { checkToken } from "../settings/read-config.ts";
import { composeAccess, composeLogins, composeSecrets } from "./access.ts";
import { composeAgents } from "./agents.ts";
import { BRIDGE_PATH, composeBridge } from "./bridge.ts";
import { composeBuilders, composeBuilds } from "./builds.ts";
import { composeEraser } from "./eraser.ts";
import { composeGateway } from "./gateway.ts";
import { composeHumanInput } from "./human-input.ts";
import { composeListener } from "./listener.ts";
import { composeOpenai, composeToolbox } from "./openai.ts";
import type { ServerOptions } from "./part.ts";
import { listenToLog, recoverParts, sayGoodbye, type Parts } from "./parts.ts";
import { composeProjects } from "./projects.ts";
import { composeRuns, composeTurns } from "./runs.ts";
import { composeSignals } from "./signals.ts";
import { openState } from "./state.ts";
import { composeWorld } from "./world.ts";

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

export async function openAtrium(surface: ServerOptions): Promise<Atrium> {
  const closing = createClosingReport(surface);
  const atrium = await compose({ ...surface, report: closing.report });
  const close = (reason?: string): Promise<void> => {
    closing.close();
    return atrium.close(reason);
  };
  return { ...atrium, close };
}

async function compose(surface: ServerOptions): Promise<Atrium> {
  const { config, home, version, report } = surface;
  const uptimeMs = since(clock.now());
  // Whatever fails, here or on the way out, everything that was opened is closed, last opened first.
  await using opened = new AsyncDisposableStack();
  const state = await openState(surface, opened);
  const { log, projections } = state;
  const fanout = createFanout(config.limits.maxBufferedBytes);
  const vitals = opened.use(openVitals());
  const token = config.auth === "none" ? null : (config.token ?? keptToken(home));
  let { port } = config;
  const url = (): string => urlOf(config.host, port);
  let isReady = false;
  let goodbye = "gateway stopping";

  const facts: ServerFacts = {
    version,
    statePath: home.folder,
    engine: config.log,
    uptimeMs,
    connections: () => listener.connections,
    position: () => ({ epoch: log.epoch, seq: log.head }),
    loop: vitals.loop,
  };
  const people = composeHumanInput(surface, state);
  opened.defer(() => people.deadlines.close());
  const common = { ...state, crew: config.crew, limits: config.limits, clock, ids, report };
  const turns = composeTurns(surface, people.asking);
  const toolbox = composeToolbox({ ...common, ...turns }, () => director);
  const attempts = createAttempts(surface);
  const secrets = composeSecrets(surface, state, token, () => bridge.sessions);
  const later = { attempts, bridge: () => bridge.sessions, reports: () => director.reports };
  const agents = await composeAgents(surface, { toolbox, secrets, ...turns, ...later }, opened);
  const builders = { ...agents, runtimeOf: composeBuilders(state, agents.runtimeOf) };
  const director: RunDirector = opened.use(composeRuns(surface, state, { ...turns, ...builders }));
  const bridge = composeBridge({ ...common, ...agents, attempts, url });
  const door = composeAccess(surface, state, { token, attempts, ...agents });
  const builds = composeBuilds(surface, state, { director, ...turns, ...people, ...door });
  const crew = { toolbox, termsOf: agents.termsOf, asking: turns.asking, guests: [builds.guest] };
  const eraser = composeEraser(surface, state, () => Object.values(all));
  const parts = { eraser, token, attempts, door, facts, state, fanout, director, people, ...crew };
  const gateway = composeGateway(surface, parts, opened);
  const projects = composeProjects(surface, { ...parts, ...turns }, opened);
  const all: Parts = {
    eraser,
    login: composeLogins(door, () => listener),
    gateway: { ...gateway, sockets: { "/": gateway } },
    bridge: { sockets: { [BRIDGE_PATH]: bridge.room } },
    http: composeOpenai({ ...common, director, toolbox, access: door.access }),
    signals: composeSignals(surface, { state, fanout, director, door }),
    ...people.parts,
    builds: builds.part,
    director,
    projects,
    world: composeWorld(surface, { ...parts, ...turns, ...projects }),
  };
  listenToLog(all, projections);

  const listener = composeListener(surface, Object.values(all), {
    ...door,
    atTurnEnd: fanout.atTurnEnd,
    isReady: () => isReady,
    uptimeMs,
    state,
  });
  opened.defer(() => listener.close(CLOSE.serviceRestart, "service restart"));
  opened.defer(async () => {
    isReady = false;
    await sayGoodbye(all, goodbye, report);
    await setTimeout(GOODBYE_MS);
  });

  await recoverParts(all, report);
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

/** A wrong token costs a try, whichever way it came in. */
function createAttempts({ config, note }: ServerOptions): AuthAttempts {
  const { wrongTokenTries: tries, wrongTokenRefillMs: refillMs } = config.limits;
  return new AuthAttempts({ tries, refillMs }, clock, createFailureJournal(note, clock));
}

function keptToken(home: Home): string {
  const token = home.secret("token");
  checkToken(token, join(home.folder, "token"));
  return token;
}

function since(started: number): () => number {
  return () => clock.now() - started;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}
