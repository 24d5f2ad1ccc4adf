/** The plugin as programs install it: a copy in the home, which knows the home, and stays when Atrium is moved. */
import { copyFileSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliError } from "../../command-line/cli-error.ts";

const MARKETPLACE = fileURLToPath(new URL("../../../../plugin/marketplace", import.meta.url));
/** One file, because programs copy the plugin to where it has no packages. */
const SERVER = fileURLToPath(new URL("../../../../plugin/dist/atrium-plugin.mjs", import.meta.url));

export interface PluginChoice {
  /** Permissions are asked in Atrium also by programs whose own dialog that keeps closed. */
  readonly asksHere: boolean;
  /** Sessions may take tasks by themselves. */
  readonly takesTasks: boolean;
}

export function pluginFolder(home: string): string {
  return join(home, "plugin");
}

export function writePlugin(home: string, { asksHere, takesTasks }: PluginChoice): string {
  const folder = pluginFolder(home);
  if (statSync(SERVER, { throwIfNoEntry: false }) === undefined) {
    throw new CliError("The plugin is not built.", { advice: "Run: npm install" });
  }
  rmSync(folder, { recursive: true, force: true });
  cpSync(MARKETPLACE, folder, { recursive: true });
  const [hooks, server] = [join(folder, "plugin", "hooks"), join(folder, "plugin", "server")];
  writeFileSync(join(hooks, "home"), `${home}\n`);
  if (asksHere) writeFileSync(join(hooks, "ask-here"), "");
  copyFileSync(SERVER, join(server, "atrium-plugin.mjs"));
  writeFileSync(join(server, "node"), `${process.execPath}\n`);
  writeConsent(home, takesTasks);
  return folder;
}

/** What the server looks for before a session takes a task; see apps/server/src/joined/tasks. */
export function writeConsent(home: string, takesTasks: boolean): void {
  const file = join(home, "joined", "may-take-tasks");
  rmSync(file, { force: true });
  if (!takesTasks) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, "", { mode: 0o600 });
}
