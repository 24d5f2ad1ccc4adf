import { randomBytes } from "node:crypto";
import {
  Fault,
  idIn,
  joinedSession,
  type Approvals,
  type BatchListener,
  type Dispatch,
  type JoinedSessionEvent,
  type JoinedSessions,
  type Projects,
  type Questions,
} from "@atrium/core";
import type { AuthAttempts } from "../../access/auth-attempts.ts";
import { createHookAccess, HOOK_SECRET } from "../../access/hook-access.ts";
import type { OriginOf } from "../../access/request-origin.ts";
import { knownSecrets, maskDeep } from "../../agents/turn/mask.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { Relay } from "../../cluster/relay.ts";
import { identityOf } from "../../confinement/process-tree.ts";
import type { HttpApp } from "../../http/api.ts";
/**
 * Sessions that people start in their terminals, put together: their door, and who notices that they are gone. Part of
 * compose.ts, and imported by it alone.
 */
import { bodyLimitsOf } from "../../http/body-limits.ts";
import type { HumanInput } from "../../human-input/human-input.ts";
import { followDaemon, type DaemonFollower } from "../../joined/codex/follow-daemon.ts";
import { watchDepartures, type DepartureDeps } from "../../joined/departures.ts";
import { HeldRequests } from "../../joined/held-requests.ts";
import { removeHookAddress, writeHookAddress } from "../../joined/hook-address.ts";
import { createJoinedIntake } from "../../joined/joined-intake.ts";
import { LeftMessages } from "../../joined/left-messages.ts";
import { LiveSessions } from "../../joined/live-sessions.ts";
import { watchLostNodes } from "../../joined/lost-nodes.ts";
import { MessageWaits } from "../../joined/message-waits.ts";
import { createOwnSessions, type OwnSessions } from "../../joined/own-sessions.ts";
import { SessionWaker } from "../../joined/qwen/session-waker.ts";
import { SessionWaits } from "../../joined/session-waits.ts";
import {
  claudeFolder,
  createFinders,
  RUNNING_PATTERNS,
} from "../../joined/sightings/program-finders.ts";
import { createReadStatus } from "../../joined/sightings/registry-file.ts";
import { createFindRunning, isOfAgents } from "../../joined/sightings/running-programs.ts";
import { watchInterruptions } from "../../joined/sightings/watch-interruptions.ts";
import {
  watchSightings,
  type SightingDeps,
  type Sightings,
} from "../../joined/sightings/watch-sightings.ts";
import { createFindCaller } from "../../joined/tasks/session-caller.ts";
import { createSessionTools } from "../../joined/tasks/session-tools.ts";
import { createTaskConsent } from "../../joined/tasks/task-consent.ts";
import { taskDeskAnywhere } from "../../joined/tasks/task-desk-anywhere.ts";
import { createTaskDesk, type TaskDesk } from "../../joined/tasks/task-desk.ts";
import { createTaskMessages } from "../../joined/tasks/task-messages.ts";
import type { Home } from "../../platform/home.ts";
import { localUrl } from "../../platform/local-url.ts";
import { clock, ids } from "../../platform/system-clock.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createHooksApi, HOOKS_PATH } from "../../rooms/joined/hooks-api.ts";
import { createToolsApi } from "../../rooms/joined/tools-api.ts";
import { SIGNAL_HOOKS_PATH } from "../../rooms/signal/inbound/post-hook.ts";
import type { Config } from "../../settings/read-config.ts";
import type { OpenGuests } from "./guests.ts";

interface JoinedOptions {
  readonly config: Pick<Config, "limits" | "sightings">;
  readonly home: Home;
  readonly readEnv: (name: string) => string | undefined;
  readonly report: (fault: Fault) => void;
}

