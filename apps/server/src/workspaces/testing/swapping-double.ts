/**
 * An agent's process that does not stop: while git works on its index, a folder becomes a link to another
 * place for a while. `node … FOLDER OTHER LOCK`
 */
import { existsSync, renameSync, symlinkSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";

const [folder = "", other = "", lock = ""] = process.argv.slice(2);
const [link, aside] = [`${folder}-link`, `${folder}-aside`];
/** By then git has looked at the folder, and has not come to its end. */
const LONGEST_MS = 8;
symlinkSync(other, link);
process.stdout.write("ready\n");
for (;;) {
  while (!existsSync(lock)) await setImmediate();
  await setTimeout(Math.random() * LONGEST_MS);
  attempt(() => renameSync(folder, aside));
  attempt(() => renameSync(link, folder));
  while (existsSync(lock)) await setImmediate();
  attempt(() => renameSync(folder, link));
  attempt(() => renameSync(aside, folder));
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Files are put into it at the same time.
  }
}
