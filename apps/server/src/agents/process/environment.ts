/**
 * What of the server's environment a program is given: what every program needs, and what its settings
 * name. Everything else stays here, because an environment is where keys are kept.
 */
import { AGENT_VARIABLE } from "../../platform/agent-processes.ts";

type ReadEnv = (name: string) => string | undefined;

const ALWAYS = ["PATH", "HOME", "LANG", "TERM", "TMPDIR", AGENT_VARIABLE] as const;

export function environmentFor(
  names: readonly string[],
  readEnv: ReadEnv,
): Readonly<Record<string, string>> {
  const given = new Set([...ALWAYS, ...names]);
  return Object.fromEntries(
    [...given].flatMap((name) => {
      const value = readEnv(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
