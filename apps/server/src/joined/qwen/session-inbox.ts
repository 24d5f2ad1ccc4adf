/**
 * Where a session of Qwen Code takes messages: a socket that its file in the program's list of sessions names. The list
 * may be old, and is no proof: what counts is the process that has joined, and a socket of our own user in a folder that
 * nobody else can change.
 */
import { lstat } from "node:fs/promises";
import { dirname, isAbsolute, normalize } from "node:path";
import type { JoinedSessionRow } from "@atrium/core";
import { textIn } from "../../agents/turn/json-fields.ts";
import { sessionKey } from "../hook-report.ts";
import { processIn, readRegistryFile } from "../sightings/registry-file.ts";

export interface SessionInbox {
  readonly path: string;
  /** As the program calls it. */
  readonly sessionId: string;
  /** Whose it is. */
  readonly process: string;
}

export interface InboxPlace {
  /** Of the program's files. */
  readonly folder: string;
  readonly identityOf: (pid: number) => string | undefined;
}

/** As the system has them. */
export const MAX_SOCKET_PATH_BYTES = 103;
const SCHEMA_VERSION = 1;
const WRITABLE_BY_OTHERS = 0o022;

/** Undefined: it has none that could be trusted. */
export async function findInbox(
  { id, details }: Pick<JoinedSessionRow, "id" | "details">,
  { folder, identityOf }: InboxPlace,
): Promise<SessionInbox | undefined> {
  const { program, process } = details;
  if (process === null) return undefined;
  const pid = Number.parseInt(process, 10);
  if (identityOf(pid) !== process) return undefined;
  const fields = await readRegistryFile(folder, `${pid}.json`);
  if (fields["schemaVersion"] !== SCHEMA_VERSION || processIn(fields) !== process) return undefined;
  const [sessionId = "", path = ""] = [textIn(fields, "sessionId"), textIn(fields, "ipcPath")];
  // Its process may have another session by now.
  if (sessionKey(program, sessionId) !== id || !(await isOwnSocket(path))) return undefined;
  return { path, sessionId, process };
}

async function isOwnSocket(path: string): Promise<boolean> {
  if (!isAbsolute(path) || path !== normalize(path) || path.includes("\0")) return false;
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) return false;
  try {
    const [folder, socket] = await Promise.all([lstat(dirname(path)), lstat(path)]);
    const uid = process.getuid?.();
    const isPrivate = folder.isDirectory() && (folder.mode & WRITABLE_BY_OTHERS) === 0;
    return isPrivate && folder.uid === uid && socket.isSocket() && socket.uid === uid;
  } catch {
    return false;
  }
}
