/** The decision log: docs/decisions/NNNN-title.md, numbered from 0001, each with a status. */
import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export function decisionProblems(decisions: readonly SourceFile[]): string[] {
  const problems: string[] = [];
  let expected = 1;
  for (const { path, text } of decisions.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const number = /^(\d{4})-[a-z0-9-]+\.md$/.exec(posix.basename(path))?.[1];
    if (number === undefined) {
      problems.push(`${path} is not named NNNN-title.md`);
      continue;
    }
    if (Number(number) === expected) expected += 1;
    else if (Number(number) < expected) problems.push(`${path} repeats a number`);
    else {
      problems.push(`${path} leaves a gap: ${String(expected).padStart(4, "0")} is missing`);
      expected = Number(number) + 1;
    }
    if (!/^[\s*_>-]*Status:/m.test(text)) problems.push(`${path} has no "Status:" line`);
  }
  return problems;
}

/** Each runtime dependency is named in a decision, in backticks: `ws`, or `@nats-io/*` for a scope. */
export function unexplainedDependencies(
  manifests: readonly Manifest[],
  decisions: readonly SourceFile[],
): string[] {
  const isNamed = (name: string): boolean =>
    [name, name.replace(/\/.*/, "/*")].some((form) =>
      decisions.some(({ text }) => text.includes(`\`${form}\``)),
    );
  return manifests.flatMap((manifest) =>
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
      .filter((name) => !name.startsWith("@atrium/") && !isNamed(name))
      .map(
        (name) => `${manifest.name} depends on ${name}, which no decision in docs/decisions names`,
      ),
  );
}
