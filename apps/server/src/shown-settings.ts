/** The settings in effect, as they may be shown: secrets are replaced by a word that is none. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Config } from "./config.ts";

export interface ShownSettings {
  /** The file they were read from, or the one that would be. */
  readonly path: string;
  readonly exists: boolean;
  readonly values: Readonly<Record<string, unknown>>;
  /** Changes when what is shown does; made from nothing else, so it gives no secret away. */
  readonly hash: string;
}

/** What the peer's clients know as "there is a value, and it is not for you". */
const REDACTED = "__OPENCLAW_REDACTED__";
// The name of an environment variable is no secret; what is in it never gets here.
const SECRET_NAME = /(?:token|secret|password|apikey)$/i;
// Whatever is handed to programs and servers may be one.
const SECRET_HOLDER = /^(?:env|headers)$/i;

export function showSettings(config: Config): ShownSettings {
  const { json: _json, file, ...settings } = config;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays one
  const values = redact(settings) as Record<string, unknown>;
  return {
    path: file ?? join(config.home, "atrium.config.json"),
    exists: file !== undefined,
    values,
    hash: createHash("sha256").update(JSON.stringify(values)).digest("hex"),
  };
}

function redact(value: unknown, name = ""): unknown {
  if (typeof value === "string") return SECRET_NAME.test(name) ? REDACTED : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => redact(each, name));
  const isHolder = SECRET_HOLDER.test(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redact(each, isHolder ? "secret" : key)]),
  );
}
