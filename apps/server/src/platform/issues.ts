/**
 * Describes validation errors the way the gateway's clients know them:
 * `at /path: why`, without a path at the root for a missing property, joined by "; ".
 */
import type { TLocalizedValidationError } from "@atrium/schema";

const MAX_ISSUES = 5;

export function describeIssues(issues: readonly TLocalizedValidationError[]): string {
  const lines = new Set<string>();
  for (const issue of issues) {
    for (const line of describe(issue, issues)) lines.add(line);
    if (lines.size >= MAX_ISSUES) break;
  }
  return [...lines].join("; ");
}

function describe(
  issue: TLocalizedValidationError,
  all: readonly TLocalizedValidationError[],
): readonly string[] {
  const { instancePath, keyword } = issue;
  const at = instancePath === "" ? "" : `at ${instancePath}: `;
  if (keyword === "required") {
    const { requiredProperties } = issue.params;
    return requiredProperties.map((name) => `${at}must have required property '${name}'`);
  }
  const where = at === "" ? "at root: " : at;
  if (keyword === "additionalProperties") {
    const { additionalProperties } = issue.params;
    return additionalProperties.map((name) => `${where}unexpected property '${name}'`);
  }
  // A `false` schema always comes with the additionalProperties issue, which names the property.
  if (keyword === "boolean") return [];
  if (keyword === "const" || keyword === "anyOf") {
    const choices = choicesAt(instancePath, all);
    if (choices.length > 1) {
      return [`${where}must be equal to one of the allowed values: ${choices.join(", ")}`];
    }
  }
  return [`${where}${issue.message}`];
}

/** The validator reports each constant of a choice by itself; a person wants to see all of them. */
function choicesAt(path: string, all: readonly TLocalizedValidationError[]): readonly string[] {
  return all.flatMap((issue) =>
    issue.keyword === "const" && issue.instancePath === path
      ? [String(issue.params.allowedValue)]
      : [],
  );
}
