/** What happened and what was said, with when; and how pages of it are put together. Pure. */
import type { CallEvent, SuggestedAction, WorldEvent, WorldMessageOf } from "@atrium/wire/world";

export interface Moment {
  readonly seq: number;
  readonly at: number;
  readonly event: WorldEvent;
}

/** A tool that an agent used for a task, or what came back. */
export interface CallMoment {
  readonly seq: number;
  readonly at: number;
  readonly event: CallEvent;
}

export interface Line {
  readonly seq: number;
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly projectId: string | undefined;
  readonly actions: readonly SuggestedAction[];
}

type EventMessage = WorldMessageOf<"event">;

export function momentOf({ ts, payload }: EventMessage): Moment | undefined {
  // What only this connection is told has no place in the log.
  if (payload.seq === undefined || isCall(payload)) return undefined;
  return { seq: payload.seq, at: payload.at ?? ts, event: payload };
}

export function callMomentOf({ ts, payload }: EventMessage): CallMoment | undefined {
  if (payload.seq === undefined || !isCall(payload)) return undefined;
  return { seq: payload.seq, at: payload.at ?? ts, event: payload };
}

function isCall(event: EventMessage["payload"]): event is CallEvent {
  return event.name === "tool_called" || event.name === "tool_returned";
}

export function lineOf({ ts, payload }: WorldMessageOf<"chat">): Line {
  const { seq, from, to, text, project_id: projectId, suggested_actions: actions = [] } = payload;
  return { seq, at: ts, from, to, text, projectId, actions };
}

/** Both in order; what is in both comes once. */
export function mergeBySeq<Item extends { readonly seq: number }>(
  earlier: readonly Item[],
  later: readonly Item[],
): readonly Item[] {
  if (earlier.length === 0) return later;
  const first = later[0]?.seq ?? Infinity;
  if ((earlier.at(-1)?.seq ?? 0) < first) return [...earlier, ...later];
  const bySeq = new Map([...earlier, ...later].map((item) => [item.seq, item]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

/** Without what an agent said on its way before something newer: of each uninterrupted progress of a task, the newest. */
export function foldProgress(moments: readonly Moment[]): readonly Moment[] {
  const later = new Map<string, Moment>();
  return moments
    .toReversed()
    .filter((moment) => {
      const { event } = moment;
      if (!("task_id" in event) || event.task_id === undefined) return true;
      const next = later.get(event.task_id);
      later.set(event.task_id, moment);
      return event.name !== "task_progress" || next?.event.name !== "task_progress";
    })
    .toReversed();
}

/** The last moment that is not after this time; its place in the list, or -1. */
export function indexAt(moments: readonly Moment[], time: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.at ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
