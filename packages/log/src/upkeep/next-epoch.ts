/**
 * The epoch of a log that was restored from a backup: numbers that readers know may be given out again, and only another
 * epoch tells them. A function of what is restored, so that a copy that was cut off goes on with the same.
 */
import { createHash } from "node:crypto";

export function nextEpoch(epoch: string, head: number): string {
  const hash = createHash("sha256").update(`${epoch} ${head}`).digest("hex");
  const parts = [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20)];
  return [...parts, hash.slice(20, 32)].join("-");
}
