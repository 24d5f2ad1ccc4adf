/**
 * Whether the user has agreed that sessions take tasks by themselves: `atrium join --tasks` leaves a file in the home,
 * which only its owner can write. Read anew each time, so that what is withdrawn is over at once.
 */
import { statSync } from "node:fs";
import { join } from "node:path";

/** Also in apps/cli/src/commands/join. */
const FILE = join("joined", "may-take-tasks");

export function createTaskConsent(homeFolder: string, userId: number | undefined): () => boolean {
  const file = join(homeFolder, FILE);
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && (userId === undefined || found.uid === userId);
  };
}
