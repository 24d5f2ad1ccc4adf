/** Deleting for good, put together. Part of compose.ts, and imported by it alone. */
import { createBlobs } from "./blobs.ts";
import type { State } from "./compose-state.ts";
import { createEraser, type Eraser } from "./director/eraser.ts";
import type { Part, Surface } from "./surface.ts";

export function composeEraser(
  { home, note, report }: Pick<Surface, "home" | "note" | "report">,
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
