/**
 * Which processes of this machine work for the server: those that carry its mark in their environment, and whatever
 * they have started. A connection from one of them is an agent's, whatever token it presents.
 *
 * Read from /proc, so on Linux only, and only for processes of the server's own user. A process that has shed both its
 * environment and its ancestors is not found; keeping the token itself from agents takes a sandbox.
 */
import { readlinkSync } from "node:fs";
import { procNames, procText } from "./proc-files.ts";

export const AGENT_VARIABLE = "ATRIUM_AGENT";

/** The two ends of a connection over loopback, as the server sees them. */
export interface SocketEnds {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

export type IsOfAgent = (socket: SocketEnds) => boolean;

export function createIsOfAgent(mark: string): IsOfAgent {
  const variable = `${AGENT_VARIABLE}=${mark}`;

  const isMarked = (pid: number): boolean =>
    procText(`/proc/${pid}/environ`).split("\0").includes(variable);

  /** Checks its ancestors up to the server, which has started them all. */
  function worksForUs(pid: number): boolean {
    for (let at = pid; at > 1 && at !== process.pid; at = parentOf(at)) {
      if (isMarked(at)) return true;
    }
    return false;
  }

  return ({ localPort, remotePort }) => {
    if (localPort === undefined || remotePort === undefined) return false;
    const inode = inodeOf(remotePort, localPort);
    return inode !== undefined && ownersOf(inode).some(worksForUs);
  };
}

/** Of the other end's socket, where the ports are the other way round. */
function inodeOf(local: number, remote: number): string | undefined {
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) => procText(file).split("\n"));
  for (const row of rows) {
    const [, from = "", to = "", , , , , , , inode] = row.trim().split(/\s+/);
    if (portIn(from) === local && portIn(to) === remote && inode !== "0") return inode;
  }
  return undefined;
}

function portIn(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}

function ownersOf(inode: string): readonly number[] {
  const socket = `socket:[${inode}]`;
  const pids = procNames("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) =>
      procNames(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket),
    )
    .map(Number);
}

function parentOf(pid: number): number {
  // The name in between may contain anything, even a parenthesis.
  const [, parent = "0"] = procText(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(parent);
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}
