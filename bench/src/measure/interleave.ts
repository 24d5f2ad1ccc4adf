/**
 * Measures things side by side: each repetition takes every lane once, and starts with another lane
 * than the one before. A machine that is slow for a while is then slow for everyone, and the ratios
 * of one repetition still mean something when its figures do not.
 */
export interface Lane<Sample> {
  readonly name: string;
  readonly measure: () => Promise<Sample>;
}

/** By lane, one sample per repetition, in the same order everywhere. */
export type Samples<Sample> = ReadonlyMap<string, readonly Sample[]>;

export interface Repeat {
  readonly repetitions: number;
  /** Takes every lane once before, unrecorded, so that the compilers have done their work. */
  readonly warmUp: boolean;
}

export async function interleave<Sample>(
  lanes: readonly Lane<Sample>[],
  { repetitions, warmUp }: Repeat,
): Promise<Samples<Sample>> {
  const samples = new Map<string, Sample[]>(lanes.map(({ name }) => [name, []]));
  if (warmUp) for (const lane of lanes) await lane.measure();
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (let turn = 0; turn < lanes.length; turn++) {
      const lane = lanes[(repetition + turn) % lanes.length];
      if (lane !== undefined) samples.get(lane.name)?.push(await lane.measure());
    }
  }
  return samples;
}
