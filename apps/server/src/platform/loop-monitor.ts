/** Event-loop delay and load of the process. */
import { monitorEventLoopDelay, performance, type EventLoopUtilization } from "node:perf_hooks";

export interface LoopVitals {
  readonly intervalMs: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly utilization: number;
  readonly cpuCoreRatio: number;
}

export interface LoopMonitor extends Disposable {
  /** Measured since the previous refresh; refreshed at most once a second. */
  readonly loop: () => LoopVitals;
}

const REFRESH_MS = 1_000;
const RESOLUTION_MS = 50;
const NS_PER_MS = 1e6;

export function openVitals(): LoopMonitor {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let at = performance.now();
  let utilization: EventLoopUtilization = performance.eventLoopUtilization();
  let cpu = process.cpuUsage();
  let latest: LoopVitals = {
    intervalMs: 0,
    delayP99Ms: 0,
    delayMaxMs: 0,
    utilization: 0,
    cpuCoreRatio: 0,
  };

  return {
    loop() {
      const intervalMs = performance.now() - at;
      if (intervalMs < REFRESH_MS) return latest;
      const used = process.cpuUsage(cpu);
      latest = {
        intervalMs,
        // The sampling timer's own period is part of every sample.
        delayP99Ms: Math.max(0, delays.percentile(99) / NS_PER_MS - RESOLUTION_MS),
        delayMaxMs: Math.max(0, delays.max / NS_PER_MS - RESOLUTION_MS),
        utilization: performance.eventLoopUtilization(utilization).utilization,
        cpuCoreRatio: (used.user + used.system) / 1000 / intervalMs,
      };
      delays.reset();
      at = performance.now();
      utilization = performance.eventLoopUtilization();
      cpu = process.cpuUsage();
      return latest;
    },
    [Symbol.dispose]: () => void delays.disable(),
  };
}
