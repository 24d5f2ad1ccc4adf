/**
 * The list that some programs keep of their sessions that run: a file for each process, which says whose session it is, and
 * perhaps what it does. A file that was left behind names a process that is gone, or another one by now.
 */
import { join } from "node:path";
import type { SessionActivity } from "@atrium/core";
import { numberIn, parseFields, textIn, type Fields } from "../../agents/turn/json-fields.ts";
import { readInside } from "./transcripts/transcript-tail.ts";

/** Undefined: its file is not there, is another process's, or does not tell. */
export type ReadStatus = (process: string) => Promise<SessionActivity | undefined>;

const MAX_REGISTRY_BYTES = 64 * 1024;
const ACTIVITIES: ReadonlyMap<string, SessionActivity> = new Map([
  ["busy", "working"],
  ["waiting", "waiting"],
  ["idle", "idle"],
]);

export function registryFolder(root: string): string {
  return join(root, "sessions");
}

/** `root` is the program's folder, out of which no link leads. */
export async function readRegistryFile(root: string, name: string): Promise<Fields> {
  const text = await readInside(root, join(registryFolder(root), name), MAX_REGISTRY_BYTES);
  return parseFields(text ?? "") ?? {};
}

/** As /proc would tell it from any other. */
export function processIn(fields: Fields): string {
  // One program has the boot before it.
  const started = (textIn(fields, "procStart") ?? "").split(":").at(-1);
  return `${numberIn(fields, "pid")}:${started}`;
}

export function statusIn(fields: Fields): SessionActivity | undefined {
  return ACTIVITIES.get(textIn(fields, "status") ?? "");
}

export function createReadStatus(root: string): ReadStatus {
  return async (process) => {
    const fields = await readRegistryFile(root, `${Number.parseInt(process, 10)}.json`);
    return processIn(fields) === process ? statusIn(fields) : undefined;
  };
}
