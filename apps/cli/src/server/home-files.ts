/** What a server leaves in its home folder for those who look for it: who holds it, and the token. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAbsence, isRecord } from "./settings.ts";

export interface Holder {
  readonly pid: number;
  readonly url: string;
  readonly since: string;
  /** The folder that it shares with other nodes. */
  readonly shared?: string;
}

/** What a home says of other folders. */
export type Pointers = "followed" | "refused";

/** The last server that claimed this home; it may be gone. */
export function readHolder(home: string): Holder | undefined {
  const text = readIfThere(join(home, "holder.json"));
  if (text === undefined) return undefined;
  const { pid, url, since, shared } = parseFields(text) ?? {};
  if (typeof pid !== "number" || typeof url !== "string") return undefined;
  const found = { pid, url, since: typeof since === "string" ? since : "" };
  return typeof shared === "string" ? { ...found, shared } : found;
}

/** Undefined: cut short by a crash while it was written. */
function parseFields(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields: unknown = JSON.parse(text);
    return isRecord(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Kept where the nodes of one log share their files, which is home where there is one node. A token that is not of the
 * home's owner is none: whoever wrote the home may have pointed at it. In a home that only the working folder names,
 * nothing points anywhere.
 */
export function readToken(home: string, pointers: Pointers): string | undefined {
  const isFollowing = pointers === "followed";
  const token = readOwn(join(sharedOf(home, pointers), "token"), { home, isFollowing })?.trim();
  return token === "" ? undefined : token;
}

function sharedOf(home: string, pointers: Pointers): string {
  return (pointers === "followed" ? readHolder(home)?.shared : undefined) ?? home;
}

/** A file of the home's owner. */
function readOwn(
  path: string,
  { home, isFollowing }: { readonly home: string; readonly isFollowing: boolean },
): string | undefined {
  try {
    const file = openSync(
      path,
      isFollowing ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NOFOLLOW,
    );
    try {
      return fstatSync(file).uid === statSync(home).uid ? readFileSync(file, "utf8") : undefined;
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (isAbsence(cause) || isForbidden(cause)) return undefined;
    throw cause;
  }
}

/** Keys that people keep with the server, or with all nodes of one log, by the variables in whose place they stand. */
export function readKeptKeys(home: string, pointers: Pointers): ReadonlyMap<string, string> {
  const file = join(sharedOf(home, pointers), "keys.json");
  const kept = parseFields(readOwn(file, { home, isFollowing: false }) ?? "");
  const entries = Object.entries(kept ?? {});
  return new Map(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (isAbsence(cause) || isForbidden(cause)) return undefined;
    throw cause;
  }
}

function isForbidden(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause)) return false;
  return cause.code === "EACCES" || cause.code === "ELOOP";
}

export function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}
