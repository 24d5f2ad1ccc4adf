/**
 * The settings in effect. What can change while the server runs is held in objects and lists that stay
 * the same for its whole life and whose contents follow, so that whoever was given one at the start
 * reads the present with every use. Nobody but this file writes to them.
 */
import type { Config } from "../read-config.ts";

/** Which parts of the settings follow a change at once. */
export const LIVE_PARTS = [
  "crew",
  "runtimes",
  "budgets",
  "limits",
  "office",
  "sightings",
  "repositories",
  "allowedHosts",
  "allowedOrigins",
  "trustedProxies",
] as const satisfies readonly (keyof Config)[];

export type LivePart = (typeof LIVE_PARTS)[number];

export interface LiveConfig {
  readonly config: Config;
  /** Takes over the named parts of other settings. */
  replace(next: Config, parts: readonly LivePart[]): void;
}

export function createLiveConfig(initial: Config): LiveConfig {
  const live = Object.fromEntries(LIVE_PARTS.map((part) => [part, copyOf(initial[part])]));
  const config = { ...initial, ...live } as Config;
  return {
    config,
    replace(next, parts) {
      for (const part of parts) overwrite(config[part], next[part]);
      const { file, crewRuntime, preview } = next;
      Object.assign(config, { file, crewRuntime, preview });
    },
  };
}

/** The same server with the settings of another file, as far as they may change while it runs. */
export function withLiveParts(config: Config, next: Config): Config {
  const live = Object.fromEntries(LIVE_PARTS.map((part) => [part, next[part]]));
  const { file, crewRuntime, preview } = next;
  return { ...config, ...live, file, crewRuntime, preview };
}

const MEMBER = { enumerable: true, writable: true, configurable: true };

function copyOf(value: object): object {
  return Array.isArray(value) ? Array.from<unknown>(value) : structuredClone(value);
}

/** Down to what has no parts of its own: somebody may hold `budgets.run`. */
function overwrite(target: object, next: object): void {
  if (Array.isArray(target) && Array.isArray(next)) {
    target.splice(0, target.length, ...Array.from<unknown>(next));
    return;
  }
  const kept = new Map<string, unknown>(Object.entries(target));
  const gone = [...kept.keys()].filter((name) => !Object.hasOwn(next, name));
  for (const name of gone) Reflect.deleteProperty(target, name);
  for (const [name, value] of Object.entries(next) as [string, unknown][]) {
    const old = kept.get(name);
    if (isPlain(old) && isPlain(value)) overwrite(old, value);
    // Not by assignment: a runtime may be called `__proto__`.
    else Object.defineProperty(target, name, { ...MEMBER, value: structuredClone(value) });
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
