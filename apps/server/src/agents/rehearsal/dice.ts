/** Chance that repeats: the same seed and words give the same choices, on any machine. */
export interface Dice {
  pick<T>(from: readonly [T, ...T[]]): T;
}

export function createDice(seed: number, words: string): Dice {
  let state = hash(`${seed}\n${words}`);
  const next = (): number => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value;
}
