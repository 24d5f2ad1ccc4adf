/**
 * The one place where the parts meet. Everything is made here and handed what it needs; nothing else
 * knows how the whole is built. Imported by main.ts and by test kits only.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LogFault } from "@atrium/log";
import { CLOSE } from "@atrium/wire";
import { AuthAttempts, type AuthAttemptRules } from "../access/auth-attempts.ts";
import { createFailureJournal } from "../access/failure-journal.ts";
import { homeMark } from "../confinement/left-sandboxes.ts";
import { createFanout } from "../fanout/fanout.ts";
import type { Endpoint } from "../http/api.ts";
import type { Listener } from "../listen/listener.ts";
import { createClosingReport } from "../platform/closing-report.ts";
import type { Home } from "../platform/home.ts";
import { openVitals } from "../platform/loop-monitor.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { createRepositoryCatalog } from "../repositories/repository-catalog.ts";
import type { BridgeSessions } from "../rooms/bridge/sessions/bridge-sessions.ts";
import type { GatewayExtension } from "../rooms/gateway/extension.ts";
import type { ServerFacts } from "../rooms/gateway/state/health-reports.ts";
import type { RunDirector } from "../runs/run-director.ts";
import { checkToken, type Config } from "../settings/read-config.ts";
import { composeAccess, composeLogins, composeSecrets } from "./access.ts";
import { composeAgents } from "./agents.ts";
import { BRIDGE_PATH, composeBridge, type Bridge } from "./bridge.ts";
import { composeBuilders, composeBuilds } from "./builds.ts";
import { openDirection } from "./cluster/direction.ts";
import { composeGateway } from "./gateway.ts";
import { composeHumanInput } from "./human-input.ts";
import { composeGuests, withGuests } from "./joined/guests.ts";
import { composeJoinedSessions } from "./joined/joined-sessions.ts";
import { composeTerminals } from "./joined/terminals.ts";
import { composeListener } from "./listener.ts";
import { composeOpenai } from "./openai.ts";
import {
  directParts,
  listenToLog,
  recoverParts,
  sayGoodbye,
  tellSettings,
  type Parts,
  type ServerOptions,
} from "./parts.ts";
import { composeProjects, composeRequests } from "./projects.ts";
import { composeEraser, composeRuns, composeTurns, partOf } from "./runs.ts";
import { openLiveOptions, type LiveSettings } from "./settings/live-options.ts";
import { composeSettings } from "./settings/settings.ts";
import type { Shared } from "./shared.ts";
import { composeSignals } from "./signals.ts";
import { openState, type State } from "./state.ts";
import { composeMachine, composeTools, openConfinement } from "./tools.ts";
import { composeChanges } from "./workshop/changes.ts";
import { composeFiles } from "./workshop/files.ts";
import type { Previews } from "./workshop/previews.ts";
import { composeRepositories } from "./workshop/repositories.ts";
import { composeWorkspaces, openWorkshop, type Workshop } from "./workshop/workspaces.ts";
import { composeWorld } from "./world.ts";

export interface Atrium {
  /** The settings in effect; those that may change while it runs follow. */
  readonly config: Config;
  readonly url: string;
  readonly port: number;
  /** The shared token; null when none is needed. */
  readonly token: string | null;
  /** Conversations that a Claude Code serves. */
  readonly bridge: BridgeSessions;
  /** Settles when the log or a projection has failed for good. */
  readonly stopped: Promise<LogFault | undefined>;
  /** Settles with the reason when another node directs in its place: close it and open it again. */
  readonly lost: Promise<string>;
  readonly close: (reason?: string) => Promise<void>;
}

type LiveOptions = ServerOptions & LiveSettings;

/** Long enough for the good-bye to leave before the close frame follows it. */
const GOODBYE_MS = 15;

export async function openAtrium(options: ServerOptions): Promise<Atrium> {
  const closing = createClosingReport(options);
  const live = openLiveOptions({ ...options, report: closing.report });
  const atrium = await compose(live);
  const close = (reason?: string): Promise<void> => {
    closing.close();
    return atrium.close(reason);
  };
  return { ...atrium, config: live.config, close };
}

