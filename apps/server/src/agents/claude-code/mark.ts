/** What tells the processes of a Claude session from all others: a variable that all of them inherit. */
import type { Mark } from "./process-tree.ts";

export const SESSION_VARIABLE = "SYNTHESIS_CLAUDE_SESSION";

export function markOf(claudeSession: string): Mark {
  return { name: SESSION_VARIABLE, value: claudeSession };
}
