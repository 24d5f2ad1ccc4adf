/** What a node has counted since it was opened. */
import type { ChainCounts } from "./cluster-log.ts";

export type Counts = { -readonly [Name in keyof ChainCounts]: number };

export function createCounts(): Counts {
  return {
    published: 0,
    taken: 0,
    unknown: 0,
    forwarded: 0,
    penChanges: 0,
    fetched: 0,
    watchRestarts: 0,
    repaired: 0,
    unavailable: 0,
  };
}
