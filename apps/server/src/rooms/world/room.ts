/** The world room: an office people look into, and steer. */
import type { BucketRules } from "@atrium/core";
import { WORLD_VERSION } from "@atrium/wire/world";
import type { Terminals } from "../../agents/terminal/terminals.ts";
import type { Trouble } from "../../cluster/trouble.ts";
import type { LiveSessions } from "../../joined/live-sessions.ts";
import { createMethodRouter } from "../../pipeline/method-router.ts";
import type { Room } from "../../sockets/peer.ts";
import { createCommands, type CommandDeps } from "./commands/commands.ts";
import { createWorldProtocol, messageMethods } from "./inbound/protocol.ts";
import { WorldSession, type WorldSessionDeps } from "./inbound/session.ts";
import { createMessageReader, type MessageReader } from "./messages/read-message.ts";
import { createWorldEgress, type WorldEgress, type WorldEgressDeps } from "./outbound/egress.ts";
import { snapshotAt, type SnapshotSources } from "./snapshots/snapshot.ts";

export interface WorldLimits {
  readonly worldSilenceMs: number;
  readonly worldCommandBurst: number;
  readonly worldCommandRefillMs: number;
  readonly worldPlayerPosBurst: number;
  readonly worldPlayerPosRefillMs: number;
}

export type WorldRoomDeps = Omit<CommandDeps, "onPlayerMoved"> &
  Omit<WorldEgressDeps, "sceneId" | "look" | "isAnythingMoving"> &
  Pick<WorldSessionDeps, "authenticate"> & {
    readonly version: string;
    readonly trouble: Pick<Trouble, "reason" | "onChange">;
    readonly liveSessions: Pick<LiveSessions, "onChange">;
    readonly terminals: Pick<Terminals, "onChange">;
    readonly scenery: SnapshotSources;
    readonly limits: WorldLimits;
  };

export interface WorldRoom
  extends Room, Pick<WorldEgress, "onBatch" | "changed" | "recover" | "forget" | "close"> {}

export function openWorldRoom(deps: WorldRoomDeps): WorldRoom {
  const { scenery, limits, log, viewers, authenticate, clock, timers, nextNumber, report } = deps;
  const { sceneId, view } = scenery;
  const { translate, crew, projects, live, liveChecks, openAudience, trouble } = deps;
  const egress = createWorldEgress({
    log,
    sceneId,
    translate,
    crew,
    projects,
    live,
    liveChecks,
    openAudience,
    nextNumber,
    clock,
    timers,
    limits,
    report,
    look: (time) => snapshotAt(scenery, time, { viewers: viewers.list(), trouble: trouble.reason }),
    isAnythingMoving: (time) => view.isAnythingMoving(time),
  });
  viewers.onChangeElsewhere(() => egress.changed());
  trouble.onChange(() => egress.changed());
  deps.liveSessions.onChange(() => egress.changed());
  deps.terminals.onChange(() => egress.changed());
  const commands = createCommands({ ...deps, onPlayerMoved: () => egress.changed() });
  const call = createMethodRouter([...messageMethods(), ...commands], report);
  const session = (reader: MessageReader): WorldSessionDeps => ({
    authenticate,
    clock,
    timers,
    nextNumber,
    protocol: createWorldProtocol({ reader, clock, nextNumber }),
    call,
    limits,
    commandRules: bucketRules(
      () => limits.worldCommandBurst,
      () => limits.worldCommandRefillMs,
    ),
    playerRules: bucketRules(
      () => limits.worldPlayerPosBurst,
      () => limits.worldPlayerPosRefillMs,
    ),
    welcome: (sessionId, resume) => ({
      session_id: sessionId,
      protocol_version: WORLD_VERSION,
      protocol_v: WORLD_VERSION,
      server: { name: "atrium", version: deps.version },
      scene_id: sceneId,
      seq: egress.seq,
      epoch: log.epoch,
      ...(resume !== undefined && { resume }),
    }),
    egress,
    hasScene: (id) => id === sceneId,
    onLeft(viewerId) {
      if (viewers.leave(viewerId)) egress.changed();
    },
  });
  // One set of checks for everyone, compiled for the first who comes.
  let common: WorldSessionDeps | undefined;
  return {
    open(peer) {
      common ??= session(createMessageReader());
      return new WorldSession(peer, common);
    },
    onBatch: egress.onBatch,
    changed: () => egress.changed(),
    recover: () => egress.recover(),
    forget: () => egress.forget(),
    close: () => egress.close(),
  };
}

/** An empty bucket is full again after `refillMs`. */
function bucketRules(capacity: () => number, refillMs: () => number): BucketRules {
  return {
    get capacity() {
      return capacity();
    },
    get refillTokens() {
      return capacity();
    },
    get refillMs() {
      return refillMs();
    },
  };
}
