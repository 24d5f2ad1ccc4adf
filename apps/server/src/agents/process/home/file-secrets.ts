/**
 * The secrets in files that programs keep their login and settings in, so that they can be masked: values whose name, or
 * that of what holds them, says so. Such files are JSON, JSON with comments, TOML or assignments; what is missed is not
 * masked, and what is taken for one is never shown.
 */
import { parseJson } from "@atrium/wire";
import { isSecret } from "../../turn/mask.ts";
import { isSecretName } from "../../turn/redact.ts";

/** Names of tokens that do not say so. */
const TOKEN_NAME = /^(?:access|refresh|bearer|authorization)$/i;
const ASSIGNED = /["']?(?<name>[\w.-]+)["']?\s*[:=]\s*["']?(?<value>[^"'\s,}]+)/g;
const PLACE = /^(?:[/~.{$]|\w+:\/\/)/;
const NAME_OF_VARIABLE = /^[A-Z_][A-Z0-9_]*$/;
const MAX_DEPTH = 20;

export function secretsInFile(text: string): readonly string[] {
  const found = new Set<string>();
  const add = (value: string): void => {
    const bare = value.replace(/^(?:Bearer|Basic|token)\s+/i, "");
    if (isLikely(bare)) found.add(bare);
  };
  const json = parseJson(text);
  if (json === undefined) {
    const pairs = text.replaceAll(/(?:Bearer|Basic)\s+/gi, "").matchAll(ASSIGNED);
    for (const { groups = {} } of pairs) {
      if (isTokenName(groups["name"] ?? "")) add(groups["value"] ?? "");
    }
  } else {
    collect(json, false, 0, add);
  }
  return [...found];
}

function collect(
  value: unknown,
  isNamed: boolean,
  depth: number,
  add: (value: string) => void,
): void {
  if (typeof value === "string") {
    if (isNamed) add(value);
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [name, member] of Object.entries(value)) {
      collect(member, isNamed || isTokenName(name), depth + 1, add);
    }
  }
}

function isTokenName(name: string): boolean {
  return TOKEN_NAME.test(name) || isSecretName(name);
}

/** Words and places are what people talk about; a key has digits, too. */
function isLikely(value: string): boolean {
  return (
    isSecret(value) &&
    /\d/.test(value) &&
    !/\s/.test(value) &&
    !PLACE.test(value) &&
    !NAME_OF_VARIABLE.test(value)
  );
}
