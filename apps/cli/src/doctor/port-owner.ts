/** Which program listens on a port, as far as this system and our rights let us see. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface PortOwner {
  readonly pid: number;
  readonly name: string;
}

const LISTENING = "0A";

/** Linux only; elsewhere, or for other people's programs, nothing is known. */
export function portOwner(port: number): PortOwner | undefined {
  const inodes = new Set([
    ...listeners("/proc/net/tcp", port),
    ...listeners("/proc/net/tcp6", port),
  ]);
  if (inodes.size === 0) return undefined;
  for (const pid of list("/proc").filter((name) => /^\d+$/.test(name))) {
    for (const descriptor of list(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(target(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (inode === undefined || !inodes.has(inode)) continue;
      return { pid: Number(pid), name: read(`/proc/${pid}/comm`).trim() };
    }
  }
  return undefined;
}

function listeners(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return read(table)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(`:${wanted}`) && state === LISTENING)
    .map((fields) => fields[9] ?? "");
}

// What may not be seen is as good as not there.
const read = (path: string): string => orElse("", () => readFileSync(path, "utf8"));
const list = (path: string): string[] => orElse([], () => readdirSync(path));
const target = (path: string): string => orElse("", () => readlinkSync(path));

function orElse<Result>(otherwise: Result, look: () => Result): Result {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
