/**
 * Digests of the settings that all nodes of one log should have alike, because whoever directs decides by them. Made of
 * what may be shown, so none reveals a secret; folders are left out, for machines differ in them.
 */
import { createHash } from "node:crypto";
import { publicSettings } from "./public-settings.ts";
import type { Config } from "./read-config.ts";

const DIGEST_CHARACTERS = 16;
const OF_ONE_MACHINE: ReadonlySet<string> = new Set(["cwd"]);

export function digestSettings(config: Config): Readonly<Record<string, string>> {
  const { crew: agents, runtimes } = publicSettings(config).values;
  const { budgets, limits, office } = config;
  const repositories = config.repositories.map(({ id }) => id).toSorted();
  const shared = { agents, runtimes, budgets, limits, office, repositories };
  return Object.fromEntries(Object.entries(shared).map(([name, value]) => [name, digest(value)]));
}

function digest(value: unknown): string {
  const text = JSON.stringify(value, inOrder);
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARACTERS);
}

/** The same settings in another order are the same. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !OF_ONE_MACHINE.has(name));
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
