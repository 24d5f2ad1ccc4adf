import type { Entry, ReadOptions } from "./log.ts";

/** Those entries that a reader wants; each is judged when it is its turn. */
export function* wanted(
  entries: readonly Entry[],
  isWanted: ReadOptions["isWanted"],
): Generator<Entry, void, undefined> {
  for (const entry of entries) if (isWanted === undefined || isWanted(entry)) yield entry;
}
