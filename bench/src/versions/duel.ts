/** The same lanes of two versions, taken in turn, and what became of it. */
import { interleave, type Lane } from "../measure/interleave.ts";
import { compare, type Finding } from "../report/finding.ts";

export interface Duel {
  readonly name: string;
  readonly run: (checkout: URL) => Promise<Finding[]>;
}

export interface Rules<Sample> {
  readonly name: string;
  readonly repetitions: number;
  readonly warmUp: boolean;
  /** The lanes of one version; an undefined checkout is this one. What they opened is closed with the stack. */
  readonly lanes: (
    checkout: URL | undefined,
    opened: AsyncDisposableStack,
  ) => Promise<readonly Lane<Sample>[]>;
  readonly measures: readonly (readonly [measure: string, value: (sample: Sample) => number])[];
}

const OURS = "this version";
const THEIRS = "the other";

export function createDuel<Sample>(rules: Rules<Sample>): Duel {
  const { name, lanes, measures, ...repeat } = rules;
  return {
    name,
    async run(checkout) {
      await using opened = new AsyncDisposableStack();
      const ours = await lanes(undefined, opened);
      const theirs = await lanes(checkout, opened);
      const findings: Finding[] = [];
      for (const [at, our] of ours.entries()) {
        const their = theirs[at];
        if (their === undefined) continue;
        const pair = [
          { ...our, name: OURS },
          { ...their, name: THEIRS },
        ];
        const samples = await interleave(pair, repeat);
        findings.push(
          ...measures.map(([measure, value]) =>
            compare(samples, { what: our.name, measure, value, ours: OURS, against: THEIRS }),
          ),
        );
      }
      return findings;
    },
  };
}
