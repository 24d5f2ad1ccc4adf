/** The programs whose sessions can join, and where each keeps what joining changes. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "../../command-line/environment.ts";
import { usageError } from "../../command-line/read-args.ts";
import { nonEmpty } from "../../server/settings.ts";
import {
  BY_GEMINI_HOOKS,
  BY_OPENCODE_PLUGIN,
  BY_QWEN_EXTENSION,
  byMarketplace,
  MARKETPLACE,
  PLUGIN,
  type Installation,
} from "./installation.ts";
import { addController, removeController, type WakingPlace } from "./qwen-controller.ts";
import { findTrustFiles } from "./trust-files.ts";
import { withoutTrustedHooks } from "./trusted-hooks.ts";

type Env = Environment["env"];

export interface Waking {
  /** Throws where the program does not let us; it has joined all the same. */
  readonly allow: (settingsFolder: string, place: WakingPlace) => Promise<void>;
  /** Nothing happens where it is not allowed. */
  readonly forbid: (place: WakingPlace) => Promise<void>;
}

export interface JoinableProgram {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly settingsFolder: (env: Env) => string;
  readonly installation: Installation;
  /** What joining writes, from its folder. */
  readonly settingsFiles: readonly string[];
  /** What it leaves behind of a plugin that was removed. */
  readonly leftovers: readonly string[];
  /** A settings file without what the program has noted of the plugin and does not remove with it. */
  readonly withoutTraces?: (content: string) => string;
  /** Files, from its folder, that it has written about the plugin and does not remove with it. */
  readonly findTraces?: (folder: string) => readonly string[];
  /** How its idle sessions are made to take messages at once; left out: they do, or cannot. */
  readonly waking?: Waking;
  /** What the user still has to do, or has to know. */
  readonly advice?: string;
}

const ASKS_ITSELF = "What it asks is answered in its terminal.";

const CLAUDE_CODE: JoinableProgram = {
  id: "claude-code",
  title: "Claude Code",
  command: "claude",
  settingsFolder: (env) => nonEmpty(env["CLAUDE_CONFIG_DIR"]) ?? join(homeOf(env), ".claude"),
  installation: byMarketplace("install", "uninstall"),
  settingsFiles: [
    "settings.json",
    "plugins/installed_plugins.json",
    "plugins/known_marketplaces.json",
  ],
  leftovers: [`plugins/cache/${MARKETPLACE}`],
};

const CODEX: JoinableProgram = {
  id: "codex",
  title: "Codex",
  command: "codex",
  settingsFolder: (env) => nonEmpty(env["CODEX_HOME"]) ?? join(homeOf(env), ".codex"),
  installation: byMarketplace("add", "remove"),
  settingsFiles: ["config.toml"],
  leftovers: [`plugins/cache/${MARKETPLACE}`],
  withoutTraces: (content) => withoutTrustedHooks(content, PLUGIN),
  findTraces: (folder) => findTrustFiles(folder, PLUGIN),
  advice: "At its next start it asks you to review the hooks; until you trust them, none runs.",
};

const QWEN: JoinableProgram = {
  id: "qwen",
  title: "Qwen Code",
  command: "qwen",
  settingsFolder: (env) => nonEmpty(env["QWEN_HOME"]) ?? join(homeOf(env), ".qwen"),
  installation: BY_QWEN_EXTENSION,
  settingsFiles: [
    "settings.json",
    "extensions/extension-enablement.json",
    "extension-store/state.json",
    "extension-store/state.previous.json",
  ],
  leftovers: [`extensions/${MARKETPLACE}`],
  waking: { allow: addController, forbid: removeController },
};

const COPILOT: JoinableProgram = {
  id: "copilot",
  title: "Copilot CLI",
  command: "copilot",
  settingsFolder: (env) => nonEmpty(env["COPILOT_HOME"]) ?? join(homeOf(env), ".copilot"),
  installation: byMarketplace("install", "uninstall"),
  settingsFiles: ["settings.json", "config.json"],
  leftovers: [],
};

const GEMINI: JoinableProgram = {
  id: "gemini",
  title: "Gemini CLI",
  command: "gemini",
  settingsFolder: (env) => join(nonEmpty(env["GEMINI_CLI_HOME"]) ?? homeOf(env), ".gemini"),
  installation: BY_GEMINI_HOOKS,
  settingsFiles: [BY_GEMINI_HOOKS.file],
  leftovers: [],
  advice: ASKS_ITSELF,
};

const OPENCODE: JoinableProgram = {
  id: "opencode",
  title: "opencode",
  command: "opencode",
  settingsFolder: (env) =>
    join(nonEmpty(env["XDG_CONFIG_HOME"]) ?? join(homeOf(env), ".config"), "opencode"),
  installation: BY_OPENCODE_PLUGIN,
  settingsFiles: [BY_OPENCODE_PLUGIN.file],
  leftovers: [],
};

export const JOINABLE: readonly JoinableProgram[] = [
  CLAUDE_CODE,
  CODEX,
  QWEN,
  COPILOT,
  GEMINI,
  OPENCODE,
];

/** Those that were named, else those that are installed. */
export function choosePrograms(
  command: string,
  names: readonly string[],
  env: Env,
): readonly JoinableProgram[] {
  if (names.length === 0) return JOINABLE.filter((each) => isInstalled(each, env));
  return names.map((name) => {
    const found = JOINABLE.find((each) => each.id === name || each.command === name);
    if (found !== undefined) return found;
    const known = JOINABLE.map(({ id }) => id).join(", ");
    throw usageError(command, `Unknown program: ${name}. Use one of: ${known}`);
  });
}

function isInstalled({ command }: JoinableProgram, { PATH = "" }: Env): boolean {
  const places = PATH.split(delimiter).filter((place) => place !== "");
  return places.some((place) =>
    statSync(join(place, command), { throwIfNoEntry: false })?.isFile(),
  );
}

function homeOf(env: Env): string {
  return nonEmpty(env["HOME"]) ?? homedir();
}
