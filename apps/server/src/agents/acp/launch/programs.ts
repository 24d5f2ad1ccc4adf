/**
 * What is peculiar to each program that speaks ACP, as it was observed. The runtime is the same for all of them: a quirk
 * is a value in this table, never a condition elsewhere.
 */
import { basename } from "node:path";
import { PROGRAM_HOMES } from "../../detection/programs/program-homes.ts";
import type { ProgramHome } from "../../process/home/program-home.ts";
import type { SettingsOf } from "../../settings/runtime-settings.ts";
import { fieldsOf } from "../../turn/json-fields.ts";
import type { CountedScope } from "../session/session-meter.ts";
import type { ToolTransport } from "../tools/acp-tool-server.ts";
import type { ToolConvention } from "../tools/own-calls.ts";

type AcpProgramName = NonNullable<SettingsOf<"acp">["program"]>;

export interface AcpProgram extends ToolConvention {
  /** How it takes our tools, where it says that it can. */
  readonly toolTransport: ToolTransport;
  /** Arguments that it is started with unless the settings have them. */
  readonly args: readonly string[];
  /** Whether it may read files through us. Writing them is offered to everyone. */
  readonly readsFiles: boolean;
  /** Whether a session of an earlier process can be relied on. */
  readonly keepsSessions: boolean;
  /** The mode in which it asks for permissions, where that is not the one it starts in. */
  readonly mode?: string;
  readonly usageOf: CountedScope;
  /** Whether it asks by itself for what people have added. The others are cancelled and told. */
  readonly asksForSteering: boolean;
  /** How a person logs in. */
  readonly login: string;
  /** Where it keeps its login and settings; undefined: nobody knows. */
  readonly home?: ProgramHome;
  /** With what a terminal goes on with a session; left out: it cannot. */
  readonly resumeArgs?: (session: string) => readonly string[];
  /** How it is given its model where it offers no choice of one: with a model server of its user's. */
  readonly modelFlag?: { readonly flag: string; readonly where: string };
  /** How MCP servers that its user has configured in it are left out; left out: it has no way. */
  readonly ownServers?: OwnServers;
  /** What it is started with besides, where it has a way of its own to take skills. */
  readonly startsWith?: "skill-plugin" | "opencode-config";
}

export type OwnServers =
  /** The flag names those that it may use, ours among them. */
  | { readonly way: "allow"; readonly flag: string }
  /** They have to be named to be switched off: it is run once with these words and lists them, in JSON, below the key. */
  | {
      readonly way: "switch-off";
      readonly list: readonly string[];
      readonly key: string;
      readonly by: "flags" | "opencode-config";
    };

const ORDINARY: AcpProgram = {
  args: [],
  readsFiles: true,
  keepsSessions: true,
  toolTransport: "stdio",
  usageOf: "turn",
  asksForSteering: false,
  toolPrefix: "mcp__atrium__",
  login: "Start it in a terminal once and log in.",
};

const BY_NAME: Readonly<Record<AcpProgramName, AcpProgram>> = {
  opencode: {
    ...ORDINARY,
    home: PROGRAM_HOMES.opencode,
    toolPrefix: "atrium_",
    resumeArgs: (session) => ["--session", session],
    ownServers: {
      way: "switch-off",
      list: ["debug", "config"],
      key: "mcp",
      by: "opencode-config",
    },
    // It also has it ask, because by itself it asks about next to nothing.
    startsWith: "opencode-config",
    login: "Run `opencode auth login` in a terminal.",
  },
  gemini: {
    ...ORDINARY,
    home: PROGRAM_HOMES.gemini,
    // In a folder that it does not trust it gives a session no MCP servers at all.
    args: ["--skip-trust"],
    // It reads a file before it writes it, and fails to create one when it is told that there is none.
    readsFiles: false,
    // Most attempts to load a session fail, and after one that fails the session's file is gone.
    keepsSessions: false,
    // It takes no server whose protocol is newer than 2025-06-18; ours over HTTP speaks what it is asked for.
    toolTransport: "http",
    toolPrefix: "mcp_atrium_",
    toolTitle: (tool) => `${tool} (atrium MCP Server)`,
    ownServers: { way: "allow", flag: "--allowed-mcp-server-names" },
    login:
      "Start `gemini` in a terminal once and log in, or name GEMINI_API_KEY in env of its runtime.",
  },
  qwen: {
    ...ORDINARY,
    home: PROGRAM_HOMES.qwen,
    // It starts in `auto`, where a model decides what people need not be asked.
    mode: "default",
    asksForSteering: true,
    resumeArgs: (session) => ["--resume", session],
    ownServers: { way: "allow", flag: "--allowed-mcp-server-names" },
    login:
      "Run `qwen auth` in a terminal, or name OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL in env of its runtime.",
  },
  copilot: {
    ...ORDINARY,
    home: PROGRAM_HOMES.copilot,
    // It drops servers that it would have to start itself, with no more than a line in its log.
    toolTransport: "http",
    usageOf: "session",
    resumeArgs: (session) => [`--resume=${session}`],
    toolPrefix: "atrium-",
    toolTitle: (tool) => `atrium-${tool}`,
    askedTitle: (tool) => tool,
    modelFlag: { flag: "--model", where: "COPILOT_PROVIDER_BASE_URL" },
    ownServers: {
      way: "switch-off",
      list: ["mcp", "list", "--json"],
      key: "mcpServers",
      by: "flags",
    },
    startsWith: "skill-plugin",
    login: "Run `copilot login` in a terminal.",
  },
  "codex-acp": {
    ...ORDINARY,
    home: PROGRAM_HOMES.codex,
    usageOf: "context",
    toolTitle: (tool) => `Tool: atrium/${tool}`,
    isServerAsked: (input) => {
      const { server_name: server, request } = fieldsOf(input);
      const kind = fieldsOf(fieldsOf(request)["_meta"])["codex_approval_kind"];
      return server === "atrium" && kind === "mcp_tool_call";
    },
    login: "Run `codex login` in a terminal, or name CODEX_API_KEY in env of its runtime.",
  },
};

const PROGRAMS: ReadonlyMap<string, AcpProgram> = new Map(Object.entries(BY_NAME));

/** By its name in the settings, else by that of the file that is started. */
export function programOf(
  name: AcpProgramName | undefined,
  [file = ""]: readonly string[],
): AcpProgram {
  const started = basename(file).replace(/\.(?:exe|cmd|js|mjs)$/, "");
  return PROGRAMS.get(name ?? started) ?? ORDINARY;
}

/** With which programs are told to speak ACP. */
const ACP_WORDS = new Set(["acp", "--acp", "--experimental-acp"]);

/** The command as a person would start it. */
export function inTerminal(command: readonly string[]): readonly string[] {
  return command.filter((word) => !ACP_WORDS.has(word));
}

/** With what it is told of the model of its settings at its start; empty: only its session is. */
export function modelArgs(
  { modelFlag }: AcpProgram,
  { model, env }: { readonly model?: string; readonly env: Readonly<Record<string, string>> },
): readonly string[] {
  if (model === undefined || modelFlag === undefined) return [];
  return Object.hasOwn(env, modelFlag.where) ? [`${modelFlag.flag}=${model}`] : [];
}

/** The command with what the program needs besides. */
export function commandWith(command: readonly string[], { args }: AcpProgram): readonly string[] {
  return [...command, ...args.filter((arg) => !command.includes(arg))];
}
