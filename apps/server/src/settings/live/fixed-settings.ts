/** Which settings do not follow a change while the server runs, and what to do instead. */
import { own } from "@atrium/wire";
import { LIMITS } from "../limits.ts";
import { readGiven, type ProcessInputs } from "../read-config.ts";
import { settingsIn } from "../setting.ts";
import { SETTINGS } from "../table.ts";
import type { PlannedEdit } from "./settings-patch.ts";

/** Those that are looked up with every use; the others are built into what listens and sends. */
export const LIVE_LIMITS: ReadonlySet<string> = new Set<keyof typeof LIMITS>([
  "maxTurns",
  "turnTimeoutMs",
  "maxFileBytes",
  "maxFiles",
]);

const LIVE_KEYS: ReadonlySet<string> = new Set<keyof typeof SETTINGS>([
  "$schema",
  "crewRuntime",
  "allowedHosts",
  "allowedOrigins",
  "limits",
  "office",
  "sightings",
  "runtimes",
  "agents",
  "budgets",
  "repositories",
]);

export interface FixedSetting {
  readonly path: string;
  readonly reason: "restart" | "given" | "nodes";
  /** The flag or the variable that sets it. */
  readonly by?: string;
}

/** All that cannot be changed now, for whoever wants to know before they try. */
export function listFixed(inputs: ProcessInputs, isAlone: boolean): readonly FixedSetting[] {
  const given = readGiven(inputs);
  return settingsIn(SETTINGS).flatMap(([path, row]): readonly FixedSetting[] => {
    if (!isAlone) return [{ path, reason: "nodes" }];
    const by = given(row)?.by;
    if (by !== undefined) return [{ path, reason: "given", by }];
    if (!LIVE_KEYS.has(path)) return [{ path, reason: "restart" }];
    if (path !== "limits") return [];
    const limits = Object.keys(LIMITS).filter((name) => !LIVE_LIMITS.has(name));
    return limits.map((name) => ({ path: `${path}.${name}`, reason: "restart" }));
  });
}

/** Of the first that does not; unknown keys are left to the schema, which names them. */
export function findFixed(
  edits: readonly Pick<PlannedEdit, "names" | "value">[],
  path: string,
  inputs: ProcessInputs,
): string | undefined {
  const given = readGiven(inputs);
  for (const { names, value } of edits) {
    const [key = ""] = names;
    const row = own(SETTINGS, key);
    if (row === undefined || !("schema" in row)) continue;
    const by = given(row)?.by;
    if (by !== undefined) return `${key}: ${by} sets it; restart the server without ${by} first`;
    const fixed = LIVE_KEYS.has(key) ? findFixedLimit(names, value) : key;
    if (fixed === undefined) continue;
    return `${fixed}: write it in ${path} and restart the server`;
  }
  return undefined;
}

function findFixedLimit(names: readonly string[], value: unknown): string | undefined {
  const [key, limit] = names;
  if (key !== "limits") return undefined;
  const written = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const touched = limit === undefined ? written : [limit];
  const fixed = touched.find((name) => Object.hasOwn(LIMITS, name) && !LIVE_LIMITS.has(name));
  return fixed === undefined ? undefined : `limits.${fixed}`;
}
