/** Findings as a Markdown table that can also be read as it is. */
import type { Spread } from "../measure/spread.ts";
import type { Finding } from "./finding.ts";

const HEAD = ["what", "measure", "Atrium", "against", "theirs", "ratio [min..max]", "goal"];

export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ what, measure, ours, against, theirs, ratio, goal }) => [
    what,
    measure,
    short(ours),
    against,
    short(theirs),
    describe(ratio),
    goal,
  ]);
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [HEAD, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n");
}

function describe({ median, min, max }: Spread): string {
  return `${short(median)} [${short(min)}..${short(max)}]`;
}

/** Three digits that count: more would claim a precision that no figure here has. */
function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 1e6) return `${(value / 1e6).toPrecision(3)} M`;
  if (value >= 1e4) return `${(value / 1e3).toPrecision(3)} k`;
  return value >= 1000 ? value.toFixed(0) : value.toPrecision(3);
}
