/** How a program is made to report: by its own plugin commands, or by a file that it reads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAbsence } from "../../server/settings.ts";
import { addGeminiHooks, removeGeminiHooks } from "./gemini-hooks.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

/** Of the plugin as it was written for this home. */
export interface WrittenPlugin {
  /** Of Atrium, where the plugin finds the server. */
  readonly home: string;
  readonly marketplace: string;
  /** What each hook runs. */
  readonly script: string;
}

type Calls = readonly (readonly string[])[];

/** All of it works offline. */
export interface CommandInstallation {
  readonly kind: "commands";
  readonly install: (plugin: WrittenPlugin) => Calls;
  readonly remove: Calls;
  /** What is in its settings while the plugin is there. */
  readonly mention: string;
}

export interface FileInstallation {
  readonly kind: "file";
  /** From its settings folder. */
  readonly file: string;
  /** `text` is null where there is no file yet. Undefined: it cannot be added to what is there. */
  readonly add: (text: string | null, plugin: WrittenPlugin) => string | undefined;
  /** Null: nothing is left. Undefined: it cannot be taken out of what is there. */
  readonly remove: (text: string) => string | null | undefined;
  /** Why the program would not work with it now, and what to do. */
  readonly findObstacle?: (settingsFolder: string) => Obstacle | undefined;
}

export interface Obstacle {
  readonly says: string;
  readonly advice: string;
}

export type Installation = CommandInstallation | FileInstallation;

/** The names in the marketplace of apps/plugin. */
export const MARKETPLACE = "atrium";
export const PLUGIN = `atrium@${MARKETPLACE}`;

const addMarketplace = ({ marketplace }: WrittenPlugin): readonly string[] => [
  "plugin",
  "marketplace",
  "add",
  marketplace,
];

/** For programs with marketplaces like Claude Code's, which differ in two verbs. */
export function byMarketplace(add: string, remove: string): CommandInstallation {
  return {
    kind: "commands",
    install: (plugin) => [addMarketplace(plugin), ["plugin", add, PLUGIN]],
    remove: [
      ["plugin", remove, PLUGIN],
      ["plugin", "marketplace", "remove", MARKETPLACE],
    ],
    mention: PLUGIN,
  };
}

export const BY_QWEN_EXTENSION: CommandInstallation = {
  kind: "commands",
  install: ({ marketplace }) => [
    ["extensions", "install", `${marketplace}:${MARKETPLACE}`, "--consent"],
  ],
  remove: [["extensions", "uninstall", MARKETPLACE]],
  mention: `"name": "${MARKETPLACE}"`,
};

export const BY_GEMINI_HOOKS: FileInstallation = {
  kind: "file",
  file: "settings.json",
  add: (text, { script }) => addGeminiHooks(text, script),
  remove: removeGeminiHooks,
};

const OPENCODE_PACKAGE = "@opencode-ai/plugin";

export const BY_OPENCODE_PLUGIN: FileInstallation = {
  kind: "file",
  file: "plugins/atrium.ts",
  add: (_text, { home }) => opencodePlugin(home),
  remove: () => null,
  // Before it loads a plugin, it installs this package once. Without network its screen stays empty meanwhile.
  findObstacle(settingsFolder) {
    if (isInstalled(settingsFolder)) return undefined;
    return {
      says: `opencode has not installed ${OPENCODE_PACKAGE} in ${settingsFolder} yet, which it does at its first start.`,
      advice: "Start opencode once with network, then run: atrium join opencode",
    };
  },
};

/** As opencode itself looks for it. */
function isInstalled(settingsFolder: string): boolean {
  try {
    readFileSync(join(settingsFolder, "node_modules", OPENCODE_PACKAGE, "package.json"));
    return readFileSync(join(settingsFolder, "package-lock.json"), "utf8").includes(
      JSON.stringify(OPENCODE_PACKAGE),
    );
  } catch (cause) {
    if (isAbsence(cause)) return false;
    throw cause;
  }
}
