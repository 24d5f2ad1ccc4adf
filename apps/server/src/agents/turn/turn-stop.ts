/** Why a turn was stopped from outside; the reason its signal is aborted with. */
import type { Ending } from "@atrium/core";

export class TurnStop {
  readonly ending: Ending;

  constructor(ending: Ending) {
    this.ending = ending;
  }
}

/** How a run failed that nobody is to blame for: it can be asked for again. */
export const INTERRUPTED = "interrupted";

export function isCutOff(ending: Ending): boolean {
  return ending.how === "failed" && ending.kind === INTERRUPTED;
}