async function compose(options: LiveOptions): Promise<Omit<Atrium, "config">> {
  const { config, home, note, report } = options;
  const uptimeMs = since(clock.now());
  // Whatever fails, here or while closing, everything that was opened is closed, last opened first.
  await using opened = new AsyncDisposableStack();
  let { port } = config;
  const url = (): string => urlOf(config.host, port);
  const state = await openState(options, url, opened);
  const fanout = createFanout(config.limits);
  const token = config.auth === "none" ? null : (config.token ?? keptToken(home));
  let isReady = false;
  let goodbye = "gateway stopping";

  const doors = { listener: () => listener, previews: () => team.workshop.previews };
  const facts = factsOf(options, state, { uptimeMs, loop: opened.use(openVitals()).loop }, doors);
  const people = composeHumanInput(options, state);
  const attempts = createAttempts(options);
  const repositories = createRepositoryCatalog(config.repositories, state.repositories);
  const given = { state, people, token, attempts, repositories };
  const team = await composeTeam(options, given, url, opened);
  const { director, directing, bridge, isOfAgent, submitRequest, blobs, crew, changing } = team;
  const auth = composeAccess(options, { state, token, attempts }, isOfAgent);
  const work = { state, director, people, blobs, repositories, ...changing };
  const momentFiles: Endpoint = (request) => files.buildFiles(request);
  const builds = composeBuilds(options, work, momentFiles, auth.access, directing);
  const files = composeFiles(options, work, team.workshop, builds.commands, auth);
  const listParts = () => Object.values(all);
  const { eraser, ...erasing } = composeEraser(options, state, team.workshop, listParts);
  const attaching = composeRepositories(options, storesOf(work, team.workshop), auth.access);
  const onChange = (): Promise<void> => tellSettings(all, report);
  const settings = composeSettings(options, { state, ...team, onChange }, auth.access);
  const machine = composeMachine(options, { state, ...team.machine }, auth.access, opened);
  const extensions = extensionsOf(builds, files, attaching, machine, settings, team.terminals);
  const parts = { state, people, token, attempts, auth, fanout, crew, facts, extensions, eraser };
  const gateway = composeGateway(options, parts, opened);
  const projects = composeProjects(options, work, team.workshop.use, directing);
  const joined = composeJoinedSessions(options, { ...given, ...team, auth }, opened);
  const shown = { ...work, ...files.forWorld, fanout, auth, submitRequest, ...joined.forWorld };
  const all: Parts = {
    // Before whatever begins under the settings.
    settings,
    // And then: whoever takes up work must find what an earlier life left cleared away.
    workspaces: composeWorkspaces(options, work, team.workshop, auth.access),
    eraser: erasing,
    login: composeLogins(auth, () => listener),
    gateway,
    bridge: { sockets: { [BRIDGE_PATH]: bridge.room } },
    // Before what answers to every other path below /v1.
    signals: composeSignals(options, { state, fanout, director, auth, attempts }),
    http: composeOpenai(options, { state, ...crew }, auth.access),
    humanInput: people.parts.humanInput,
    polling: people.parts.pollCommands,
    builds: builds.part,
    // Before the world, whose versions of artifacts would answer to its paths.
    files: files.part,
    machine,
    director: partOf(director),
    projects,
    repositories: attaching,
    joined: joined.part,
    world: composeWorld(options, shown, projects.viewers),
  };
  listenToLog(all, state.projections);
  const direct = (isOpen: () => boolean) => directParts(all, state.projections, { report, isOpen });
  const direction = openDirection({ ...state, direct, directing, note, report });
  opened.defer(() => direction.close());

  const entrance = { auth, atTurnEnd: fanout.atTurnEnd, isReady: () => isReady, uptimeMs, state };
  const listener = composeListener(options, listParts(), entrance);
  opened.defer(() => listener.close(CLOSE.serviceRestart, "service restart"));
  opened.defer(async () => {
    isReady = false;
    await sayGoodbye(all, goodbye, report);
    await setTimeout(GOODBYE_MS);
  });

  await recoverParts(all, report);
  await direction.start();
  port = await openPorts(config, doors);
  joined.announce(url());
  isReady = true;
  const held = opened.move();
  const close = (reason = goodbye): Promise<void> => {
    goodbye = reason;
    return held.disposeAsync();
  };
  return { url: url(), port, token, bridge: bridge.sessions, ...endsOf(state, direction), close };
}

function extensionsOf(...parts: readonly { readonly extension: GatewayExtension }[]) {
  return parts.map(({ extension }) => extension);
}

function endsOf(
  { log, projections }: Pick<State, "log" | "projections">,
  { lost }: Pick<Atrium, "lost">,
): Pick<Atrium, "stopped" | "lost"> {
  const stopped = Promise.race([log.stopped, projections.stopped.then(() => undefined)]);
  return { stopped, lost };
}

function storesOf(
  { state, repositories }: Pick<Shared, "state" | "repositories">,
  { use }: Workshop,
) {
  const { direct: dispatch, relay } = state;
  return { dispatch, catalog: repositories, use, relay };
}

interface Doors {
  readonly listener: () => Listener;
  readonly previews: () => Previews;
}

