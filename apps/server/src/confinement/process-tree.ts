/**
 * A process and everything below it, as /proc tells. What a sandboxed command starts stays below its
 * sandbox, whatever it does; outside of one, a process can leave its ancestors behind but hardly its
 * environment, so a mark in there finds it.
 */
import { procNames, procText } from "../platform/proc-files.ts";

export interface TreeSize {
  readonly processes: number;
  readonly memoryBytes: number;
}

/** As every kernel for the machines we know of has it. */
const PAGE_BYTES = 4096;

/** The process and its descendants; stops counting above `most`. */
export function descendantsOf(pid: number, most = Number.POSITIVE_INFINITY): readonly number[] {
  const found = new Set([pid]);
  for (const each of found) {
    if (found.size > most) break;
    for (const child of childrenOf(each)) found.add(child);
  }
  return [...found];
}

export function measure(pids: readonly number[]): TreeSize {
  const memoryBytes = pids.reduce((sum, each) => sum + residentBytes(each), 0);
  return { processes: pids.length, memoryBytes };
}

function childrenOf(pid: number): readonly number[] {
  return procNames(`/proc/${pid}/task`).flatMap((thread) =>
    procText(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

function residentBytes(pid: number): number {
  return Number(procText(`/proc/${pid}/statm`).split(" ")[1] ?? 0) * PAGE_BYTES;
}

/** Tells a process from a later one with the same number; undefined when it has ended. */
export function identityOf(pid: number): string | undefined {
  const stat = procText(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, so fields are counted from its end.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isOver = stat === "" || state === "Z" || state === "X";
  return isOver ? undefined : `${pid}:${fields[18]}`;
}

/** Processes of our user whose environment has the variable. */
export function markedProcesses(variable: string): readonly number[] {
  return createMarkCensus(variable)();
}

/**
 * The same, again and again: a process that was looked at once is not read a second time. Those that
 * came last are looked at first, and nobody is counted above `most`, so that whoever multiplies is
 * noticed at once.
 */
export function createMarkCensus(variable: string): (most?: number) => readonly number[] {
  const known = new Map<number, boolean>();
  function isMarked(pid: number): boolean {
    const before = known.get(pid);
    if (before !== undefined) return before;
    const environment = procText(`/proc/${pid}/environ`);
    const is = environment.split("\0").includes(variable);
    // A process that is becoming another program shows none for a moment.
    if (environment !== "") known.set(pid, is);
    return is;
  }
  return (most = Number.POSITIVE_INFINITY) => {
    const pids = procNames("/proc").map(Number).filter(Number.isInteger);
    const alive = new Set(pids);
    for (const pid of known.keys()) if (!alive.has(pid)) known.delete(pid);
    const found: number[] = [];
    for (const pid of pids.toReversed()) {
      if (found.length > most) break;
      if (pid === process.pid || !isMarked(pid)) continue;
      // One that has ended stays in the list until it is buried.
      if (identityOf(pid) !== undefined) found.push(pid);
    }
    return found;
  };
}

/** False when it is gone, or not ours to end. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
