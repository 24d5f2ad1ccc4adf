/**
 * What a program writes, chunk by chunk and no faster than it is taken: a program that floods waits for
 * its reader. Ends with the program, also when something it has started keeps the pipe open.
 */
import { setImmediate } from "node:timers/promises";
import type { Child } from "../../confinement/program/child.ts";
import type { Timers } from "../../platform/timers.ts";

/** How long after its end there may still be something on the way. */
const STRAGGLING_MS = 500;

export async function* chunksOf(child: Child, timers: Timers): AsyncGenerator<string, void> {
  const { stdout, ended } = child;
  stdout.setEncoding("utf8");
  const chunks = stdout[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
  const over = ended.then(
    () => new Promise<"over">((resolve) => void timers.after(STRAGGLING_MS, () => resolve("over"))),
  );
  try {
    for (;;) {
      const next = chunks.next();
      let first = await Promise.race([next, over]);
      // What has been read already takes a moment to get here.
      if (first === "over") first = await Promise.race([next, setImmediate("over" as const)]);
      if (first === "over" && stdout.readableLength === 0) return;
      const result = await next;
      if (result.done === true) return;
      yield result.value;
    }
  } catch (cause) {
    // Its pipe was closed because it was stopped; there is nothing more to read.
    if (!stdout.destroyed) throw cause;
  }
}
