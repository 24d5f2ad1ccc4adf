/**
 * Settings: flag, else environment, else atrium.config.json, else default; one table for all four.
 *
 * The file's schema is exported (dist/config.schema.json). A key, flag or value nobody knows is an error
 * that names it, because a setting that is silently ignored is worse than none.
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Compile, Type, type Static } from "@atrium/schema";
import { own } from "@atrium/wire";
import { isLoopback, isNetwork } from "./access/request-origin.ts";
import { Agents, Budgets, settleBudgets } from "./agents/agent-settings.ts";
import { crewOf, runtimesOf, type CrewSettings } from "./agents/crew.ts";
import { checkRuntimes, REHEARSAL, Runtimes, type RuntimeSettings } from "./agents/settings.ts";
import { ArgsError, ConfigError } from "./platform/config-error.ts";
import { describeIssues } from "./platform/issues.ts";
import { MAX_TIMER_MS } from "./platform/timers.ts";

export { ConfigError };

/** No timer of the machine's waits longer at once, and none of these has reason to. */
const Millis = Type.Integer({ minimum: 1, maximum: MAX_TIMER_MS });
/** What is waited for people and for work; longer than a year is a slip of the pen. */
const LongMillis = Type.Integer({ minimum: 1, maximum: 366 * 24 * 60 * 60_000 });
const Bytes = Type.Integer({ minimum: 1 });
const closed = { additionalProperties: false } as const;

export const Limits = Type.Object(
  {
    maxPayloadBytes: Type.Optional(Bytes),
    maxBufferedBytes: Type.Optional(Bytes),
    maxStrangerBytes: Type.Optional(Bytes),
    maxStallMs: Type.Optional(Millis),
    closeGraceMs: Type.Optional(Millis),
    lobbySeats: Type.Optional(Type.Integer({ minimum: 1 })),
    handshakeTimeoutMs: Type.Optional(Millis),
    pingIntervalMs: Type.Optional(Millis),
    tickIntervalMs: Type.Optional(Millis),
    healthIntervalMs: Type.Optional(Millis),
    wrongTokenTries: Type.Optional(Type.Integer({ minimum: 1 })),
    wrongTokenRefillMs: Type.Optional(Millis),
    maxTurns: Type.Optional(Type.Integer({ minimum: 1 })),
    turnTimeoutMs: Type.Optional(LongMillis),
    answerTimeoutMs: Type.Optional(LongMillis),
    maxFileBytes: Type.Optional(Bytes),
    maxFiles: Type.Optional(Type.Integer({ minimum: 1 })),
    pairingRequestMs: Type.Optional(LongMillis),
    maxBodyBytes: Type.Optional(Bytes),
    bodyTimeoutMs: Type.Optional(Millis),
    keepAliveMs: Type.Optional(Millis),
    bridgeBuffer: Type.Optional(Type.Integer({ minimum: 1 })),
    bridgePingIntervalMs: Type.Optional(Millis),
    bridgeToolTimeoutMs: Type.Optional(LongMillis),
    worldSnapshotHz: Type.Optional(Type.Number({ minimum: 1, maximum: 20 })),
    worldReplayEntries: Type.Optional(Type.Integer({ minimum: 0 })),
    worldSilenceMs: Type.Optional(LongMillis),
    worldCommandBurst: Type.Optional(Type.Integer({ minimum: 1 })),
    worldCommandRefillMs: Type.Optional(Millis),
    worldPlayerPosBurst: Type.Optional(Type.Integer({ minimum: 1 })),
    worldPlayerPosRefillMs: Type.Optional(Millis),
    buildSilenceMs: Type.Optional(LongMillis),
    signalsPerSecond: Type.Optional(Type.Integer({ minimum: 1 })),
    maxSignalBytes: Type.Optional(Bytes),
  },
  { ...closed, description: "What one peer or turn may cost. The defaults suit a team." },
);

const OfficeSettings = Type.Object(
  {
    walkingSpeedMps: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 100,
        description: "How fast agents walk, in meters a second; to a meeting, twice that.",
      }),
    ),
    meetingMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: "For how long everyone is at the table before the plan is told.",
      }),
    ),
  },
  { ...closed, description: "How the office moves." },
);

