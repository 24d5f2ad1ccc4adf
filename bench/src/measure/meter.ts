/** Watches a server and this process, the load generator, while some work is done. */
import { cpuSeconds } from "./process-stat.ts";

export interface Metered {
  readonly perSecond: number;
  /** Processor time of the server for one unit of work. */
  readonly serverMicros: number;
  /** The part of it that the server's own code took, and not the kernel. */
  readonly ownMicros: number;
  /** How busy each side was, in cores. */
  readonly serverCores: number;
  readonly generatorCores: number;
}

/** `work` says how many units it did. */
export async function meter(pid: number, work: () => Promise<number>): Promise<Metered> {
  const began = performance.now();
  const before = cpuSeconds(pid);
  const generator = process.cpuUsage();
  const count = await work();
  const seconds = (performance.now() - began) / 1000;
  const after = cpuSeconds(pid);
  const own = after.user - before.user;
  const whole = own + after.system - before.system;
  const { user, system } = process.cpuUsage(generator);
  return {
    perSecond: count / seconds,
    serverMicros: (whole * 1e6) / count,
    ownMicros: (own * 1e6) / count,
    serverCores: whole / seconds,
    generatorCores: (user + system) / 1e6 / seconds,
  };
}
