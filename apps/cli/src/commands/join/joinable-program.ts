import { statSync } from "node:fs";
/** The programs whose sessions can join, and how each installs and removes a plugin by its own commands, offline. */
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "../../command-line/environment.ts";
import { usageError } from "../../command-line/read-args.ts";
import { nonEmpty } from "../../server/settings.ts";
import { withoutTrustedHooks } from "./trusted-hooks.ts";

type Env = Environment["env"];

export interface JoinableProgram {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly settingsFolder: (env: Env) => string;
  /** What its plugin commands write, from its folder. */
  readonly settingsFiles: readonly string[];
  /** What it leaves behind of a plugin that was removed. */
  readonly leftovers: readonly string[];
  readonly install: (marketplace: string) => readonly (readonly string[])[];
  readonly remove: readonly (readonly string[])[];
  /** A settings file without what the program has noted of the plugin and does not remove with it. */
  readonly withoutTraces?: (content: string) => string;
  /** What the user still has to do. */
  readonly advice?: string;
}

/** The names in the marketplace of apps/plugin. */
const MARKETPLACE = "atrium";
export const PLUGIN = `atrium@${MARKETPLACE}`;

const CLAUDE_CODE: JoinableProgram = {
  id: "claude-code",
  title: "Claude Code",
  command: "claude",
  settingsFolder: (env) => nonEmpty(env["CLAUDE_CONFIG_DIR"]) ?? join(homeOf(env), ".claude"),
  settingsFiles: [
    "settings.json",
    "plugins/installed_plugins.json",
    "plugins/known_marketplaces.json",
  ],
  leftovers: [`plugins/cache/${MARKETPLACE}`],
  install: (folder) => [
    ["plugin", "marketplace", "add", folder],
    ["plugin", "install", PLUGIN],
  ],
  remove: [
    ["plugin", "uninstall", PLUGIN],
    ["plugin", "marketplace", "remove", MARKETPLACE],
  ],
};

const CODEX: JoinableProgram = {
  id: "codex",
  title: "Codex",
  command: "codex",
  settingsFolder: (env) => nonEmpty(env["CODEX_HOME"]) ?? join(homeOf(env), ".codex"),
  settingsFiles: ["config.toml"],
  leftovers: [`plugins/cache/${MARKETPLACE}`],
  install: (folder) => [
    ["plugin", "marketplace", "add", folder],
    ["plugin", "add", PLUGIN],
  ],
  remove: [
    ["plugin", "remove", PLUGIN],
    ["plugin", "marketplace", "remove", MARKETPLACE],
  ],
  withoutTraces: (content) => withoutTrustedHooks(content, PLUGIN),
  advice: "At its next start it asks you to review the hooks; until you trust them, none runs.",
};

export const JOINABLE: readonly JoinableProgram[] = [CLAUDE_CODE, CODEX];

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
