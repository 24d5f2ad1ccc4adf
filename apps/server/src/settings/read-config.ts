/**
 * Settings: flag, else environment, else atrium.config.json, else default.
 *
 * An unknown key, flag or value is an error that names it, because a setting that is silently ignored is
 * worse than none.
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Compile, type Static, type TSchema } from "@atrium/schema";
import { own } from "@atrium/wire";
import { isLoopback, isNetwork } from "../access/request-origin.ts";
import { crewOf, runtimesOf, type CrewSettings } from "../agents/crew.ts";
import { settleBudgets, type BudgetSettings } from "../agents/settings/agent-settings.ts";
import { checkRuntimes, type RuntimeSettings } from "../agents/settings/runtime-settings.ts";
import { ConfigError } from "../platform/config-error.ts";
import { describeIssues } from "../platform/issues.ts";
import { repositoriesIn, type ConfiguredRepository } from "../repositories/repository-settings.ts";
import { natsSettingsOf, type NatsSettings } from "./cluster-settings.ts";
import { nameOf, readArgs } from "./command-line.ts";
import { LIMITS } from "./limits.ts";
import { defaultsOf, settingsIn, type Defaults, type Flag } from "./setting.ts";
import { ConfigFile, OFFICE, SETTINGS, SIGHTINGS } from "./table.ts";

export { ConfigError };

export interface Config extends Omit<Defaults<typeof SETTINGS>, "budgets"> {
  /** The servers of the log; undefined when this machine keeps it by itself. */
  readonly nats: NatsSettings | undefined;
  /** The name given to this node, if any was. */
  readonly node: string | undefined;
  /** Folder for what is a file and not the log; all nodes see the same. */
  readonly shared: string;
  readonly token: string | undefined;
  readonly web: string | undefined;
  /** Undefined: the next free port after `port`. */
  readonly preview: "off" | number | undefined;
  readonly limits: Defaults<typeof LIMITS>;
  readonly office: Defaults<typeof OFFICE>;
  readonly sightings: Defaults<typeof SIGHTINGS>;
  /** By name; "rehearsal" is always among them. */
  readonly runtimes: Readonly<Record<string, RuntimeSettings>>;
  readonly crew: readonly CrewSettings[];
  readonly budgets: BudgetSettings;
  readonly repositories: readonly ConfiguredRepository[];
  /** The settings file that was read, if there was one. */
  readonly file: string | undefined;
  /** Print one JSON line when open. */
  readonly json: boolean;
}

