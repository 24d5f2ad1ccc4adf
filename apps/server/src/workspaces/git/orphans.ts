/**
 * Ends what git of an earlier life of the server is still doing: a server that is killed takes none of
 * its processes along, and a checkout would go on writing into what is being cleared away.
 *
 * They are known by the settings in their environment; Linux tells.
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_AGAIN_MS = 20;
const MAX_CHECKS = 100;

/** How many there were. */
export async function endOrphans(config: string): Promise<number> {
  const found = await orphans(config);
  for (const pid of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  for (let check = 0; check < MAX_CHECKS && (await orphans(config)).length > 0; check++) {
    await sleep(LOOK_AGAIN_MS);
  }
  return found.length;
}

async function orphans(config: string): Promise<number[]> {
  const mark = `GIT_CONFIG_GLOBAL=${config}`;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    // One that has ended and waits for its parent has no environment any more.
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (environment.split("\0").includes(mark)) found.push(Number(pid));
  }
  return found;
}
