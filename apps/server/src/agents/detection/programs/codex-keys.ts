/**
 * The variables that hold the keys of Codex's model providers, as its config.toml names them. People write that file by
 * hand, so nothing in it is a mistake here; only names that say that they are secret leave, since only those are masked.
 */
import { isSecretName } from "../../turn/redact.ts";

const ENV_KEY = /\benv_key"?\s*=\s*["']([A-Za-z_][A-Za-z0-9_]{0,99})["']/g;
const MAX_CHARACTERS = 1_000_000;
const MAX_NAMES = 20;

export function readCodexKeys(text: string): readonly string[] {
  const lines = text.slice(0, MAX_CHARACTERS).split("\n");
  const written = lines.filter((line) => !line.trimStart().startsWith("#")).join("\n");
  const names = Array.from(written.matchAll(ENV_KEY), ([, name = ""]) => name);
  return [...new Set(names)].filter(isSecretName).slice(0, MAX_NAMES);
}
