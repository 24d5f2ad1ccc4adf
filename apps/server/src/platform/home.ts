/**
 * The home folder: the log, the secrets (readable by their owner only), and who is using it.
 */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export interface Holder {
  readonly pid: number;
  readonly url: string;
  readonly since: string;
}

export interface Home {
  readonly folder: string;
  readonly logFile: string;
  readonly journalFile: string;
  /** For contents that are too big for the log. */
  readonly blobsFolder: string;
  /** The secret of that name, created when it is first asked for. */
  secret(name: string): string;
  /** The process that last claimed this home; it may have ended. */
  readHolder(): Holder | undefined;
  writeHolder(holder: Holder): void;
  clearHolder(): void;
}

/** The folder cannot serve as a home; the message tells a person why. */
export class HomeError extends Error {
  override readonly name = "HomeError";
}

export function openHome(folder: string): Home {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new HomeError(`cannot use ${folder} as home: it is a file; choose a folder with --home`);
  }
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HomeError(`cannot use ${folder} as home: ${why}`, { cause });
  }
  const holderFile = join(folder, "holder.json");
  return {
    folder,
    logFile: join(folder, "atrium.db"),
    journalFile: join(folder, "atrium.log"),
    blobsFolder: join(folder, "blobs"),
    secret(name) {
      const file = join(folder, name);
      const kept = readIfThere(file)?.trim();
      if (kept !== undefined && kept !== "") return kept;
      // In hex, because a secret with a leading dash would be read as a flag on a command line.
      const made = randomBytes(32).toString("hex");
      writeFileSync(file, `${made}\n`, { mode: 0o600 });
      return made;
    },
    readHolder() {
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- shown to a person, nothing depends on it
        return JSON.parse(readIfThere(holderFile) ?? "") as Holder;
      } catch {
        // There is none, or it was cut short by a crash while it was written.
        return undefined;
      }
    },
    writeHolder: (holder) =>
      writeFileSync(holderFile, `${JSON.stringify(holder)}\n`, { mode: 0o600 }),
    clearHolder: () => rmSync(holderFile, { force: true }),
  };
}

/** `mkdirSync` with `recursive` never returns where nothing can be created (/proc), so this recurses itself. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}
