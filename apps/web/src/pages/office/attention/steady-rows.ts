/**
 * The list as it stands in front of a person: while they are at it, nothing moves under their hand. What is there keeps
 * its place, what is new comes below, and what has been decided elsewhere leaves its place empty for a moment. Pure.
 */
import type { Need } from "./needs.ts";

export interface Row {
  readonly need: Need;
  /** When it was no longer needed; undefined while it is. */
  readonly goneAt: number | undefined;
}

/** For how long a place stays empty. */
export const GONE_SHOWN_MS = 1_500;

export function steadyRows(
  before: readonly Row[],
  needs: readonly Need[],
  { isHeld, now }: { readonly isHeld: boolean; readonly now: number },
): readonly Row[] {
  if (!isHeld) return needs.map(rowOf);
  const waiting = new Map(needs.map((need) => [need.id, need]));
  const kept = before.flatMap(({ need, goneAt }): readonly Row[] => {
    const still = waiting.get(need.id);
    if (still !== undefined) {
      waiting.delete(need.id);
      return [rowOf(still)];
    }
    const since = goneAt ?? now;
    return now - since < GONE_SHOWN_MS ? [{ need, goneAt: since }] : [];
  });
  return [...kept, ...[...waiting.values()].map(rowOf)];
}

function rowOf(need: Need): Row {
  return { need, goneAt: undefined };
}
