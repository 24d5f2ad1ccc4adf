/** Which conversations that were deleted, or reset for that, still have to be erased: a server that dies in between goes on with it. */
import { conversation } from "../conversation/conversation.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";

export interface Erasure {
  readonly key: string;
  /** The entry that says it was deleted, or reset. */
  readonly seq: number;
  /** The conversation goes on without what was said before. */
  readonly isReset: boolean;
  /** Deleted by a version that could not erase. */
  readonly isOld: boolean;
}

export interface Erasures extends Projection<readonly Erasure[]> {
  wanted(): readonly Erasure[];
}

export function createErasures(): Erasures {
  let wanted: Erasure[] = [];
  return {
    name: "erasures",
    version: 3,
    wanted: () => wanted,
    apply(entry) {
      const key = idIn(conversation, entry.stream);
      if (key === undefined) return;
      const event = conversation.read(entry);
      const { seq } = entry;
      if (event.type === "conversation.reset" && event.erase === "wanted") {
        wanted.push({ key, seq, isReset: true, isOld: false });
      }
      if (event.type !== "conversation.deleted") return;
      const { erase } = event;
      if (erase === "done" || erase === "kept") return;
      wanted.push({ key, seq, isReset: false, isOld: erase === undefined });
    },
    save: () => wanted,
    load(saved) {
      wanted = [...saved];
    },
  };
}
