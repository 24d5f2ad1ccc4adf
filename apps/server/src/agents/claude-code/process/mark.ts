/**
 * What tells the processes of a Claude session from all others: variables that all of them inherit. A session is one
 * of its home, so two homes may have sessions of the same name.
 */
import type { Mark } from "./process-tree.ts";

export const SESSION_VARIABLE = "SYNTHESIS_CLAUDE_SESSION";

const MARKING = [SESSION_VARIABLE, "HOME", "CLAUDE_CONFIG_DIR"] as const;

export function markOf(env: Readonly<Record<string, string>>): Mark {
  return MARKING.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [`${name}=${value}`];
  });
}
