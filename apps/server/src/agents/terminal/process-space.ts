/** Where numbers of processes mean the same processes: one boot of one machine, and one container of it. */
import { readlinkSync } from "node:fs";
import { procText } from "../../platform/proc-files.ts";

/** Undefined where that cannot be told. */
export function processSpace(): string | undefined {
  const boot = procText("/proc/sys/kernel/random/boot_id").trim();
  if (boot === "") return undefined;
  try {
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}
