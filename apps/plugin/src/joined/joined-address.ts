/** Where Atrium is, as it tells hooks: the file that it keeps in its home while it is open. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface JoinedAddress {
  readonly url: string;
  readonly secret: string;
}

const FILE = "joined.curl";
const TOOLS_PATH = "/api/joined/tools";

/** Undefined while Atrium is away. */
export function readAddress(home: string): JoinedAddress | undefined {
  const text = readIfThere(join(home, FILE));
  const [, pid = ""] = /^# (\d+)$/m.exec(text) ?? [];
  const [, url = ""] = /^url = "([^"]+)"$/m.exec(text) ?? [];
  const [, secret = ""] = /^header = "Authorization: Bearer (\S+)"$/m.exec(text) ?? [];
  if (!URL.canParse(url) || secret === "" || !isRunning(Number(pid))) return undefined;
  return { url: new URL(TOOLS_PATH, url).href, secret };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** A server that was killed leaves its file behind. */
function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
