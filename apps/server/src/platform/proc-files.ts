/** What Linux tells of processes, in files that may be gone by the time they are read. */
import { readdirSync, readFileSync } from "node:fs";

/** Empty when the process has ended or belongs to another user. */
export function procText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

export function procNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
