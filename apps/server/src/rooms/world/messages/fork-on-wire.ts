import type { ForkOrigin } from "@atrium/core";
import type { WorldTask } from "@atrium/wire/world";

/** Null: it starts from the beginning. */
export function forkOnWire(from: ForkOrigin | null = null): WorldTask["forked_from"] | null {
  return from && { task_id: from.workspaceId, seq: from.seq };
}