interface JoinedParts {
  readonly state: {
    readonly dispatch: Dispatch;
    readonly joinedSessions: JoinedSessions;
    readonly approvals: Approvals;
    readonly questions: Questions;
    readonly projects: Projects;
    readonly cluster: Cluster;
    readonly relay: Pick<Relay, "atDirector" | "mirror">;
    /** Of the director. */
    readonly direct: Dispatch;
  };
  readonly people: { readonly humanInput: HumanInput };
  readonly attempts: AuthAttempts;
  readonly auth: { readonly originOf: OriginOf };
  /** What must not be in any text of a session. */
  readonly secrets: () => readonly string[];
  readonly guests: OpenGuests;
}

export interface OpenJoinedSessions {
  readonly forWorld: { readonly liveSessions: LiveSessions };
  readonly part: {
    readonly apps: readonly HttpApp[];
    readonly onBatch: BatchListener;
    readonly recover: () => Promise<void>;
    readonly onSettings: () => Promise<void> | undefined;
    readonly close: () => void;
  };
  /** Lets hooks find the server, once it is open. */
  readonly announce: (url: string) => void;
}

const HOOK_FILES = [
  ["joined.curl", HOOKS_PATH],
  ["signals.curl", SIGNAL_HOOKS_PATH],
] as const;
const MESSAGE_LEFT: JoinedSessionEvent["type"] = "joined-session.message_left";
/** By then a hook that waits has come back after a restart. */
const RETURN_MS = 60_000;

export function composeJoinedSessions(
  { config, home, readEnv, report }: JoinedOptions,
  { state, people, attempts, auth, secrets, guests }: JoinedParts,
  opened: AsyncDisposableStack,
): OpenJoinedSessions {
  const { dispatch, joinedSessions: sessions, approvals, questions } = state;
  const { limits } = config;
  const live = new LiveSessions(clock, state.relay.mirror);
  const secret = home.secret(HOOK_SECRET);
  const mask = (value: unknown): unknown => maskDeep(value, knownSecrets([...secrets(), secret]));
  const onFault = (cause: unknown): void =>
    report(new Fault("news of a joined session was not taken in", {}, cause));
  const { humanInput } = people;
  const { cluster } = state;
  const node = cluster.bus && cluster.node;
  const own = createOwnSessions(sessions, node);
  const isOwn = own.has;
  const held = new HeldRequests({ approvals, questions, humanInput, limits, mask, isOwn });
  const messages = new LeftMessages({ dispatch, sessions });
  const watched = { dispatch, sessions, live, held, identityOf, node };
  const followed = { ...watched, messages, mask, onFault, homeFolder: home.folder };
  const woken = { ...followed, receiptSecret: randomBytes(32).toString("hex") };
  const sighted = { ...watched, own, mask, onFault };
  let codex: DaemonFollower | undefined;
  let qwen: SessionWaker | undefined;
  let sightings: Sightings | undefined;
  const access = createHookAccess({ secret, attempts, originOf: auth.originOf });
  const door = { access, limits: bodyLimitsOf(limits), report };
  const waits = new SessionWaits({
    isDue: (id) => sessions.get(id)?.activity === "idle" && messages.hasWaiting(id),
    onChange: (id, canWake) => live.setWakeable(id, canWake),
  });
  const messageWaits = new MessageWaits(systemTimers);
  const intake = createJoinedIntake({ ...watched, messages, waits, messageWaits, mask });
  const hooks = createHooksApi({ ...door, intake, onFault });
  const tools = createToolsApi({
    ...door,
    tools: createSessionTools({
      desk: openTaskDesk(state, guests, { folder: home.folder, onFault }),
      findCaller: createFindCaller({ sessions: own, identityOf }),
      mask: (text) => String(mask(text)),
    }),
  });
  return {
    forWorld: { liveSessions: live },
    part: {
      apps: [hooks, tools],
      onBatch(entries) {
        messageWaits.onBatch(entries);
        noticeSessions(entries, sessions, waits);
        tellReached(entries, codex, qwen);
      },
      async recover() {
        codex = opened.use(followDaemon({ ...followed, clock, timers: systemTimers }));
        qwen = opened.use(new SessionWaker({ ...woken, own, clock, timers: systemTimers }));
        watchOwn({ ...watched, own, onFault }, state, readEnv, opened);
        const cancel = systemTimers.after(RETURN_MS, () => {
          held.withdrawUnattended().catch(onFault);
        });
        opened.defer(cancel);
        sightings = opened.use(openSightings(sighted, config, readEnv));
        await sightings.look();
      },
      onSettings: () => sightings?.look(),
      close() {
        held.close();
        waits.close();
        messageWaits.close();
      },
    },
    announce(url) {
      for (const [file, path] of HOOK_FILES) {
        writeHookAddress(home.folder, file, { url: localUrl(path, url).href, secret });
        opened.defer(() => removeHookAddress(home.folder, file));
      }
    },
  };
}

