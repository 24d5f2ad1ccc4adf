/** Whether the program of a runtime is there. Asked when settings change: at a start it may be installed later. */
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { ConfigError } from "../platform/config-error.ts";
import type { RuntimeSettings } from "./settings/runtime-settings.ts";

export async function checkProgram(
  name: string,
  settings: RuntimeSettings,
  path: string,
): Promise<void> {
  const program = programOf(settings);
  if (program === undefined) return;
  const cwd = resolve(("cwd" in settings && settings.cwd) || ".");
  const places = /[/\\]/.test(program)
    ? [resolve(cwd, program)]
    : path
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, program));
  for (const place of places) if (await isExecutable(place)) return;
  throw new ConfigError(
    `runtime "${name}": there is no program ${program}; install it, or give its whole path as command`,
  );
}

function programOf(settings: RuntimeSettings): string | undefined {
  if (settings.type === "claude-code" && settings.command === undefined) {
    return settings.transport === "bridge" ? undefined : "claude";
  }
  if (settings.type === "codex" && settings.command === undefined) return "codex";
  const command = "command" in settings ? settings.command : undefined;
  return Array.isArray(command) ? command[0] : command;
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
