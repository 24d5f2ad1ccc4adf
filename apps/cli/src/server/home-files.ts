/** What a server leaves in its home folder for those who look for it: who holds it, and the token. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAbsence, isRecord } from "./settings.ts";

export interface Holder {
  readonly pid: number;
  readonly url: string;
  readonly since: string;
  /** The folder that it shares with other nodes. */
  readonly shared?: string;
}

/** The last server that claimed this home; it may be gone. */
export function readHolder(home: string): Holder | undefined {
  const text = readIfThere(join(home, "holder.json"));
  if (text === undefined) return undefined;
  try {
    const note: unknown = JSON.parse(text);
    if (!isRecord(note)) return undefined;
    const { pid, url, since, shared } = note;
    if (typeof pid !== "number" || typeof url !== "string") return undefined;
    const found = { pid, url, since: typeof since === "string" ? since : "" };
    return typeof shared === "string" ? { ...found, shared } : found;
  } catch {
    // Cut short by a crash while it was written, so there is no holder.
    return undefined;
  }
}

/** Kept where the nodes of one log share their files, which is home where there is one node. */
export function readToken(home: string): string | undefined {
  const folder = readHolder(home)?.shared ?? home;
  const token = readIfThere(join(folder, "token"))?.trim();
  return token === "" ? undefined : token;
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
  return cause instanceof Error && "code" in cause && cause.code === "EACCES";
}

export function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}
