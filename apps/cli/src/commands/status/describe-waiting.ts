/** What waits for a person, in words: each with what to do about it on a line of its own. */
import { ago } from "../../terminal/measures.ts";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import type { WaitingItem } from "./read-waiting.ts";

const WHAT_LENGTH = 120;
const OPTIONS_LENGTH = 160;
const KIND_WIDTH = "permission".length;

export function describeWaiting(
  waiting: readonly WaitingItem[],
  paint: Paint,
  now: number,
): string {
  const indent = " ".repeat(KIND_WIDTH + 4);
  const entries = waiting.map(({ kind, what, options, sinceMs, answer }) => {
    const when = sinceMs === undefined ? "" : `  ${paint.quiet(ago(now - sinceMs))}`;
    const choice =
      options.length === 0
        ? ""
        : paint.quiet(`${plainLine(options.join(" | "), OPTIONS_LENGTH)}\n${indent}`);
    return `  ${paint.doubtful(kind.padEnd(KIND_WIDTH))}  ${plainLine(what, WHAT_LENGTH)}${when}\n${indent}${choice}→ ${paint.link(plainLine(answer, 500))}\n`;
  });
  return `${paint.strong("Waiting for you")}\n${entries.join("")}`;
}
