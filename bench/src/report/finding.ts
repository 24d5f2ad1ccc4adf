/**
 * What a suite found out: one measure of ours beside the same measure of something else, both taken in
 * the same run. The ratio is the finding; the two figures only say where on the scale it was found.
 */
import type { Samples } from "../measure/interleave.ts";
import { ratioOf, spreadOf, type Spread } from "../measure/spread.ts";

export interface Finding {
  readonly what: string;
  readonly measure: string;
  readonly ours: number;
  readonly against: string;
  readonly theirs: number;
  readonly ratio: Spread;
  readonly goal: string;
}

export interface SuiteReport {
  readonly findings: readonly Finding[];
  /** What a reader must know to not misread the figures. */
  readonly notes: readonly string[];
}

export interface Suite {
  readonly name: string;
  readonly question: string;
  readonly run: () => Promise<SuiteReport>;
}

export interface Comparison<Sample> {
  readonly what: string;
  readonly measure: string;
  /** Names of lanes. */
  readonly ours: string;
  readonly against: string;
  readonly value: (sample: Sample) => number;
  readonly goal?: string;
}

export function compare<Sample>(
  samples: Samples<Sample>,
  { what, measure, ours, against, value, goal = "" }: Comparison<Sample>,
): Finding {
  const our = (samples.get(ours) ?? []).map(value);
  const their = (samples.get(against) ?? []).map(value);
  return {
    what,
    measure,
    ours: spreadOf(our).median,
    against,
    theirs: spreadOf(their).median,
    ratio: ratioOf(our, their),
    goal,
  };
}
