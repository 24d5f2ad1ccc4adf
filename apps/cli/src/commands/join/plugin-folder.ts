/** The plugin as programs install it: a copy in the home, which knows the home, and stays when Atrium is moved. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliError } from "../../command-line/cli-error.ts";
import type { WrittenPlugin } from "./installation.ts";
import { readText } from "./settings-file.ts";

const MARKETPLACE = fileURLToPath(new URL("../../../../plugin/marketplace", import.meta.url));
/** One file, because programs copy the plugin to where it has no packages. */
const SERVER = fileURLToPath(new URL("../../../../plugin/dist/atrium-plugin.mjs", import.meta.url));

/** Programs read one or the other. */
const NAMING_SERVER = [".mcp.json", ".claude-plugin/plugin.json"];

export interface PluginChoice {
  /** The programs that join now. */
  readonly programs: readonly string[];
  /** Their permissions are asked in Atrium, also where that keeps their own dialog closed. */
  readonly asksHere: boolean;
  /** Sessions may take tasks by themselves. */
  readonly takesTasks: boolean;
}

export function pluginFolder(home: string): string {
  return join(home, "plugin");
}

export function writePlugin(home: string, choice: PluginChoice): WrittenPlugin {
  if (statSync(SERVER, { throwIfNoEntry: false }) === undefined) {
    throw new CliError("The plugin is not built.", { advice: "Run: npm install" });
  }
  const folder = pluginFolder(home);
  const hooks = join("plugin", "hooks");
  const askers = askersHere(join(folder, hooks, "ask-here"), choice);
  // Put in place whole: sessions that are open run what is there.
  const [fresh, old] = [`${folder}.new`, `${folder}.old`];
  for (const each of [fresh, old]) rmSync(each, { recursive: true, force: true });
  cpSync(MARKETPLACE, fresh, { recursive: true });
  writeFileSync(join(fresh, hooks, "home"), `${home}\n`);
  if (askers.length > 0) writeFileSync(join(fresh, hooks, "ask-here"), `${askers.join(" ")}\n`);
  const server = join(fresh, "plugin", "server");
  copyFileSync(SERVER, join(server, "atrium-plugin.mjs"));
  writeFileSync(join(server, "node"), `${process.execPath}\n`);
  for (const each of NAMING_SERVER) {
    placeServer(join(fresh, "plugin", each), join(folder, "plugin"));
  }
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
  writeConsent(home, choice.takesTasks);
  return { home, marketplace: folder, script: join(folder, hooks, "report.sh") };
}

/** Not every program says in the call of a server where its plugin is. */
function placeServer(file: string, plugin: string): void {
  const path = JSON.stringify(plugin).slice(1, -1);
  writeFileSync(
    file,
    readFileSync(file, "utf8").replaceAll("${CLAUDE_PLUGIN_ROOT}", () => path),
  );
}

/** What is said of one program says nothing of those that have joined before. */
function askersHere(file: string, { programs, asksHere }: PluginChoice): readonly string[] {
  const before = (readText(file) ?? "").trim().split(" ");
  const others = before.filter((id) => id !== "" && !programs.includes(id));
  return asksHere ? [...others, ...programs] : others;
}

/** What the server looks for before a session takes a task; see apps/server/src/joined/tasks. */
export function writeConsent(home: string, takesTasks: boolean): void {
  const file = join(home, "joined", "may-take-tasks");
  rmSync(file, { force: true });
  if (!takesTasks) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, "", { mode: 0o600 });
}
