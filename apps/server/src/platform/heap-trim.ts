/**
 * Frees memory that only the start needed. Half of the heap right after opening is parsers, validators and
 * module text that is not used again, and the engine would keep those pages for as long as the server is
 * idle: 25 MB of 140.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** After the first peers are admitted; it takes some 50 ms. */
const AFTER_MS = 1_500;
/** With more than this in use the pause would be noticeable, and little would be freed. */
const MAX_BYTES = 100 * 1024 * 1024;

export function trimHeapSoon(): void {
  setTimeout(() => {
    if (process.memoryUsage().heapUsed > MAX_BYTES) return;
    setFlagsFromString("--expose-gc");
    runInNewContext('gc({ type: "major", execution: "sync", flavor: "last-resort" })');
  }, AFTER_MS).unref();
}