export interface ProcessInputs {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export function readConfig(inputs: ProcessInputs): Config {
  const { cwd } = inputs;
  const given = readGiven(inputs);
  const { home, config: fileName } = SETTINGS;
  const earlyHome = resolve(cwd, given(home)?.text ?? home.default.replace("~", () => homedir()));
  return settleConfig(inputs, readSettingsFile(given(fileName)?.text, cwd, earlyHome), earlyHome);
}

/** What the same process would have read if the file had this text. */
export function rereadConfig(inputs: ProcessInputs, path: string, text: string): Config {
  const { home } = SETTINGS;
  const given = readGiven(inputs)(home)?.text ?? home.default.replace("~", () => homedir());
  const file = { path, settings: parseSettings(text, path) };
  return settleConfig(inputs, file, resolve(inputs.cwd, given));
}

interface GivenText {
  readonly text: string;
  /** The flag or variable that says so. */
  readonly by: string;
}

/** What the command line, else the environment, says of a setting. */
export function readGiven({ args, env }: ProcessInputs): (row: Flag) => GivenText | undefined {
  const { values } = readArgs(args);
  return ({ flag, env: variable }) => {
    const typed = flag === undefined ? undefined : own(values, nameOf(flag));
    if (flag !== undefined && (typeof typed === "string" || typed === true)) {
      return { text: `${typed}`, by: `--${nameOf(flag)}` };
    }
    const text = variable === undefined ? undefined : own(env, variable);
    return variable === undefined || text === undefined || text === ""
      ? undefined
      : { text, by: variable };
  };
}

function settleConfig(
  inputs: ProcessInputs,
  { path: file, settings }: SettingsFile,
  earlyHome: string,
): Config {
  const { cwd } = inputs;
  const given = readGiven(inputs);
  const entries = new Map<string, unknown>(Object.entries(settings));
  for (const [key, row] of settingsIn(SETTINGS)) {
    const text = given(row)?.text;
    if (text !== undefined) entries.set(key, parse(text, row.schema));
  }
  const merged = check(Object.fromEntries(entries), "settings");
  const { runtimes: named, agents, budgets, repositories = {}, ...checked } = merged;
  const runtimes = runtimesOf(named);
  const settled = { ...defaultsOf(SETTINGS), ...checked };
  const homeFolder = resolve(cwd, checked.home ?? earlyHome);
  const config: Config = {
    ...settled,
    home: homeFolder,
    nats: natsSettingsOf(settled, cwd),
    node: checked.node,
    shared: resolve(cwd, checked.shared ?? homeFolder),
    token: checked.token,
    web: checked.web === undefined ? undefined : resolve(cwd, checked.web),
    preview: checked.preview,
    limits: { ...defaultsOf(LIMITS), ...checked.limits },
    office: { ...defaultsOf(OFFICE), ...checked.office },
    sightings: { ...defaultsOf(SIGHTINGS), ...checked.sightings },
    runtimes,
    crew: crewOf(agents, settled.crewRuntime, runtimes, cwd),
    budgets: settleBudgets(budgets),
    repositories: repositoriesIn(repositories, cwd),
    file,
    json: given(SETTINGS.json) !== undefined,
  };
  checkAccess(config);
  if (config.web !== undefined && !existsSync(join(config.web, "index.html"))) {
    throw new ConfigError(`web: there is no index.html in ${config.web}`);
  }
  return config;
}

/** Flags and variables are text; a key may want a number, or true or false. */
function parse(text: string, schema: TSchema): unknown {
  const type = "type" in schema ? schema.type : undefined;
  if (type === "boolean") return BOOLEANS.get(text) ?? text;
  return type === "integer" ? Number(text) : text;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function checkAccess({ host, auth, token, trustedProxies }: Config): void {
  const isLocalOnly = host === "localhost" || isLoopback(host);
  if (auth === "none" && !isLocalOnly) {
    throw new ConfigError(
      `auth "none" would admit anyone who reaches ${host}; use it on 127.0.0.1 only, or set auth to "token"`,
    );
  }
  const strange = trustedProxies.find((proxy) => !isNetwork(proxy));
  if (strange !== undefined) {
    throw new ConfigError(`trustedProxies: ${strange} is not an address or network (10.0.0.0/8)`);
  }
  if (token !== undefined) checkToken(token);
}

const MIN_TOKEN_CHARACTERS = 16;

/** Rejects a token that could be guessed; `source` is where it was read. */
export function checkToken(token: string, source = "token"): void {
  if (token.length >= MIN_TOKEN_CHARACTERS) return;
  throw new ConfigError(
    `${source}: a token of ${token.length} characters could be guessed; use at least ${MIN_TOKEN_CHARACTERS}, or leave it out and the server creates one`,
  );
}

interface SettingsFile {
  readonly path: string | undefined;
  readonly settings: Static<typeof ConfigFile>;
}

function readSettingsFile(named: string | undefined, cwd: string, home: string): SettingsFile {
  const places =
    named === undefined
      ? [join(cwd, "atrium.config.json"), join(home, "atrium.config.json")]
      : [resolve(cwd, named)];
  for (const path of places) {
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
      const isAbsent = code === "ENOENT" || code === "ENOTDIR";
      if (isAbsent && named === undefined) continue;
      throw new ConfigError(`cannot read ${path}: ${messageOf(cause)}`, { cause });
    }
    return { path, settings: parseSettings(text, path) };
  }
  return { path: undefined, settings: {} };
}

export function parseSettings(text: string, source: string): Static<typeof ConfigFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ConfigError(`${source} is not JSON: ${withoutQuote(messageOf(cause))}`);
  }
  return check(value, source);
}

function check(value: unknown, source: string): Static<typeof ConfigFile> {
  const problem = checkRuntimes(value);
  if (problem !== undefined) throw new ConfigError(`${source}: ${problem}`);
  const validator = Compile(ConfigFile);
  if (validator.Check(value)) return value;
  throw new ConfigError(`${source}: ${describeIssues(validator.Errors(value))}`);
}

/** The parser quotes what stands around the mistake, which may be a secret. */
function withoutQuote(message: string): string {
  return message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, "");
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
