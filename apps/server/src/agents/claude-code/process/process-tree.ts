/**
 * Ends a process with everything it has started.
 *
 * A group is not enough: Claude Code starts the commands of its agent in groups of their own. But all of
 * them inherit the mark in its environment, and on Linux that can be read; elsewhere the group must do.
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const KERNEL_THREAD = 0x0020_0000;
/** A program without any environment looks like one that is being started, and is not waited for longer than this. */
const MAX_ROUNDS = 20;
const ROUND_MS = 20;

/** Variables, each as `NAME=value`. */
export type Mark = readonly string[];

/** Processes that carry the mark, ours not among them. */
export async function markedProcesses(mark: Mark): Promise<number[]> {
  return (await look(mark)).marked;
}

interface Seen {
  readonly marked: number[];
  /** Whether there are some that become another program at this moment, and cannot be read until they have. */
  readonly isChanging: boolean;
}

async function look(mark: Mark): Promise<Seen> {
  if (mark.length === 0) return { marked: [], isChanging: false };
  const entries = (await namesIn("/proc")).filter(
    (entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid,
  );
  const found = await Promise.all(
    entries.map(async (entry) => ({ entry, variables: await variablesOf(entry) })),
  );
  const marked = found.filter(({ variables }) => mark.every((one) => variables?.has(one)));
  const bare = found.filter(({ variables }) => variables?.size === 0);
  const changing = await Promise.all(bare.map(({ entry }) => isProgram(entry)));
  return { marked: marked.map(({ entry }) => Number(entry)), isChanging: changing.includes(true) };
}

/** Whether it is there and, where that can be read, carries the mark: numbers are used again. */
export async function isMarked(pid: number, mark: Mark): Promise<boolean> {
  if (process.platform === "linux") return carries(String(pid), mark);
  return signal(pid, 0);
}

async function carries(entry: string, mark: Mark): Promise<boolean> {
  const variables = await variablesOf(entry);
  return variables !== undefined && mark.every((variable) => variables.has(variable));
}

/** Undefined: gone in the meantime, or another user's; no child of ours in either case. */
async function variablesOf(entry: string): Promise<ReadonlySet<string> | undefined> {
  const environ = await readFile(`/proc/${entry}/environ`, "utf8").catch(() => undefined);
  return environ === undefined
    ? undefined
    : new Set(environ.split("\0").filter((one) => one !== ""));
}

/** Neither a part of the kernel nor one that has ended: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function isProgram(entry: string): Promise<boolean> {
  const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
  const [state = "X", , , , , , flags = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isKernel = (Number(flags) & KERNEL_THREAD) !== 0;
  return !isKernel && !"ZX".includes(state);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Kills what carries the mark, and what it starts meanwhile: one that is being started may not be seen at first. */
export async function killMarked(mark: Mark): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { marked, isChanging } = await look(mark);
    if (marked.length === 0 && !isChanging) return;
    for (const pid of marked) signal(pid, "SIGKILL");
    await setTimeout(ROUND_MS);
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
