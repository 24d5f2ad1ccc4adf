/**
 * Puts what a validator found into the words the gateway's peers already know:
 * `at /path: why`, without a path at the root for a missing property, joined by "; ".
 */
import type { TLocalizedValidationError } from "@atrium/schema";

const MOST_ISSUES = 5;

export function describeIssues(issues: Iterable<TLocalizedValidationError>): string {
  const lines: string[] = [];
  for (const issue of issues) {
    lines.push(...describe(issue));
    if (lines.length >= MOST_ISSUES) break;
  }
  return lines.join("; ");
}

function describe(issue: TLocalizedValidationError): readonly string[] {
  const at = issue.instancePath === "" ? "" : `at ${issue.instancePath}: `;
  if (issue.keyword === "required") {
    const { requiredProperties } = issue.params;
    return requiredProperties.map((name) => `${at}must have required property '${name}'`);
  }
  const where = at === "" ? "at root: " : at;
  if (issue.keyword === "additionalProperties") {
    const { additionalProperties } = issue.params;
    return additionalProperties.map((name) => `${where}unexpected property '${name}'`);
  }
  // A `false` schema always comes with the additionalProperties issue, which names the property.
  return issue.keyword === "boolean" ? [] : [`${where}${issue.message}`];
}