type Watched = Omit<DepartureDeps, "clock" | "timers" | "sessions"> & {
  readonly sessions: JoinedSessions;
  readonly own: OwnSessions;
};

/** Who sees that sessions of this node end or rest, and the director that those of a lost one do. */
function watchOwn(
  watched: Watched,
  { cluster, direct }: JoinedParts["state"],
  readEnv: JoinedOptions["readEnv"],
  opened: AsyncDisposableStack,
): void {
  const { sessions, own } = watched;
  const seen = { ...watched, sessions: own, clock, timers: systemTimers };
  opened.use(watchDepartures(seen));
  const statuses = new Map([["claude-code", createReadStatus(claudeFolder(readEnv))]]);
  opened.use(watchInterruptions({ ...seen, statuses }));
  if (cluster.bus === undefined) return;
  opened.use(watchLostNodes({ ...seen, sessions, cluster, dispatch: direct }));
}

function openTaskDesk(
  state: JoinedParts["state"],
  { turns }: OpenGuests,
  { folder, onFault }: { readonly folder: string; readonly onFault: (cause: unknown) => void },
): TaskDesk {
  const mayTake = createTaskConsent(folder, process.getuid?.());
  turns.listen(createTaskMessages({ ...state, ids, onFault }));
  const { atDirector } = state.relay;
  return taskDeskAnywhere(createTaskDesk({ ...state, turns, clock }), { atDirector, mayTake });
}

function openSightings(
  sighted: Pick<
    SightingDeps,
    "dispatch" | "sessions" | "own" | "live" | "mask" | "onFault" | "node"
  >,
  { sightings }: JoinedOptions["config"],
  readEnv: JoinedOptions["readEnv"],
): Sightings {
  return watchSightings({
    ...sighted,
    finders: createFinders({ readEnv, identityOf, isOfAgents, clock }),
    findRunning: createFindRunning(RUNNING_PATTERNS, clock),
    isWatched: (program) => new Map(Object.entries(sightings)).get(program) === true,
    owner: readEnv("USER") ?? null,
    clock,
    timers: systemTimers,
  });
}

/** Programs that are reached by themselves: at a daemon, or at a socket of the session. */
function tellReached(
  entries: Parameters<BatchListener>[0],
  codex: DaemonFollower | undefined,
  qwen: SessionWaker | undefined,
): void {
  for (const { stream, type } of entries) {
    const id = idIn(joinedSession, stream);
    if (id === undefined) continue;
    if (type === MESSAGE_LEFT) codex?.deliver(id);
    qwen?.look(id);
  }
}

/** Whoever waits for something of a session looks again. */
function noticeSessions(
  entries: Parameters<BatchListener>[0],
  sessions: JoinedSessions,
  waits: SessionWaits,
): void {
  for (const { stream } of entries) {
    const id = idIn(joinedSession, stream);
    if (id === undefined) continue;
    if (sessions.get(id)?.isHere === true) waits.look(id);
    else waits.letGo(id);
  }
}