export const ConfigFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    host: Type.Optional(Type.String({ minLength: 1, description: "Address to listen on." })),
    port: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 65_535, description: "0 takes any free port." }),
    ),
    home: Type.Optional(Type.String({ minLength: 1, description: "Folder for everything kept." })),
    log: Type.Optional(
      Type.Union([Type.Literal("sqlite"), Type.Literal("memory")], {
        description: "Where the log lives; memory forgets everything on exit.",
      }),
    ),
    durability: Type.Optional(
      Type.Union([Type.Literal("full"), Type.Literal("normal")], {
        description: "full survives power loss, normal survives a crash of the process.",
      }),
    ),
    auth: Type.Optional(
      Type.Union([Type.Literal("token"), Type.Literal("none")], {
        description: "none lets in everyone on this machine and works on loopback only.",
      }),
    ),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "The shared token, at least 16 characters; made once and kept in home if absent.",
      }),
    ),
    web: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Folder of a web client, served at /; our own if absent.",
      }),
    ),
    allowedHosts: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    allowedOrigins: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    trustedProxies: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          "Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For and -Proto are believed.",
      }),
    ),
    limits: Type.Optional(Limits),
    office: Type.Optional(OfficeSettings),
    runtimes: Type.Optional(Runtimes),
    agents: Type.Optional(Agents),
    budgets: Type.Optional(Budgets),
  },
  closed,
);
type ConfigFile = Static<typeof ConfigFile>;

/** What the file says otherwise than the configuration that is made of it. */
type Rewritten =
  | "$schema"
  | "token"
  | "web"
  | "limits"
  | "office"
  | "runtimes"
  | "agents"
  | "budgets";

export interface Config extends Required<Omit<ConfigFile, Rewritten>> {
  readonly token: string | undefined;
  readonly web: string | undefined;
  readonly limits: Required<Static<typeof Limits>>;
  readonly office: Required<Static<typeof OfficeSettings>>;
  /** By name; "rehearsal" is always among them. */
  readonly runtimes: Readonly<Record<string, RuntimeSettings>>;
  readonly crew: readonly CrewSettings[];
  readonly budgets: Budgets;
  /** The settings file that was read, if there was one. */
  readonly file: string | undefined;
  /** Print one JSON line when open. */
  readonly json: boolean;
}

export const DEFAULT_LIMITS: Config["limits"] = {
  maxPayloadBytes: 25 * 1024 * 1024,
  maxBufferedBytes: 16 * 1024 * 1024,
  maxStrangerBytes: 64 * 1024,
  maxStallMs: 30_000,
  closeGraceMs: 3_000,
  lobbySeats: 1_024,
  handshakeTimeoutMs: 15_000,
  pingIntervalMs: 25_000,
  tickIntervalMs: 30_000,
  healthIntervalMs: 60_000,
  wrongTokenTries: 10,
  wrongTokenRefillMs: 6_000,
  maxTurns: 32,
  turnTimeoutMs: 30 * 60_000,
  answerTimeoutMs: 24 * 60 * 60_000,
  // What fits into a frame once it is base64.
  maxFileBytes: 18 * 1024 * 1024,
  maxFiles: 20,
  pairingRequestMs: 10 * 60_000,
  maxBodyBytes: 20 * 1024 * 1024,
  bodyTimeoutMs: 30_000,
  keepAliveMs: 15_000,
  bridgeBuffer: 100,
  bridgePingIntervalMs: 30_000,
  bridgeToolTimeoutMs: 10 * 60_000,
  worldSnapshotHz: 4,
  worldReplayEntries: 10_000,
  worldSilenceMs: 45_000,
  worldCommandBurst: 12,
  worldCommandRefillMs: 5_000,
  worldPlayerPosBurst: 20,
  worldPlayerPosRefillMs: 1_000,
  buildSilenceMs: 45_000,
  signalsPerSecond: 20_000,
  maxSignalBytes: 4 * 1024 * 1024,
};

const DEFAULT_OFFICE: Config["office"] = { walkingSpeedMps: 1.2, meetingMs: 1_500 };

