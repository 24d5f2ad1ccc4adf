/**
 * Every setting, once. These rows define the flags and `--help` (command-line.ts), what is read
 * (read-config.ts), what `config.get` shows (public-settings.ts), dist/config.schema.json and
 * docs/settings.md. The help, the schema and the page keep this order.
 */
import { Type } from "@atrium/schema";
import { AgentList, BudgetSettings, settleBudgets } from "../agents/settings/agent-settings.ts";
import { REHEARSAL, Runtimes } from "../agents/settings/runtime-settings.ts";
import { RepositoryTable } from "../repositories/repository-settings.ts";
import { CLUSTER, LOG } from "./cluster-settings.ts";
import { LIMITS } from "./limits.ts";
import { schemaOf, setting, type Rows } from "./setting.ts";

export type { Flag, Rows, Setting } from "./setting.ts";

const Names = Type.Array(Type.String({ minLength: 1 }));
const textOf = (description: string) => Type.String({ minLength: 1, description });
const eitherOf = <A extends string, B extends string>(one: A, other: B, description: string) =>
  Type.Union([Type.Literal(one), Type.Literal(other)], { description });

const LISTENING = "the server listens there from its start";
const ADMISSION = "everyone who is connected came in by it";

export const OFFICE = {
  walkingSpeedMps: setting({
    schema: Type.Number({
      minimum: 0.1,
      maximum: 100,
      description: "How fast agents walk, in meters a second; to a meeting, twice that.",
    }),
    default: 1.2,
  }),
  meetingMs: setting({
    schema: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: "How long everyone stays at the table before the plan is announced.",
    }),
    default: 1_500,
  }),
};

const sighting = (program: string, files: string) =>
  setting({
    schema: Type.Boolean({
      description: `Show sessions of ${program} that have not joined, by reading ${files}.`,
    }),
    default: false,
  });

/** By the name of the program; a person chooses each. */
export const SIGHTINGS = {
  "claude-code": sighting("Claude Code", "~/.claude/sessions and its transcripts"),
  codex: sighting("Codex", "the rollouts in ~/.codex/sessions"),
  copilot: sighting("Copilot CLI", "~/.copilot/session-state"),
  qwen: sighting("Qwen Code", "~/.qwen/sessions and its transcripts"),
  gemini: sighting("Gemini CLI", "the chats in ~/.gemini/tmp"),
  opencode: sighting("opencode", "its database in ~/.local/share/opencode"),
  cline: sighting("Cline", "~/.cline/data/sessions"),
};

export const SETTINGS = {
  $schema: setting({
    schema: Type.String(),
    help: "Where an editor finds the schema of this file.",
  }),
  host: setting({
    schema: textOf("Address to listen on."),
    default: "127.0.0.1",
    flag: "--host ADDRESS",
    env: "ATRIUM_HOST",
    help: "listen on this address",
    isPublic: true,
    restart: LISTENING,
  }),
  port: setting({
    schema: Type.Integer({ minimum: 0, maximum: 65_535, description: "0 takes any free port." }),
    default: 18_789,
    flag: "--port NUMBER",
    env: "ATRIUM_PORT",
    help: "0 takes any free port",
    isPublic: true,
    restart: LISTENING,
  }),
  home: setting({
    schema: textOf("Folder for the log, the token and all other data."),
    default: "~/.atrium",
    flag: "--home FOLDER",
    env: "ATRIUM_HOME",
    help: "keep everything here",
    isPublic: true,
    restart: "everything that is open is in it",
  }),
  log: setting({
    schema: textOf(
      "Where the log is stored: sqlite in home, memory until exit, or NATS servers (nats:// or tls://) that several nodes share.",
    ),
    default: "sqlite",
    flag: "--log ENGINE",
    env: "ATRIUM_LOG",
    help: "sqlite, memory or nats://a,b,c",
    page: "cluster.md",
    isPublic: true,
    restart: LOG,
  }),
  durability: setting({
    schema: eitherOf(
      "full",
      "normal",
      "full survives power loss, normal survives a crash of the process.",
    ),
    default: "full",
    flag: "--durability full|normal",
    env: "ATRIUM_DURABILITY",
    isPublic: true,
    restart: LOG,
  }),
  ...CLUSTER,
  auth: setting({
    schema: eitherOf(
      "token",
      "none",
      "none admits everyone on this machine and works on loopback only.",
    ),
    default: "token",
    flag: "--auth token|none",
    env: "ATRIUM_AUTH",
    help: "none is for loopback only",
    isPublic: true,
    restart: ADMISSION,
  }),
  token: setting({
    schema: textOf(
      "The shared token, at least 16 characters. If absent, the server creates one and stores it in home.",
    ),
    defaultText: "made once and kept in home",
    flag: "--token TEXT",
    env: "ATRIUM_TOKEN",
    help: "the shared token",
    restart: ADMISSION,
  }),
  crewRuntime: setting({
    schema: textOf("Runtime of the agents that name none."),
    default: REHEARSAL,
    flag: "--agents NAME",
    env: "ATRIUM_AGENTS",
    help: "runtime of the crew",
    page: "agents.md",
    isPublic: true,
  }),
  web: setting({
    schema: textOf("Folder of a web client, served at /; Atrium's own if absent."),
    defaultText: "ours",
    flag: "--web FOLDER",
    env: "ATRIUM_WEB",
    help: "serve this web client at /",
    isPublic: true,
    restart: "its files are listed at the start",
  }),
  allowedHosts: setting({
    schema: Names,
    default: [],
    help: "Host names that the server accepts, besides localhost and IP addresses.",
    isPublic: true,
  }),
  allowedOrigins: setting({
    schema: Names,
    default: [],
    help: "Origins of other pages that may use the server, such as https://app.example.",
    isPublic: true,
  }),
  trustedProxies: setting({
    schema: Type.Array(Type.String({ minLength: 1 }), {
      description:
        "Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For and -Proto the server trusts.",
    }),
    default: [],
    page: "access.md",
    isPublic: true,
  }),
  preview: setting({
    schema: Type.Union([Type.Literal("off"), Type.Integer({ minimum: 0, maximum: 65_535 })], {
      description: "Port for previews of sites that agents made, or off; 0 takes any free port.",
    }),
    defaultText: "the next free port after `port`",
    page: "builds.md#preview",
    isPublic: true,
  }),
  limits: setting({
    schema: schemaOf(LIMITS, "Limits for one peer or turn. The defaults suit a team."),
    members: LIMITS,
    isPublic: true,
  }),
  office: setting({
    schema: schemaOf(OFFICE, "How the office moves."),
    members: OFFICE,
    isPublic: true,
  }),
  sightings: setting({
    schema: schemaOf(
      SIGHTINGS,
      "Whose sessions the office shows without a plugin, by reading the files that the program keeps.",
    ),
    members: SIGHTINGS,
    page: "joined-sessions.md#seen-without-set-up",
    isPublic: true,
  }),
  runtimes: setting({ schema: Runtimes, page: "agents.md#runtimes" }),
  agents: setting({ schema: AgentList, defaultText: "the built-in crew", page: "agents.md" }),
  budgets: setting({
    schema: BudgetSettings,
    default: settleBudgets(),
    page: "agents.md#budgets",
    isPublic: true,
  }),
  repositories: setting({ schema: RepositoryTable, page: "repositories.md" }),
  config: {
    defaultText: "./atrium.config.json, then home",
    flag: "--config FILE",
    env: "ATRIUM_CONFIG",
    help: "settings file",
  },
  json: { flag: "--json", help: "print one JSON line when open" },
} satisfies Rows;

export const ConfigFile = schemaOf(SETTINGS);
