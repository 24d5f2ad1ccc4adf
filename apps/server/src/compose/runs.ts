/** The director of the crew's turns, put together. Part of compose.ts. */
import type { Asking } from "../human-input/human-input.ts";
import { createBlobs } from "../platform/blobs.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { sleep } from "../platform/timers.ts";
import { createDirector, type Director, type DirectorDeps } from "../runs/run-director.ts";
import { createTurnClocks } from "../runs/turn-clocks.ts";
import { askForTurns } from "../runs/turn-human-input.ts";
import type { Surface } from "./part.ts";
import type { State } from "./state.ts";

const pace = {
  now: () => clock.now(),
  sleep: (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, signal),
};

/** What turns share with whoever else acts for an agent. */
export function composeTurns(
  { config, home }: Surface,
  asking: Asking,
): Pick<DirectorDeps, "asking" | "blobs" | "clocks"> {
  const { crew, limits } = config;
  const clocks = createTurnClocks(pace);
  return {
    asking: askForTurns({ asking, crew, clocks, timeoutMs: limits.answerTimeoutMs }),
    blobs: createBlobs(home.blobsFolder),
    clocks,
  };
}

export function composeDirector(
  surface: Surface,
  state: State,
  turns: Pick<DirectorDeps, "asking" | "blobs" | "clocks" | "termsOf" | "runtimeOf">,
): Director {
  const { config, report } = surface;
  return createDirector({
    ...state,
    ...turns,
    crew: config.crew,
    limits: config.limits,
    ids,
    ...pace,
    report,
  });
}
