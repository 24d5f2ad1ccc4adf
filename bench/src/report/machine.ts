/** Where the figures were taken, so that nobody compares them with another machine's. */
import { readFileSync, statfsSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";

const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext4"],
  [0x9123683e, "btrfs"],
  [0x58465342, "xfs"],
  [0x794c7630, "overlayfs"],
  [0x01021994, "tmpfs: its fsync does nothing, so read no durable figure from this run"],
]);

export function machineFacts(): string[] {
  const processors = cpus();
  const { type } = statfsSync(tmpdir());
  return [
    `processors: ${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}`,
    `memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `kernel: ${process.platform} ${release()}`,
    `node: ${process.version}`,
    `temporary files: ${FILE_SYSTEMS.get(type) ?? `file system 0x${type.toString(16)}`}`,
    `load average: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}`,
  ];
}

/** On a virtual machine, how much of the processors the host gave to others since this was called. */
export function watchHost(): () => string {
  const before = readTicks();
  return () => {
    const passed = readTicks().map((ticks, field) => ticks - (before[field] ?? 0));
    const all = passed.reduce((sum, ticks) => sum + ticks, 0);
    const stolen = Math.round((100 * (passed.at(-1) ?? 0)) / all);
    return `processor time taken by the host for others: ${stolen} %`;
  };
}

/** Of all processors: user, nice, system, idle, iowait, irq, softirq, steal. */
function readTicks(): number[] {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  return line.split(/\s+/).slice(1, 9).map(Number);
}
