/** The plugin as programs install it: a copy in the home, which knows the home, and stays when Atrium is moved. */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MARKETPLACE = fileURLToPath(new URL("../../../../plugin/marketplace", import.meta.url));

export interface PluginChoice {
  /** Permissions are asked in Atrium also by programs whose own dialog that keeps closed. */
  readonly asksHere: boolean;
}

export function pluginFolder(home: string): string {
  return join(home, "plugin");
}

export function writePlugin(home: string, { asksHere }: PluginChoice): string {
  const folder = pluginFolder(home);
  rmSync(folder, { recursive: true, force: true });
  cpSync(MARKETPLACE, folder, { recursive: true });
  const hooks = join(folder, "plugin", "hooks");
  writeFileSync(join(hooks, "home"), `${home}\n`);
  if (asksHere) writeFileSync(join(hooks, "ask-here"), "");
  return folder;
}
