/**
 * Where the daemon of Codex is found, once its user has run `atrium join codex`: below the folder of the settings that
 * joined, which the record of that tells. Without the record nothing is looked for.
 */
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { parseFields, textIn } from "../../agents/turn/json-fields.ts";

export interface DaemonPlace {
  readonly socket: string;
  readonly pidFile: string;
}

/** Undefined: Codex has not joined, or has left. */
export async function findDaemon(homeFolder: string): Promise<DaemonPlace | undefined> {
  const record = await readIfThere(join(homeFolder, "joined", "codex.json"));
  const folder = textIn(parseFields(record) ?? {}, "folder");
  if (folder === undefined || !isAbsolute(folder)) return undefined;
  return {
    socket: join(folder, "app-server-control", "app-server-control.sock"),
    pidFile: join(folder, "app-server-daemon", "daemon.pid"),
  };
}

/** When the daemon opened its socket; undefined: it is not running, or it is another user's. */
export async function openedAt({ socket }: DaemonPlace): Promise<number | undefined> {
  const found = await stat(socket).catch(() => undefined);
  const isOurs = found?.isSocket() === true && found.uid === process.getuid?.();
  return isOurs ? found.mtimeMs : undefined;
}

export async function daemonPid({ pidFile }: DaemonPlace): Promise<number | undefined> {
  const pid = parseFields(await readIfThere(pidFile))?.["pid"];
  return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/** What cannot be read is as if it were not there. */
async function readIfThere(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
