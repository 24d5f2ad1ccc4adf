/** Everything a fuzzer leaves to chance, from one seed. */
import { createRandom } from "../random.ts";

export interface Chance {
  /** Whether it happens, this many times in a hundred. */
  readonly percent: (often: number) => boolean;
  readonly below: (end: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
}

export function createChance(seed: number): Chance {
  const random = createRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return {
    percent: (often) => random() * 100 < often,
    below,
    pick(from) {
      const picked = from[below(from.length)];
      if (picked === undefined && from.length === 0) throw new Error("nothing to pick from");
      return picked as (typeof from)[number];
    },
  };
}
