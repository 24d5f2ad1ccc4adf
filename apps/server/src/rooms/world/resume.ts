/** Whether a client that comes back can go on where it was, and if not, why. Pure. */
import type { ResumeReason, WorldClientMessage } from "@atrium/wire/world";
import type { PayloadOf } from "./message.ts";

type Hello = Extract<WorldClientMessage, { readonly type: "hello" }>["payload"];
export type Cursor = NonNullable<Hello["resume"]>;
export type Disposition = NonNullable<PayloadOf<"hello_ack">["resume"]>;

/** What there is to come back to. */
export interface Standing {
  readonly sceneId: string;
  readonly epoch: string;
  readonly seq: number;
  /** The oldest cursor that can be served. */
  readonly start: number;
  /** The past could not be read when the server opened. */
  readonly isPastLost: boolean;
}

export function resumeFrom(cursor: Cursor, standing: Standing): Disposition {
  const reason = reasonFor(cursor, standing);
  if (reason !== "CURSOR_OK") return { status: "snapshot_required", reason };
  return { status: "resumed", reason, replay_from_seq: cursor.last_seq + 1 };
}

function reasonFor(
  { last_seq: last, scene_id: sceneId, epoch }: Cursor,
  standing: Standing,
): ResumeReason {
  // Another epoch is another log: the one this cursor is of went with the server that kept it.
  if (epoch !== undefined && epoch !== standing.epoch) return "SERVER_RESTARTED";
  if (sceneId !== undefined && sceneId !== standing.sceneId) return "CURSOR_UNKNOWN";
  if (last > standing.seq) return "CURSOR_UNKNOWN";
  if (last >= standing.start) return "CURSOR_OK";
  return standing.isPastLost ? "REPLAY_UNAVAILABLE" : "CURSOR_STALE";
}
