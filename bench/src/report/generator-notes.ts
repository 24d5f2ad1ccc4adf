/** Says so where the load generator, not the server, set the pace. */
import type { Samples } from "../measure/interleave.ts";
import type { Metered } from "../measure/meter.ts";
import { spreadOf } from "../measure/spread.ts";

const BUSY = 0.9;

export function generatorNotes(load: string, samples: Samples<Metered>): string[] {
  return [...samples].flatMap(([lane, taken]) => {
    const generator = spreadOf(taken.map(({ generatorCores }) => generatorCores)).median;
    const server = spreadOf(taken.map(({ serverCores }) => serverCores)).median;
    if (generator < BUSY || server > generator) return [];
    return [
      `${load}: the generator was the limit for ${lane} (${generator.toFixed(2)} cores, server ${server.toFixed(2)}); its CPU per unit still holds`,
    ];
  });
}
