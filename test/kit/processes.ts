/** Which processes are there; one that has ended and waits for its parent is not. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Resolves when none of them is there; what was killed takes a moment on a busy machine. */
export async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await setTimeout(10);
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Those that were started with this in their environment: `NAME=value`. */
export function startedWith(variable: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(variable);
    } catch {
      return false;
    }
  });
}

/** What a process has started, and what that has started: arguments and environment of each. */
export function descendantsOf(
  pid: number,
): readonly { readonly args: string; readonly env: string }[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const status = readIfThere(`/proc/${name}/status`);
    parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
  }
  const below = (child: number): boolean => {
    const parent = parents.get(child);
    return parent !== undefined && parent > 0 && (parent === pid || below(parent));
  };
  return [...parents.keys()].filter(below).map((child) => ({
    args: readIfThere(`/proc/${child}/cmdline`).replaceAll("\0", " "),
    env: readIfThere(`/proc/${child}/environ`).replaceAll("\0", "\n"),
  }));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
