/**
 * World wire: one JSON object per message, `{type, id, ts, v, payload}`.
 *
 * What we send is closed and obeys these schemas to the letter. Of what we receive, `hello` and
 * `subscribe` forgive what they do not know, so that newer clients get in; commands do not.
 */
import { Type, type Static, type TSchema } from "@atrium/schema";
import { AnyObject, Count, Timestamp, strictObject } from "../scalars.ts";
import { CALL_EVENTS, type CallEvent } from "./calls.ts";
import {
  Goal,
  WorldAgent,
  WorldArtifact,
  WorldDecision,
  WorldDecor,
  WorldProject,
  WorldTask,
  WorldViewer,
} from "./entities.ts";
import { WORLD_EVENTS, type WorldEvent } from "./events.ts";
import { AgentId, ArtifactId, Point, ProjectId, SceneId, TaskId } from "./ids.ts";
import { oneOf } from "./one-of.ts";

export const WORLD_VERSION = 1;
/** The versions we speak, best first. */
export const WORLD_VERSIONS: readonly number[] = [WORLD_VERSION];

/** Ours obey the original's pattern; what clients choose may be any name. */
const OurId = Type.String({ pattern: "^[a-z]+_[A-Za-z0-9][A-Za-z0-9_-]*$" });
const TheirId = Type.String({ minLength: 1, maxLength: 128 });
const Version = Type.Integer({ minimum: 1 });

const ours = <const Name extends string, Payload extends TSchema>(name: Name, payload: Payload) =>
  strictObject({
    type: Type.Literal(name),
    id: OurId,
    ts: Type.Integer({ minimum: 1 }),
    v: Version,
    payload,
  });

const theirs = <const Name extends string, Payload extends TSchema>(name: Name, payload: Payload) =>
  Type.Object({
    type: Type.Literal(name),
    id: TheirId,
    ts: Type.Number(),
    v: Version,
    payload,
  });

const RESUME_STATUSES = ["resumed", "snapshot_required", "unsupported"] as const;
export const RESUME_REASONS = [
  "CURSOR_OK",
  "CURSOR_STALE",
  "CURSOR_UNKNOWN",
  "REPLAY_UNAVAILABLE",
  "SERVER_RESTARTED",
] as const;
export const WORLD_ERRORS = [
  "VALIDATION_FAILED",
  "NOT_FOUND",
  "CONFLICT",
  "RATE_LIMITED",
  "NOT_ALLOWED",
  "INTERNAL",
  "PROTOCOL_VERSION_UNSUPPORTED",
] as const;
export const CHANNELS = ["events", "snapshots", "goals", "chat", "agent_stream", "calls"] as const;
export const STREAM_KINDS = ["token", "thought", "code"] as const;

const WorldHelloAck = ours(
  "hello_ack",
  strictObject({
    session_id: Type.String(),
    protocol_version: Version,
    protocol_v: Version,
    server: strictObject({ name: Type.String(), version: Type.String() }),
    scene_id: SceneId,
    /** Where the log stands, and which log it is. */
    seq: Count,
    epoch: Type.String(),
    resume: Type.Optional(
      strictObject({
        status: oneOf(RESUME_STATUSES),
        reason: oneOf(RESUME_REASONS),
        replay_from_seq: Type.Optional(Count),
      }),
    ),
  }),
);

/** The type of a union is lost when its members come as a list. */
const WorldEventMessage = ours(
  "event",
  Type.Unsafe<WorldEvent | CallEvent>(
    Type.Union([...Object.values(WORLD_EVENTS), ...Object.values(CALL_EVENTS)]),
  ),
);

const WorldGoal = ours(
  "agent_goal",
  strictObject({
    seq: Count,
    agent_id: AgentId,
    goal: Goal,
    path: Type.Array(Point),
    speed_mps: Type.Number({ minimum: 0 }),
    arrival_radius: Type.Number({ minimum: 0 }),
    /** When it set out: where it is at any time follows from this and the path. */
    started_at: Timestamp,
    /** What made it go, for people who ask. */
    because: Type.Optional(Type.String()),
  }),
);

const WorldSnapshot = ours(
  "snapshot",
  strictObject({
    scene_id: SceneId,
    seq: Count,
    epoch: Type.String(),
    agents: Type.Array(WorldAgent),
    projects: Type.Array(WorldProject),
    tasks: Type.Array(WorldTask),
    artifacts: Type.Array(WorldArtifact),
    decisions: Type.Array(WorldDecision),
    office_decor: Type.Array(WorldDecor),
    /** Where whoever moved last stands. */
    player: strictObject({ pos: Point, facing: Point }),
    /** Those who said where they are, each with a place of its own; of many the last who moved. */
    viewers: Type.Optional(Type.Array(WorldViewer)),
    /** Why nothing can be changed for the moment; left out while it can. */
    reading_only: Type.Optional(Type.String()),
  }),
);

const SuggestedAction = strictObject({
  /** A command, or something that a page opens; what is not known is not offered. */
  action: Type.String(),
  label: Type.String(),
  /** What it is about, where that is more than the project. */
  task_id: Type.Optional(TaskId),
  artifact_id: Type.Optional(ArtifactId),
  text: Type.Optional(Type.String({ description: "Of submit_request: what is asked for." })),
});
export type SuggestedAction = Static<typeof SuggestedAction>;

