/** Files that are in the way and may still be of use: they get another name, with what SQLite keeps beside them. */
import { existsSync, renameSync } from "node:fs";

const COMPANIONS = ["-wal", "-shm"];

/** Under the first name with that ending that is free. Returns the name. */
export function moveAway(file: string, ending: string): string {
  let kept = `${file}.${ending}`;
  for (let n = 2; existsSync(kept); n++) kept = `${file}.${ending}-${n}`;
  renameSync(file, kept);
  for (const end of COMPANIONS) {
    if (existsSync(file + end)) renameSync(file + end, kept + end);
  }
  return kept;
}