export interface Surroundings {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

const SIMPLE = ["host", "port", "home", "log", "durability", "auth", "token", "web"] as const;

export const USAGE = `atrium: the front hall of an agent team

  --host ADDRESS       listen on this address        (ATRIUM_HOST, 127.0.0.1)
  --port NUMBER        0 takes any free port         (ATRIUM_PORT, 18789)
  --home FOLDER        keep everything here          (ATRIUM_HOME, ~/.atrium)
  --log sqlite|memory  where the log lives           (ATRIUM_LOG, sqlite)
  --durability full|normal                           (ATRIUM_DURABILITY, full)
  --auth token|none    none is for loopback only     (ATRIUM_AUTH, token)
  --token TEXT         the shared token              (ATRIUM_TOKEN, made once and kept in home)
  --agents NAME        runtime of the built-in crew  (ATRIUM_AGENTS, rehearsal)
  --web FOLDER         serve this web client at /    (ATRIUM_WEB, ours)
  --config FILE        settings file                 (ATRIUM_CONFIG, ./atrium.config.json, then home)
  --json               print one JSON line when open
  --help, --version
`;

export interface Asked {
  readonly wants: "help" | "version" | "server";
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
}

export function readArgs(args: readonly string[]): Asked {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        host: { type: "string" },
        port: { type: "string" },
        home: { type: "string" },
        log: { type: "string" },
        durability: { type: "string" },
        auth: { type: "string" },
        token: { type: "string" },
        agents: { type: "string" },
        web: { type: "string" },
        config: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean" },
        version: { type: "boolean" },
      },
    });
    const { json = false, help, version, ...flags } = values;
    const wants = help === true ? "help" : version === true ? "version" : "server";
    return { wants, flags, json };
  } catch (cause) {
    // Only what is wrong: the parser's advice is about words, and there are none here.
    const [problem = ""] = messageOf(cause).split(/\.? (?:To specify|Did you|This command)/);
    throw new ArgsError(`${problem}\n\n${USAGE}`, { cause });
  }
}

export function readConfig({ args, env, cwd }: Surroundings): Config {
  const { flags, json } = readArgs(args);
  const said = (name: string): string | undefined =>
    own(flags, name) ?? nonEmpty(own(env, `ATRIUM_${name.toUpperCase()}`));
  const earlyHome = resolve(cwd, said("home") ?? join(homedir(), ".atrium"));
  const { path: file, settings } = readFile(said("config"), cwd, earlyHome);

  const merged: Record<string, unknown> = { ...settings };
  for (const name of SIMPLE) {
    const value = said(name);
    if (value !== undefined) merged[name] = name === "port" ? Number(value) : value;
  }
  const { runtimes: named, agents, budgets, ...checked } = check(merged, "settings");
  const runtimes = runtimesOf(named);
  const config: Config = {
    host: "127.0.0.1",
    port: 18_789,
    log: "sqlite",
    durability: "full",
    auth: "token",
    token: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    trustedProxies: [],
    ...checked,
    home: resolve(cwd, checked.home ?? earlyHome),
    web: checked.web === undefined ? undefined : resolve(cwd, checked.web),
    limits: { ...DEFAULT_LIMITS, ...checked.limits },
    office: { ...DEFAULT_OFFICE, ...checked.office },
    runtimes,
    crew: crewOf(agents, said("agents") ?? REHEARSAL, runtimes, cwd),
    budgets: settleBudgets(budgets),
    file,
    json,
  };
  const isLocalOnly = config.host === "localhost" || isLoopback(config.host);
  if (config.auth === "none" && !isLocalOnly) {
    throw new ConfigError(
      `auth "none" would let anyone who reaches ${config.host} in; use it on 127.0.0.1 only, or set auth to "token"`,
    );
  }
  const strange = config.trustedProxies.find((proxy) => !isNetwork(proxy));
  if (strange !== undefined) {
    throw new ConfigError(`trustedProxies: ${strange} is no address or network (10.0.0.0/8)`);
  }
  if (config.token !== undefined) checkToken(config.token);
  if (config.web !== undefined && !existsSync(join(config.web, "index.html"))) {
    throw new ConfigError(`web: there is no index.html in ${config.web}`);
  }
  return config;
}

const MIN_TOKEN_CHARACTERS = 16;

/** What could be guessed is no token; `source` is where it was read. */
export function checkToken(token: string, source = "token"): void {
  if (token.length >= MIN_TOKEN_CHARACTERS) return;
  throw new ConfigError(
    `${source}: a token of ${token.length} characters could be guessed; use at least ${MIN_TOKEN_CHARACTERS}, or leave it out and one is made`,
  );
}

interface SettingsFile {
  readonly path: string | undefined;
  readonly settings: ConfigFile;
}

function readFile(named: string | undefined, cwd: string, home: string): SettingsFile {
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
    try {
      return { path, settings: check(JSON.parse(text), path) };
    } catch (cause) {
      if (cause instanceof ConfigError) throw cause;
      throw new ConfigError(`${path} is not JSON: ${messageOf(cause)}`, { cause });
    }
  }
  return { path: undefined, settings: {} };
}

function check(value: unknown, source: string): ConfigFile {
  const problem = checkRuntimes(value);
  if (problem !== undefined) throw new ConfigError(`${source}: ${problem}`);
  const validator = Compile(ConfigFile);
  if (validator.Check(value)) return value;
  throw new ConfigError(`${source}: ${describeIssues(validator.Errors(value))}`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
