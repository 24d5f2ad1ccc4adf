/**
 * Ends what git of an earlier life of the server is still doing: a server that is killed takes none of
 * its processes along, and a checkout would go on writing into what is being cleared away.
 *
 * They are known by the settings in their environment; Linux tells. Where several nodes work in one
 * folder it also says whose they are.
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { LIFE_VARIABLE } from "./git-settings.ts";

const LOOK_AGAIN_MS = 20;
/** How often they are looked for after they were asked to end, and after they were made to. */
const CHECKS = { SIGTERM: 25, SIGKILL: 100 } as const;

type MayGoOn = (life: string) => boolean;

/**
 * How many there were. Asked to end, a git takes its locks along, also those in a repository that it was
 * delivering to.
 */
export async function endOrphans(config: string, mayGoOn: MayGoOn): Promise<number> {
  const find = (): Promise<readonly number[]> => orphans(config, mayGoOn);
  const found = await find();
  await end(found, "SIGTERM", find);
  await end(await find(), "SIGKILL", find);
  return found.length;
}

async function end(
  pids: readonly number[],
  signal: keyof typeof CHECKS,
  find: () => Promise<readonly number[]>,
): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
  for (let check = 0; check < CHECKS[signal] && (await find()).length > 0; check++) {
    await sleep(LOOK_AGAIN_MS);
  }
}

async function orphans(config: string, mayGoOn: MayGoOn): Promise<readonly number[]> {
  const mark = `GIT_CONFIG_GLOBAL=${config}`;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    // One that has ended and waits for its parent has no environment any more.
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    const variables = environment.split("\0");
    if (variables.includes(mark) && !mayGoOn(lifeIn(variables))) found.push(Number(pid));
  }
  return found;
}

/** Empty of an earlier release. */
function lifeIn(variables: readonly string[]): string {
  const named = `${LIFE_VARIABLE}=`;
  return variables.find((variable) => variable.startsWith(named))?.slice(named.length) ?? "";
}
