/**
 * Signal source: an outside producer, and what it has told us.
 *
 * Pure: no clock, no ids, no I/O. A signal whose id came before, or twice, is kept once; words on their way are
 * kept together (coalesce.ts). What one request brings is one event.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, type Outcome } from "../engine/refusal.ts";
import { coalesce } from "./coalesce.ts";
import { isRecent, noIds, remember, type RecentIds } from "./recent-ids.ts";
import { SIGNAL_EVENTS } from "./signal-source-shapes.ts";
import type { Signal } from "./signal.ts";

export interface ReceiveSignals {
  readonly type: "receive";
  readonly signals: readonly Signal[];
  /** Ids of those that were told as they came. */
  readonly passed: readonly string[];
}

export interface SignalsReceived {
  readonly type: "signals.received";
  readonly signals: readonly Signal[];
  /** Indices of those that stand for what was told before. */
  readonly passed: readonly number[];
  /** Ids of those that were kept together with one before them. */
  readonly merged: readonly string[];
}

/** After a restart, what a source sent again is looked for among so many of its newest entries. */
const RECALLED_ENTRIES = 256;

function decide(
  recent: RecentIds,
  { signals, passed }: ReceiveSignals,
): Outcome<readonly SignalsReceived[]> {
  const seen = new Set<string>();
  const fresh = signals.filter(({ id }) => {
    // An empty id says nothing, so nothing can be told by it.
    if (id === "") return true;
    if (seen.has(id) || isRecent(recent, id)) return false;
    seen.add(id);
    return true;
  });
  if (fresh.length === 0) return accept([]);
  const kept = coalesce(fresh);
  for (const { id } of kept) seen.delete(id);
  const passedIds = new Set(passed);
  const standing = kept.flatMap(({ id }, index) => (passedIds.has(id) ? [index] : []));
  const merged = [...seen];
  return accept([{ type: "signals.received", signals: kept, passed: standing, merged }]);
}

function evolve(recent: RecentIds, { signals, merged }: SignalsReceived): RecentIds {
  const ids = [...signals.map(({ id }) => id), ...merged].filter((id) => id !== "");
  return remember(recent, ids);
}

export const signalSource: Aggregate<RecentIds, ReceiveSignals, SignalsReceived> = {
  name: "signal",
  initial: noIds,
  decide,
  evolve,
  ...createCodec<SignalsReceived>(SIGNAL_EVENTS),
  recall: RECALLED_ENTRIES,
};

/** The id of a source's stream; what cannot be in a name is not. */
export function sourceId(source: string): string {
  return source.toWellFormed().replaceAll("\0", "\uFFFD");
}
