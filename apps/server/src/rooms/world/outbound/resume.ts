/** Whether a client that comes back can go on where it was, and if not, why. Pure. */
import type { ResumeReason, WorldClientMessage } from "@atrium/wire/world";
import type { MessagePayload } from "../messages/message.ts";
import { epochTag, originOf } from "../messages/snapshot-id.ts";

type Hello = Extract<WorldClientMessage, { readonly type: "hello" }>["payload"];
export type Cursor = NonNullable<Hello["resume"]>;
export type ResumeDecision = NonNullable<MessagePayload<"hello_ack">["resume"]>;

export interface ReplayWindow {
  readonly sceneId: string;
  readonly epoch: string;
  readonly seq: number;
  /** The oldest cursor that can be served. */
  readonly start: number;
  /** The past could not be read when the server opened. */
  readonly isPastLost: boolean;
  /** False: nothing is kept for those who come back, by a setting. */
  readonly isReplayed: boolean;
}

export function resumeFrom(cursor: Cursor, standing: ReplayWindow): ResumeDecision {
  if (!standing.isReplayed) return { status: "unsupported", reason: "REPLAY_UNAVAILABLE" };
  const reason = reasonFor(cursor, standing);
  if (reason !== "CURSOR_OK") return { status: "snapshot_required", reason };
  return { status: "resumed", reason, replay_from_seq: cursor.last_seq + 1 };
}

function reasonFor(cursor: Cursor, standing: ReplayWindow): ResumeReason {
  const { last_seq: last, last_snapshot_id: snapshotId, scene_id: sceneId, epoch } = cursor;
  const origin = snapshotId === undefined ? undefined : originOf(snapshotId);
  // Another epoch is another log: the one this cursor is of went with the server that kept it.
  if (epoch !== undefined && epoch !== standing.epoch) return "SERVER_RESTARTED";
  if (origin !== undefined && origin.tag !== epochTag(standing.epoch)) return "SERVER_RESTARTED";
  // A number alone fits every log: replaying on the strength of it could tell another log's history.
  if (epoch === undefined && origin === undefined) return "CURSOR_UNKNOWN";
  if (sceneId !== undefined && sceneId !== standing.sceneId) return "CURSOR_UNKNOWN";
  if (Math.max(last, origin?.seq ?? 0) > standing.seq) return "CURSOR_UNKNOWN";
  if (last >= standing.start) return "CURSOR_OK";
  return standing.isPastLost ? "REPLAY_UNAVAILABLE" : "CURSOR_STALE";
}