const WorldChat = ours(
  "chat",
  strictObject({
    seq: Count,
    thread_id: Type.String(),
    from: Type.String(),
    to: Type.String(),
    text: Type.String(),
    project_id: Type.Optional(ProjectId),
    suggested_actions: Type.Optional(Type.Array(SuggestedAction)),
  }),
);

const WorldStream = ours(
  "agent_stream",
  strictObject({
    stream_id: Type.String(),
    agent_id: AgentId,
    project_id: Type.Optional(ProjectId),
    task_id: Type.Optional(TaskId),
    run_id: Type.Optional(Type.String({ description: "With call_id: of which run the call is." })),
    call_id: Type.Optional(
      Type.String({
        description: "The stream is the output of this tool, or without run_id of this check.",
      }),
    ),
    kind: oneOf(STREAM_KINDS),
    /** Grows by one within its stream. */
    seq: Count,
    delta: Type.String(),
    done: Type.Boolean(),
  }),
);

const WorldAck = ours(
  "ack",
  strictObject({
    in_reply_to: TheirId,
    status: Type.Literal("ok"),
    /** The project that a request has become. */
    project_id: Type.Optional(ProjectId),
  }),
);

const WorldError = ours(
  "error",
  strictObject({
    /** Left out when what came had no id that can be read. */
    in_reply_to: Type.Optional(TheirId),
    code: oneOf(WORLD_ERRORS),
    message: Type.String(),
    /** Why, by the name it has in docs/errors.md: for clients that say it in their own words. */
    reason: Type.Optional(Type.String()),
    supported_versions: Type.Optional(Type.Array(Version)),
  }),
);

const WorldPong = ours(
  "pong",
  strictObject({ in_reply_to: Type.Optional(TheirId), nonce: Type.Optional(Type.String()) }),
);

const WorldHello = theirs(
  "hello",
  Type.Object({
    client: Type.Optional(
      Type.Object({
        name: Type.Optional(Type.String({ maxLength: 200 })),
        build: Type.Optional(Type.String({ maxLength: 200 })),
        platform: Type.Optional(Type.String({ maxLength: 200 })),
      }),
    ),
    supported_versions: Type.Optional(Type.Array(Version, { maxItems: 100 })),
    auth: Type.Optional(Type.Object({ token: Type.String({ maxLength: 1_024 }) })),
    resume: Type.Optional(
      Type.Object({
        last_seq: Count,
        last_snapshot_id: Type.Optional(Type.String({ maxLength: 200 })),
        scene_id: Type.Optional(Type.String({ maxLength: 200 })),
        /** Which log the cursor is of; a client that keeps it can tell a new server from an old one. */
        epoch: Type.Optional(Type.String({ maxLength: 200 })),
      }),
    ),
  }),
);

const Channel = Type.Optional(Type.Boolean());

const WorldSubscribe = theirs(
  "subscribe",
  Type.Object({
    scene_id: SceneId,
    channels: Type.Object({
      events: Channel,
      snapshots: Channel,
      goals: Channel,
      chat: Channel,
      agent_stream: Channel,
      /** Tools that are used for tasks; ours, so that nobody gets them unasked. */
      calls: Channel,
    }),
  }),
);

const WorldCommand = theirs(
  "command",
  strictObject({ name: Type.String({ minLength: 1, maxLength: 64 }), data: AnyObject }),
);

const WorldPing = theirs(
  "ping",
  Type.Object({ nonce: Type.Optional(Type.String({ maxLength: 200 })) }),
);

/** Said to BD: the same as the command of that name. */
const WorldSaid = theirs(
  "chat",
  Type.Object({
    text: Type.String({ minLength: 1, maxLength: 20_000 }),
    thread_id: Type.Optional(Type.String({ maxLength: 128 })),
  }),
);

/** What we send, by type. */
export const WORLD_SERVER_MESSAGES = {
  hello_ack: WorldHelloAck,
  event: WorldEventMessage,
  agent_goal: WorldGoal,
  snapshot: WorldSnapshot,
  chat: WorldChat,
  agent_stream: WorldStream,
  ack: WorldAck,
  error: WorldError,
  pong: WorldPong,
} as const;

/** What clients send, by type. */
export const WORLD_CLIENT_MESSAGES = {
  hello: WorldHello,
  subscribe: WorldSubscribe,
  command: WorldCommand,
  chat: WorldSaid,
  ping: WorldPing,
} as const;

type Messages<Table extends Readonly<Record<string, TSchema>>> = {
  [Name in keyof Table]: Static<Table[Name]>;
}[keyof Table];

export type WorldClientMessage = Messages<typeof WORLD_CLIENT_MESSAGES>;
export type WorldMessageOf<Name extends keyof typeof WORLD_SERVER_MESSAGES> = Static<
  (typeof WORLD_SERVER_MESSAGES)[Name]
>;
export type WorldErrorCode = (typeof WORLD_ERRORS)[number];
export type WorldChannel = (typeof CHANNELS)[number];
export type ResumeReason = (typeof RESUME_REASONS)[number];
