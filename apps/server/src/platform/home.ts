/**
 * The home folder: the log, the journal, and who is using it; and the folder that nodes of one log share, which is the
 * home where there is one node: the secrets (readable by their owner only), contents too big for the log, and the work
 * of agents.
 */
import { randomBytes, randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export interface Holder {
  readonly pid: number;
  readonly url: string;
  readonly since: string;
  /** The folder that it shares with other nodes. */
  readonly shared?: string;
}

export interface Home {
  readonly folder: string;
  /** The folder that all nodes see. */
  readonly shared: string;
  readonly logFile: string;
  /** This node's copy of a log that several nodes write. */
  readonly chainFile: string;
  readonly journalFile: string;
  /** For contents that are too big for the log. */
  readonly blobsFolder: string;
  /** For the files that agents work on. */
  readonly workshopFolder: string;
  /** Is there from the making of a node's home until its node has begun its first life. */
  readonly newHomeFile: string;
  /** The secret of that name, created when it is first asked for; of several who create it one wins. */
  secret(name: string): string;
  /** A text that is as old as this folder, and unlike that of any other. */
  id(): string;
  /** The process that last claimed this home; it may have ended. */
  readHolder(): Holder | undefined;
  writeHolder(holder: Holder): void;
  clearHolder(): void;
}

/** The folder cannot serve as a home; the message tells a person why. */
export class HomeError extends Error {
  override readonly name = "HomeError";
}

export function openHome(folder: string, shared = folder): Home {
  openFolder(folder, "home");
  if (shared !== folder) openFolder(shared, "shared");
  const holderFile = join(folder, "holder.json");
  const newHomeFile = join(folder, "new-home");
  const chainFile = join(folder, "chain.db");
  const journalFile = join(folder, "atrium.log");
  const isUsed = [chainFile, journalFile].some((file) => existsSync(file));
  if (shared !== folder && !isUsed) writeFileSync(newHomeFile, "", { mode: 0o600 });
  return {
    folder,
    shared,
    logFile: join(folder, "atrium.db"),
    chainFile,
    journalFile,
    newHomeFile,
    blobsFolder: join(shared, "blobs"),
    workshopFolder: join(shared, "workshop"),
    secret: (name) => keepSecret(join(shared, name)),
    id: () => keepSecret(join(folder, "node-id")),
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

function openFolder(folder: string, use: "home" | "shared"): void {
  const what = use === "home" ? "home" : "the shared folder";
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    const advice = `it is a file; choose a folder with --${use}`;
    throw new HomeError(`cannot use ${folder} as ${what}: ${advice}`);
  }
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HomeError(`cannot use ${folder} as ${what}: ${why}`, { cause });
  }
}

function keepSecret(file: string): string {
  const kept = readIfThere(file)?.trim();
  if (kept !== undefined && kept !== "") return kept;
  // In hex, because a secret with a leading dash would be read as a flag on a command line.
  const made = randomBytes(32).toString("hex");
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${made}\n`, { mode: 0o600 });
  try {
    // Never over one that another node has just written; over one that was cut short, always.
    if (kept === undefined) linkSync(draft, file);
    else renameSync(draft, file);
    return made;
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    return keepSecret(file);
  } finally {
    rmSync(draft, { force: true });
  }
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
