/**
 * The settings in effect, as far as they may be shown: those that the table calls public, and the fields of
 * agents, runtimes and repositories that are listed here. Of a command only its program, of an address only its host; no
 * arguments, no passwords, no environment. A new field stays hidden until it is listed.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { own } from "@atrium/wire";
import type { CrewSettings } from "../agents/crew.ts";
import { kindsLeftOut, type Brought } from "../agents/settings/brought-settings.ts";
import type { RuntimeSettings } from "../agents/settings/runtime-settings.ts";
import { fieldsOf } from "../agents/turn/json-fields.ts";
import type { ConfiguredRepository } from "../repositories/repository-settings.ts";
import type { Config } from "./read-config.ts";
import { settingsIn } from "./setting.ts";
import { SETTINGS } from "./table.ts";

export interface PublicSettings {
  /** The file they were read from, or the one that would be. */
  readonly path: string;
  readonly exists: boolean;
  readonly values: Readonly<Record<string, unknown>>;
  /** A digest of what is shown and of nothing else, so it reveals no secret. */
  readonly hash: string;
}

/** OpenClaw's mark for a value that exists and is not shown. */
export const REDACTED = "__OPENCLAW_REDACTED__";

const PUBLIC_KEYS: ReadonlySet<string> = new Set(
  settingsIn(SETTINGS).flatMap(([key, { isPublic }]) => (isPublic === true ? [key] : [])),
);
const AGENT_KEYS: ReadonlySet<string> = new Set([
  "id",
  "handle",
  "name",
  "role",
  "runtime",
  "cwd",
  "tools",
  "skills",
  "permissions",
  "limits",
  "desk",
  "look",
]);
const RUNTIME_KEYS: ReadonlySet<string> = new Set([
  "type",
  "provider",
  "model",
  "price",
  "transport",
  "permissionMode",
  "ownSettings",
  "sandboxMode",
  "approvalPolicy",
  "agentId",
  "cwd",
  "pace",
  "seed",
]);
const REPOSITORY_KEYS: ReadonlySet<string> = new Set(["path", "base", "deliver", "skills"]);
const FIGURE = /(?:Ms|Bytes|Tokens|Steps|Retries|Processes)$/;

export function publicSettings(config: Config): PublicSettings {
  const { file, token, crew, runtimes, repositories } = config;
  const values = {
    ...pick(config, PUBLIC_KEYS),
    ...(token !== undefined && { token: REDACTED }),
    crew: crew.map((member) => publicAgent(member, own(runtimes, member.runtime))),
    runtimes: Object.fromEntries(
      Object.entries(runtimes).map(([name, settings]) => [name, publicRuntime(settings)]),
    ),
    repositories: Object.fromEntries(repositories.map(publicRepository)),
  };
  return {
    path: file ?? join(config.home, "atrium.config.json"),
    exists: file !== undefined,
    values,
    hash: createHash("sha256").update(JSON.stringify(values)).digest("hex"),
  };
}

function pick(from: object, names: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));
}

/** With what can be given to it, where that is not everything. */
function publicAgent(
  member: CrewSettings,
  runtime: RuntimeSettings | undefined,
): Readonly<Record<string, unknown>> {
  const lacks = runtime === undefined ? [] : kindsLeftOut(runtime);
  const cannotTake = lacks.length === 0 ? {} : { cannotTake: lacks };
  return { ...pick(member, AGENT_KEYS), ...serverNames(member), ...cannotTake };
}

function publicRepository(repository: ConfiguredRepository) {
  const shown = { ...pick(repository, REPOSITORY_KEYS), ...serverNames(repository) };
  return [repository.id, shown] as const;
}

function serverNames({ mcpServers }: Brought): { readonly mcpServers?: readonly string[] } {
  return mcpServers === undefined ? {} : { mcpServers: Object.keys(mcpServers) };
}

function publicRuntime(settings: RuntimeSettings): Readonly<Record<string, unknown>> {
  const entries = Object.entries(settings).map(([name, value]: [string, unknown]) => {
    return [name, publicRuntimeSetting(name, value)] as const;
  });
  return Object.fromEntries(entries);
}

function publicRuntimeSetting(name: string, value: unknown): unknown {
  if (RUNTIME_KEYS.has(name)) return value;
  if (FIGURE.test(name) && typeof value === "number") return value;
  if (name === "command") return programOf(value);
  if (name === "mcpServers") return Object.keys(fieldsOf(value));
  const isAddress = name === "url" || name === "baseUrl";
  return isAddress && typeof value === "string" ? hostOf(value) : REDACTED;
}

function programOf(command: unknown): string {
  const program: unknown = Array.isArray(command) ? command[0] : command;
  return typeof program === "string" ? basename(program) : REDACTED;
}

/** No user, no password, no path, no query. */
function hostOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? REDACTED : `${url.protocol}//${url.host}`;
}
