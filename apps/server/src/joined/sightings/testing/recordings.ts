/** What the real programs have written, trimmed. */
import { readFileSync } from "node:fs";

export function readRecording(name: string): string {
  return readFileSync(new URL(`recordings/${name}`, import.meta.url), "utf8");
}
