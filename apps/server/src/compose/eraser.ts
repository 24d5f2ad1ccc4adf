/** Deleting for good, put together. Part of compose.ts, and imported by it alone. */
import { createBlobs } from "../platform/blobs.ts";
import { createEraser, type Eraser } from "../runs/eraser.ts";
import type { Part, ServerOptions } from "./part.ts";
import type { State } from "./state.ts";

export function composeEraser(
  { home, note, report }: Pick<ServerOptions, "home" | "note" | "report">,
  { wholeLog, erasures, projections }: Pick<State, "wholeLog" | "erasures" | "projections">,
  parts: () => readonly Part[],
): Eraser {
  return createEraser({
    log: wholeLog,
    erasures,
    projections,
    blobs: createBlobs(home.blobsFolder),
    forget() {
      for (const part of parts()) part.forget?.();
    },
    note,
    report,
  });
}
