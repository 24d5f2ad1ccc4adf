/** What the kernel says about a process. */
import { readdirSync, readFileSync } from "node:fs";

// The unit of /proc/<pid>/stat as user space sees it, whatever the kernel's own timer.
const TICKS_PER_SECOND = 100;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

export interface CpuSeconds {
  readonly user: number;
  /** In the kernel, on the process's behalf. */
  readonly system: number;
}

/** Processor time of all its threads since it started. */
export function cpuSeconds(pid: number): CpuSeconds {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold anything, so fields are counted from its end.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const seconds = (field: number): number => Number(fields[field]) / TICKS_PER_SECOND;
  return { user: seconds(USER_TICKS), system: seconds(SYSTEM_TICKS) };
}

/** The same in microseconds and whole, of the threads that live: for work that takes few of the ticks above. */
export function cpuMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]),
  );
  return nanos.reduce((sum, each) => sum + each, 0) / 1_000;
}

/** Memory that is really there. */
export function residentBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
  return Number(kilobytes) * 1024;
}
