/**
 * Gives back what only the start needed. Half of the heap right after opening is parsers, validators and
 * module text that nobody will look at again, and the engine would keep its pages for as long as it is
 * idle: 25 MB of the 140 a server then takes.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** After the first peers have been let in; it takes some 50 ms. */
const AFTER_MS = 1_500;
/** With more than this in use the pause would be felt, and there is little to win. */
const MAX_BYTES = 100 * 1024 * 1024;

export function trimHeapSoon(): void {
  setTimeout(() => {
    if (process.memoryUsage().heapUsed > MAX_BYTES) return;
    setFlagsFromString("--expose-gc");
    runInNewContext('gc({ type: "major", execution: "sync", flavor: "last-resort" })');
  }, AFTER_MS).unref();
}
