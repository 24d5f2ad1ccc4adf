/** What is typical of some repetitions, and how far they were apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), min: sorted.at(0) ?? NaN, max: sorted.at(-1) ?? NaN };
}

/** Repetition by repetition: what disturbed both sides at the same time cancels out. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(ours.map((value, index) => value / (theirs[index] ?? NaN)));
}

/** Of values in ascending order; halfway between two when it falls there. */
export function quantile(sorted: readonly number[], fraction: number): number {
  const place = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place % 1);
}
