/**
 * The agent programs that Atrium knows: one row each. A row says which file to look for, which questions may be put to it,
 * and what connects it. Only these questions are ever asked: none of them starts a session or needs a network.
 */
import type { RuntimeSettings } from "../../settings/runtime-settings.ts";
import { readCodexKeys } from "./codex-keys.ts";
import {
  readClaudeLogin,
  readClineLogin,
  readCodexLogin,
  readGeminiLogin,
  readNoLogin,
  readOpencodeLogin,
  type ReadLogin,
} from "./program-login.ts";

/** A file of the program's own, in the folder that the variable names. */
export interface KeptFile {
  readonly variable?: string;
  /** Below HOME, where the variable is not set. */
  readonly folder: string;
  readonly name: string;
}

export interface ProgramRow {
  /** The name of its program, and of a runtime that uses it. */
  readonly id: string;
  readonly name: string;
  /** The npm package that brings it. */
  readonly package: string;
  /** Arguments that print its version. Left out: it speaks ACP at once, and its `initialize` tells. */
  readonly version?: readonly string[];
  /** The oldest that has what Atrium uses. */
  readonly oldest?: string;
  /** Names of variables: where it keeps its login, keys that stand in for one, and what goes with those. */
  readonly variables: {
    readonly places?: readonly string[];
    readonly keys?: readonly string[];
    readonly others?: readonly string[];
    /** With one of these it works with credentials of a cloud, and needs no login of its own. */
    readonly clouds?: readonly string[];
    /** A file of its own that names more keys. */
    readonly named?: {
      readonly file: KeptFile;
      readonly read: (text: string) => readonly string[];
    };
  };
  readonly login: {
    /** Arguments that print the login. */
    readonly command?: readonly string[];
    readonly file?: KeptFile;
    readonly read: ReadLogin;
    /** What a person runs to log in. */
    readonly by: string;
  };
  /** Settings that connect it; `env` names variables that it is given. Left out: there is no runtime for it yet. */
  readonly runtime?: (env: readonly string[]) => RuntimeSettings;
}

/** How this machine reaches the network: every program needs them to answer at all. */
const NETWORK = [
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "https_proxy",
  "http_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
];

const CODEX_CONFIG: KeptFile = { variable: "CODEX_HOME", folder: ".codex", name: "config.toml" };

export const PROGRAM_TABLE: readonly ProgramRow[] = [
  {
    id: "claude",
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    version: ["--version"],
    oldest: "2.0.0",
    variables: {
      places: ["CLAUDE_CONFIG_DIR"],
      keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      clouds: ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"],
      others: [
        "ANTHROPIC_BASE_URL",
        "AWS_PROFILE",
        "AWS_REGION",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "ANTHROPIC_VERTEX_PROJECT_ID",
        "CLOUD_ML_REGION",
      ],
    },
    login: { command: ["auth", "status"], read: readClaudeLogin, by: "claude" },
    runtime: (env) => ({ type: "claude-code", ...named(env) }),
  },
  {
    id: "codex",
    name: "Codex",
    package: "@openai/codex",
    version: ["--version"],
    variables: { places: ["CODEX_HOME"], named: { file: CODEX_CONFIG, read: readCodexKeys } },
    login: {
      command: ["login", "status"],
      file: CODEX_CONFIG,
      read: readCodexLogin,
      by: "codex login",
    },
    runtime: (env) => ({ type: "codex", ...named(env) }),
  },
  {
    id: "codex-acp",
    name: "Codex adapter",
    package: "@zed-industries/codex-acp",
    variables: {
      places: ["CODEX_HOME"],
      keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
      named: { file: CODEX_CONFIG, read: readCodexKeys },
    },
    login: { read: readNoLogin, by: "codex login" },
    runtime: acp("codex-acp"),
  },
  {
    id: "opencode",
    name: "opencode",
    package: "opencode-ai",
    version: ["--version"],
    variables: { places: ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] },
    login: { command: ["auth", "list"], read: readOpencodeLogin, by: "opencode auth login" },
    runtime: acp("opencode", "acp"),
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    package: "@google/gemini-cli",
    version: ["--version"],
    // The first whose flag is --acp.
    oldest: "0.33.0",
    variables: {
      places: ["GEMINI_CLI_HOME"],
      keys: ["GEMINI_API_KEY"],
      others: ["GOOGLE_GEMINI_BASE_URL"],
    },
    login: {
      file: { variable: "GEMINI_CLI_HOME", folder: "", name: ".gemini/settings.json" },
      read: readGeminiLogin,
      by: "gemini",
    },
    // In a folder that it does not trust it has none of our tools.
    runtime: acp("gemini", "--acp", "--skip-trust"),
  },
  {
    id: "qwen",
    name: "Qwen Code",
    package: "@qwen-code/qwen-code",
    version: ["--version"],
    variables: {
      places: ["QWEN_HOME"],
      keys: ["OPENAI_API_KEY"],
      others: ["OPENAI_BASE_URL", "OPENAI_MODEL"],
    },
    login: { read: readNoLogin, by: "qwen" },
    runtime: acp("qwen", "--acp"),
  },
  {
    id: "copilot",
    name: "GitHub Copilot CLI",
    package: "@github/copilot",
    version: ["--version"],
    variables: {
      places: ["COPILOT_HOME"],
      keys: ["COPILOT_GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY"],
      others: ["COPILOT_PROVIDER_BASE_URL", "COPILOT_MODEL"],
    },
    login: { read: readNoLogin, by: "copilot login" },
    runtime: acp("copilot", "--acp"),
  },
  {
    id: "cline",
    name: "Cline",
    package: "cline",
    version: ["--version"],
    variables: { places: ["CLINE_DIR"] },
    login: {
      file: { variable: "CLINE_DIR", folder: ".cline", name: "data/settings/providers.json" },
      read: readClineLogin,
      by: "cline auth",
    },
    runtime: (env) => ({ type: "cline", command: ["cline"], ...named(env) }),
  },
];

export function installOf(row: ProgramRow): string {
  return `npm install -g ${row.package}`;
}

/** Those of its variables that it can be given; `more` are those that its own file names. */
export function variablesOf(
  { variables: { places = [], keys = [], clouds = [], others = [] } }: ProgramRow,
  more: readonly string[],
  isGiven: (name: string) => boolean,
): readonly string[] {
  const all = new Set([...places, ...keys, ...clouds, ...others, ...more, ...NETWORK]);
  return [...all].filter(isGiven);
}

function acp(...command: readonly string[]): (env: readonly string[]) => RuntimeSettings {
  return (env) => ({ type: "acp", command: [...command], ...named(env) });
}

function named(env: readonly string[]): { readonly env?: string[] } {
  return env.length === 0 ? {} : { env: [...env] };
}