function factsOf(
  { config, home, version }: ServerOptions,
  { log, view }: Pick<State, "log" | "view">,
  live: Pick<ServerFacts, "uptimeMs" | "loop">,
  { listener, previews }: Doors,
): ServerFacts {
  const position = () => ({ epoch: log.epoch, seq: log.head });
  const connections = () => listener().connections;
  const ports = { connections, previewPort: () => previews().port() };
  const engine = config.nats === undefined ? config.log : "nats";
  const cluster = () => view?.facts();
  return { version, statePath: home.folder, engine, position, cluster, ...ports, ...live };
}

async function openPorts({ host, port }: Config, { listener, previews }: Doors): Promise<number> {
  const open = await listener().open(host, port);
  await previews().listen(port === 0 ? 0 : open);
  return open;
}

type TeamParts = Pick<Shared, "state" | "people" | "token" | "attempts" | "repositories">;

/** Agents with their tools, runs and bridge. Agents need the bridge and the director, and both need agents. */
async function composeTeam(
  options: LiveOptions,
  { state, people, token, attempts, repositories }: TeamParts,
  url: () => string,
  opened: AsyncDisposableStack,
) {
  // By which the processes of agents are known again.
  const mark = `${homeMark(options.home.folder)}.${ids.next()}`;
  const confinement = openConfinement(options, state, mark, opened);
  const turns = composeTurns(options, people.ownHumanInput);
  const acting = { ...state, dispatch: state.direct };
  const needs = { ...acting, repositories, confinement, ...turns };
  const workshop = openWorkshop(options, needs, opened);
  // What acts outside of the log, so that it can be ended before the rest.
  const directing = opened.use(new AsyncDisposableStack());
  directing.defer(() => people.deadlines.close());
  const secrets = (): readonly string[] => agents.secrets();
  const requests = { repositories, blobs: turns.blobs };
  const submitRequest = composeRequests(options, requests, state.dispatch);
  const submitOwn = composeRequests(options, requests, state.direct);
  const useWorkspaces = workshop.use;
  const offered = { secrets, repositories, submitRequest: submitOwn, useWorkspaces };
  const shared = { ...turns, confinement, ...offered };
  const own = composeSecrets(options, state, token, () => bridge.sessions);
  const toolbox = composeTools(options, state, shared, () => director);
  const agents = await composeAgents(
    options,
    options.readKey,
    {
      toolbox,
      secrets: () => [...own(), ...options.keys.values()],
      humanInput: turns.humanInput,
      bridge: () => bridge.sessions,
      attempts,
      mark,
      confinement,
      reports: () => director.reports,
    },
    directing,
  );
  const { policyOf, isOfAgent, bindByHand, prepare } = agents;
  const { runWorkspaces } = workshop;
  const { workspaceOf } = runWorkspaces;
  const runtimeOf = composeBuilders(state, (id, key) =>
    agents.runtimeOf(id, key && runWorkspaces.repositoryOf(id, key)),
  );
  const guests = composeGuests(state);
  const { terminals, extension } = composeTerminals(
    options,
    { ...state, clocks: turns.clocks, intake: () => director.ownIntake },
    directing,
  );
  const crewTerms = withGuests(guests, options.config, {
    policyOf,
    runtimeOf: (id, key) => terminals.attend(runtimeOf(id, key)),
  });
  const director: RunDirector = directing.use(
    composeRuns(options, state, turns, { ...crewTerms, workspaceOf }),
  );
  const bridge: Bridge = composeBridge(options, { attempts, url, bindByHand, state }, opened);
  const kept = { state: acting, repositories, ...turns, confinement, workshop, secrets };
  const changing = { ...composeChanges(options, kept, directing), guests, terminals };
  const crew = { director, toolbox, policyOf, humanInput: turns.humanInput };
  const lent = { guests, terminals: { extension } };
  const made = { crew, director, directing, bridge, workshop, changing, secrets, prepare, ...lent };
  return { ...made, machine: { confinement, mark }, blobs: turns.blobs, isOfAgent, submitRequest };
}

/** A wrong token costs a try, whichever way it came in. */
function createAttempts({ config, note }: ServerOptions): AuthAttempts {
  const { limits } = config;
  const rules: AuthAttemptRules = {
    get tries() {
      return limits.wrongTokenTries;
    },
    get refillMs() {
      return limits.wrongTokenRefillMs;
    },
  };
  return new AuthAttempts(rules, clock, createFailureJournal(note, clock));
}

function keptToken(home: Home): string {
  const token = home.secret("token");
  checkToken(token, join(home.shared, "token"));
  return token;
}

function since(started: number): () => number {
  return () => clock.now() - started;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}
