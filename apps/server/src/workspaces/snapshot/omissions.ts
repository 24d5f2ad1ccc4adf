/**
 * What of a worktree never enters a moment, whatever its ignore files say: secrets, what is too large,
 * and what cannot be read. Whoever takes the moment is told.
 */
import { constants, type Stats } from "node:fs";
import { access, lstat, open } from "node:fs/promises";
import { basename } from "node:path";
import type { OmittedPath } from "../port/workspaces.ts";

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_SEARCHED_BYTES = 64 * 1024;
/** How many files are looked at together. */
const LOOKS = 64;

const SECRET =
  /^(?:\.env(?:\.(?!(?:example|sample|template)$).*)?|.*\.(?:pem|key|p12|pfx)|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)$/;
const PERHAPS_SECRET = /^\.(?:npmrc|netrc)$/;
const TOKEN = /_authToken|_auth\b|_password|\bpassword\b/;

export interface Selection {
  readonly taken: readonly string[];
  /** As files: a folder has their name now, or they are behind what is a link now. */
  readonly gone: readonly string[];
  readonly omitted: readonly OmittedPath[];
}

/** A name of a file is bytes and perhaps no text: here each byte is a character. */
export const toBytes = (path: string): Buffer => Buffer.from(path, "latin1");
export const fromText = (path: string): string => Buffer.from(path, "utf8").toString("latin1");
export const toText = (path: string): string => toBytes(path).toString("utf8");

/** Of paths (as bytes) that have changed or are new; what is gone is taken, as gone. */
export async function selectPaths(folder: string, paths: readonly string[]): Promise<Selection> {
  const taken: string[] = [];
  const gone: string[] = [];
  const omitted: OmittedPath[] = [];
  const parents = new ParentFinder(folder);
  for (let at = 0; at < paths.length; at += LOOKS) {
    const looks = paths.slice(at, at + LOOKS).map(async (path) => {
      const way = await parents.wayTo(path);
      return { path, fate: way === "open" ? await fateOf(folder, path) : way } as const;
    });
    for (const { path, fate } of await Promise.all(looks)) {
      if (fate === "taken") taken.push(path);
      else if (fate === "gone" || fate === "repository") gone.push(path);
      if (fate === "repository") omitted.push({ path: toText(path), why: "nested" });
      else if (fate !== "taken" && fate !== "gone") omitted.push({ path: toText(path), why: fate });
    }
  }
  return { taken, gone, omitted };
}

/** Whether a folder on the way to a file is a link or may not be entered; each is looked at once. */
class ParentFinder {
  readonly #folder: string;
  readonly #known = new Map<string, Promise<"open" | "gone" | "unreadable">>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async wayTo(path: string): Promise<"open" | "gone" | "unreadable"> {
    const end = path.replace(/\/$/, "").lastIndexOf("/");
    if (end === -1) return "open";
    const parent = path.slice(0, end);
    const known = this.#known.get(parent);
    if (known !== undefined) return known;
    const found = this.#look(parent);
    this.#known.set(parent, found);
    return found;
  }

  async #look(parent: string): Promise<"open" | "gone" | "unreadable"> {
    const way = await this.wayTo(parent);
    if (way !== "open") return way;
    const found = await lstat(toBytes(`${fromText(this.#folder)}/${parent}`)).catch(
      () => undefined,
    );
    if (found?.isSymbolicLink() === true) return "gone";
    return found?.isDirectory() === true && lacks(found, constants.S_IXUSR) ? "unreadable" : "open";
  }
}

/**
 * Whether its owner, who we are, has not this right: we may have all the same, but a git in a sandbox has
 * not.
 */
function lacks({ mode, uid }: Stats, right: number): boolean {
  return uid === process.getuid?.() && (mode & right) === 0;
}

type PathFate = OmittedPath["why"] | "taken" | "gone" | "repository";

async function fateOf(folder: string, path: string): Promise<PathFate> {
  // Git lists a repository within as a folder, and nothing else.
  if (path.endsWith("/")) return "nested";
  const file = toBytes(`${fromText(folder)}/${path}`);
  const found = await lstat(file).catch(codeOf);
  if (typeof found === "string") return found === "EACCES" ? "unreadable" : "taken";
  if (found.isSymbolicLink()) return "taken";
  // What is in a folder is listed by itself, unless it is a repository.
  if (found.isDirectory()) {
    const isOwn = await lstat(Buffer.concat([file, Buffer.from("/.git")])).catch(() => undefined);
    return isOwn === undefined ? "gone" : "repository";
  }
  if (!found.isFile()) return "unreadable";
  if (found.size > MAX_FILE_BYTES) return "large";
  if (await isSecret(file, found)) return "secret";
  return (await isReadable(file, found)) ? "taken" : "unreadable";
}

async function isReadable(file: Buffer, about: Stats): Promise<boolean> {
  if (lacks(about, constants.S_IRUSR)) return false;
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}

/** Of what was never a file. */
export function isSecretText(name: string, content: Buffer): boolean {
  const lower = name.toLowerCase();
  return SECRET.test(lower) || (PERHAPS_SECRET.test(lower) && TOKEN.test(content.toString("utf8")));
}

async function isSecret(file: Buffer, { size }: Stats): Promise<boolean> {
  const name = basename(file.toString("utf8")).toLowerCase();
  if (SECRET.test(name)) return true;
  if (!PERHAPS_SECRET.test(name)) return false;
  if (size > MAX_SEARCHED_BYTES) return true;
  try {
    // It may have become a pipe meanwhile, or a link to somewhere else.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    await using opened = await open(file, flags);
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(MAX_SEARCHED_BYTES));
    return TOKEN.test(buffer.toString("utf8", 0, bytesRead));
  } catch {
    return true;
  }
}
