/** The home folder: whether it can be used, who may read its secrets, who holds it, what is in it. */
import { accessSync, constants, statfsSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../command-line/cli-error.ts";
import type { Holder } from "../server/home-files.ts";
import { isAbsence, type ServerSettings } from "../server/settings.ts";
import { duration, shortPath, size } from "../terminal/measures.ts";
import { broken, note, ok, type Finding } from "./finding.ts";

const SECRETS = ["token", "device-secret"];
const FOR_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const LITTLE_SPACE = 1_000_000_000;
const NO_SPACE = 100_000_000;

/** Who holds the home, or did until it died. */
export interface HolderState {
  readonly holder: Holder;
  readonly isAlive: boolean;
}

export function homeFindings(
  settings: ServerSettings,
  holding: HolderState | undefined,
  now: number,
): Finding[] {
  const { home } = settings;
  const folder = statIfThere(home);
  if (folder === undefined) {
    const message = `${shortPath(home)} does not exist yet`;
    return [note("home", message, "To create it, run: atrium up"), diskFinding(home)];
  }
  const first = folderFinding(home, folder);
  if (first.state === "broken") return [first];
  return [
    first,
    ...secretFindings(holding?.holder.shared ?? home),
    holderFinding(holding, now),
    logFinding(home),
    diskFinding(home),
  ];
}

export function settingsFinding({ file }: ServerSettings): Finding {
  switch (file.state) {
    case "absent":
      return ok("settings", "no atrium.config.json; using defaults, flags and environment");
    case "read":
      return ok("settings", shortPath(file.path));
    case "unreadable":
      return broken(
        "settings",
        `${shortPath(file.path)}: ${file.why}`,
        "Correct the file, or move it away.",
      );
  }
}

function folderFinding(home: string, folder: Stats): Finding {
  const path = shortPath(home);
  if (!folder.isDirectory()) {
    return broken("home", `${path} is not a folder`, "Choose a folder with --home or ATRIUM_HOME.");
  }
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return broken("home", `${path} is not writable`, `chmod u+rwx ${home}`);
  }
  if ((folder.mode & WRITABLE_BY_OTHERS) !== 0) {
    return broken("home", `${path} is writable by other users`, `chmod 700 ${home}`);
  }
  return ok("home", path);
}

function secretFindings(home: string): Finding[] {
  const there = SECRETS.flatMap((name) => {
    const path = join(home, name);
    const stats = statIfThere(path);
    return stats === undefined ? [] : [{ name, path, mode: stats.mode }];
  });
  if (there.length === 0) return [note("secrets", "none yet; the first start creates them")];
  const open = there.filter(({ mode }) => (mode & FOR_OTHERS) !== 0);
  if (open.length === 0) return [ok("secrets", "readable by you only")];
  return open.map(({ name, path, mode }) =>
    broken(
      "secrets",
      `${name} is readable by other users (mode ${(mode & 0o777).toString(8)})`,
      `chmod 600 ${path}`,
    ),
  );
}

function holderFinding(holding: HolderState | undefined, now: number): Finding {
  if (holding === undefined) return ok("held by", "no process");
  const { isAlive, holder } = holding;
  const { pid, since } = holder;
  const at = Date.parse(since);
  const when = Number.isNaN(at) ? "" : `, for ${duration(now - at)}`;
  if (isAlive) return ok("held by", `process ${pid}${when}`);
  return note(
    "held by",
    `process ${pid}, which ended without closing`,
    "Nothing is lost. The next start takes over. See atrium.log in the home for the cause.",
  );
}

/** The log itself, or this node's copy of one that several share. */
function logFinding(home: string): Finding {
  const isNode = statIfThere(join(home, "chain.db")) !== undefined;
  const file = join(home, isNode ? "chain.db" : "atrium.db");
  const stats = statIfThere(file);
  if (stats === undefined) return note("log", "none yet; the first start creates it");
  const bytes = stats.size + (statIfThere(`${file}-wal`)?.size ?? 0);
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return ok("log", `${size(bytes)}, writable${isNode ? ", a copy of a shared log" : ""}`);
  } catch (cause) {
    return broken("log", `${shortPath(file)}: ${messageOf(cause)}`, `chmod u+rw ${file}`);
  }
}

function diskFinding(home: string): Finding {
  const { bavail, bsize } = statfsSync(nearest(home));
  const free = bavail * bsize;
  const left = `${size(free)} free`;
  if (free < NO_SPACE) {
    return broken("disk", left, "Free some disk space. The server stops when the log cannot grow.");
  }
  return free < LITTLE_SPACE ? note("disk", left, "Free some disk space.") : ok("disk", left);
}

/** The folder itself, or the first above it that is there. */
function nearest(path: string): string {
  return statIfThere(path) === undefined && dirname(path) !== path ? nearest(dirname(path)) : path;
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}
