/** Looks now and then at what a process and everything it started take, and tells when that is too much. */
import type { Timers } from "../platform/timers.ts";
import type { CommandLimits } from "./limits.ts";
import { measure } from "./process-tree.ts";

export type Excess = "memory" | "processes";

export interface TreeWatch {
  readonly limits: Pick<CommandLimits, "memoryBytes" | "processes">;
  /** The numbers of all there are; nobody needs to be counted above `most`. */
  readonly everyone: (most: number) => readonly number[];
  readonly onExcess: (excess: Excess) => void;
}

/** Whoever multiplies must be noticed early; later, looking now and then is enough. */
const FIRST_WATCH_MS = 20;
const WATCH_MS = 200;
/** Watching takes at most this part of the time. */
const WATCH_SHARE = 20;

/** Until it is cancelled. */
export function watchTree({ limits, everyone, onExcess }: TreeWatch, timers: Timers): () => void {
  let cancel: (() => void) | undefined;
  let waitMs = FIRST_WATCH_MS;
  const look = (): void => {
    const began = performance.now();
    waitMs = Math.min(WATCH_MS, waitMs * 2);
    const { processes, memoryBytes } = measure(everyone(limits.processes));
    cancel = timers.after(Math.max(waitMs, (performance.now() - began) * WATCH_SHARE), look);
    if (processes > limits.processes) onExcess("processes");
    else if (memoryBytes > limits.memoryBytes) onExcess("memory");
  };
  cancel = timers.after(waitMs, look);
  return () => cancel?.();
}
