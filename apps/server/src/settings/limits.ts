/** What one peer or turn may cost: the rows of `limits`. */
import { Type, type Static, type TSchema } from "@atrium/schema";
import { MAX_TIMER_MS } from "../platform/timers.ts";
import { setting } from "./setting.ts";

const Count = Type.Integer({ minimum: 1 });
const Bytes = Count;
/** The longest delay of a system timer, and enough for all of these. */
const Millis = Type.Integer({ minimum: 1, maximum: MAX_TIMER_MS });
/** Waits for people and for work; more than a year is a typing mistake. */
const LongMillis = Type.Integer({ minimum: 1, maximum: 366 * 24 * 60 * 60_000 });
const SnapshotHz = Type.Number({ minimum: 1, maximum: 20 });
const Entries = Type.Integer({ minimum: 0 });
const KIB = 1024;
const MIB = 1024 * KIB;
const MINUTE_MS = 60_000;

const limit = <Schema extends TSchema>(schema: Schema, usual: Static<Schema>, help: string) =>
  setting({ schema, default: usual, help });

export const LIMITS = {
  maxPayloadBytes: limit(Bytes, 25 * MIB, "The largest frame that a peer may send."),
  maxBufferedBytes: limit(
    Bytes,
    16 * MIB,
    "How many bytes may wait for a peer that does not read.",
  ),
  maxStrangerBytes: limit(Bytes, 64 * KIB, "How many bytes a peer may send before it is admitted."),
  maxStallMs: limit(Millis, 30_000, "How long a peer may read nothing before it is closed."),
  closeGraceMs: limit(Millis, 3_000, "How long a closed peer has to answer the close."),
  lobbySeats: limit(Count, 1_024, "How many sockets may wait to be admitted."),
  handshakeTimeoutMs: limit(Millis, 15_000, "How long a socket may wait to be admitted."),
  pingIntervalMs: limit(Millis, 25_000, "How often the server pings peers."),
  tickIntervalMs: limit(Millis, 30_000, "How often the gateway sends a tick."),
  healthIntervalMs: limit(Millis, 60_000, "How often the gateway sends its health."),
  wrongTokenTries: limit(Count, 10, "How many wrong tokens an address may send at once."),
  wrongTokenRefillMs: limit(
    Millis,
    6_000,
    "How long until an address regains one of its wrongTokenTries.",
  ),
  maxTurns: limit(Count, 32, "How many turns of agents run at the same time."),
  turnTimeoutMs: limit(LongMillis, 30 * MINUTE_MS, "How long a turn may work, waits not counted."),
  answerTimeoutMs: limit(LongMillis, 1_440 * MINUTE_MS, "How long people have to answer an agent."),
  clientCallTimeoutMs: limit(
    LongMillis,
    10 * MINUTE_MS,
    "How long an OpenAI client may take to make the calls of its own tools.",
  ),
  // The largest that fits into a frame as base64.
  maxFileBytes: limit(Bytes, 18 * MIB, "The largest file attached to a message."),
  maxFiles: limit(Count, 20, "How many files may be attached to a message."),
  pairingRequestMs: limit(LongMillis, 10 * MINUTE_MS, "How long a request to pair stays open."),
  maxBodyBytes: limit(Bytes, 20 * MIB, "The largest body of an HTTP request."),
  bodyTimeoutMs: limit(Millis, 30_000, "How long the body of an HTTP request may take to arrive."),
  keepAliveMs: limit(Millis, 15_000, "How often a silent event stream sends a comment."),
  bridgeBuffer: limit(Count, 100, "How many messages wait for a disconnected bridge program."),
  bridgePingIntervalMs: limit(Millis, 30_000, "How often programs on the bridge are pinged."),
  bridgeToolTimeoutMs: limit(LongMillis, 10 * MINUTE_MS, "How long a bridge tool call may take."),
  worldSnapshotHz: limit(SnapshotHz, 4, "How many snapshots a second the world sends at most."),
  worldReplayEntries: limit(Entries, 10_000, "How many entries of the log the world can replay."),
  worldSilenceMs: limit(LongMillis, 45_000, "How long a world client may be silent."),
  worldCommandBurst: limit(Count, 12, "How many commands a world client may send at once."),
  worldCommandRefillMs: limit(Millis, 5_000, "How long until worldCommandBurst is full again."),
  worldPlayerPosBurst: limit(Count, 20, "How many player positions a client may send at once."),
  worldPlayerPosRefillMs: limit(Millis, 1_000, "How long until worldPlayerPosBurst is full again."),
  buildSilenceMs: limit(
    LongMillis,
    45_000,
    "How long a build is silent before it reports that it still works.",
  ),
  signalsPerSecond: limit(Count, 20_000, "How many signals a second each source may send."),
  maxSignalBytes: limit(Bytes, 4 * MIB, "The largest frame or body of signals."),
};
