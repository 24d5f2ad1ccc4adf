/** The last time an agent was woken by a program rather than a person, and how that ended. */
import { conversation } from "../conversation/conversation.ts";
import type { Author } from "../conversation/events.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";

export interface Heartbeat {
  readonly at: number;
  readonly key: string;
  readonly isGood: boolean;
  readonly durationMs: number;
}

export interface Heartbeats extends Projection<Saved> {
  readonly last: Heartbeat | null;
}

/** Who speaks when an agent is woken. */
export const WAKER: Author = { clientId: "wake", clientMode: "backend", name: "Wake" };

interface Saved {
  readonly last: Heartbeat | null;
  readonly open: readonly (readonly [runId: string, at: number])[];
}

export function createHeartbeats(): Heartbeats {
  let last: Heartbeat | null = null;
  let open = new Map<string, number>();
  return {
    name: "heartbeats",
    version: 1,
    get last() {
      return last;
    },
    apply(entry) {
      const key = idIn(conversation, entry.stream);
      if (key === undefined) return;
      const event = conversation.read(entry);
      const { at } = entry;
      if (event.type === "run.requested" && event.from.clientId === WAKER.clientId) {
        open.set(event.runId, at);
      }
      const isEnd = event.type === "run.completed" || event.type === "run.failed";
      if (!isEnd && event.type !== "run.aborted") return;
      const began = open.get(event.runId);
      if (began === undefined) return;
      open.delete(event.runId);
      const isGood = event.type === "run.completed";
      last = { at, key, isGood, durationMs: at - began };
    },
    save: (): Saved => ({ last, open: [...open] }),
    load(kept) {
      last = kept.last;
      open = new Map(kept.open);
    },
  };
}
