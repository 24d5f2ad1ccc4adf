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
  const entries = [...given].flatMap((name): readonly (readonly [string, string])[] => {
    const value = readEnv(name);
    return value === undefined ? [] : [[name, value]];
  });
  return withLoopback(new Map(entries));
}

const PROXY = /^https?_proxy$/i;
const LOOPBACK = "localhost,127.0.0.1,::1";

/** No proxy leads back to this machine, where the program's tools are. */
function withLoopback(env: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  if (![...env.keys()].some((name) => PROXY.test(name))) return Object.fromEntries(env);
  const named = ["NO_PROXY", "no_proxy"].flatMap((name) => env.get(name) ?? []);
  const [direct = ""] = named.filter((value) => value !== "");
  // A star is only a star when it stands alone.
  if (direct === "*") return Object.fromEntries(env);
  const all = direct === "" ? LOOPBACK : `${direct},${LOOPBACK}`;
  return { ...Object.fromEntries(env), NO_PROXY: all, no_proxy: all };
}
