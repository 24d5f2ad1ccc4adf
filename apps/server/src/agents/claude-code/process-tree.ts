/**
 * Ends a process with everything it has started.
 *
 * A group is not enough: Claude Code starts the commands of its agent in groups of their own. But all of
 * them inherit the mark in its environment, and on Linux that can be read; elsewhere the group must do.
 */
import { readdir, readFile } from "node:fs/promises";

/** Variables, each as `NAME=value`. */
export type Mark = readonly string[];

/** Processes that carry the mark, ours not among them. */
export async function markedProcesses(mark: Mark): Promise<number[]> {
  if (mark.length === 0) return [];
  const found = await Promise.all(
    (await namesIn("/proc")).map(async (entry) => {
      if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return [];
      return (await carries(entry, mark)) ? [Number(entry)] : [];
    }),
  );
  return found.flat();
}

/** Whether it is there and, where that can be read, carries the mark: numbers are used again. */
export async function isMarked(pid: number, mark: Mark): Promise<boolean> {
  if (process.platform === "linux") return carries(String(pid), mark);
  return signal(pid, 0);
}

async function carries(entry: string, mark: Mark): Promise<boolean> {
  // Gone in the meantime, or another user's: no child of ours in either case.
  const environ = await readFile(`/proc/${entry}/environ`, "utf8").catch(() => "");
  const variables = new Set(environ.split("\0"));
  return mark.every((variable) => variables.has(variable));
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Kills what carries the mark, and what it starts meanwhile. */
export async function killMarked(mark: Mark): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const left = await markedProcesses(mark);
    if (left.length === 0) return;
    for (const pid of left) signal(pid, "SIGKILL");
  }
}

/** To all of a group; whether there was anyone. */
export function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  return signal(-leader, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
