/** The director of the crew's turns, put together. Part of compose.ts. */
import type { Asking } from "./asking/asking.ts";
import { askForTurns } from "./asking/for-turns.ts";
import { sleep } from "./asking/timers.ts";
import { createBlobs } from "./blobs.ts";
import type { State } from "./compose-state.ts";
import { createDirector, type Director, type DirectorDeps } from "./director/director.ts";
import { createTurnClocks } from "./director/turn-clocks.ts";
import { clock, ids } from "./machine.ts";
import type { Surface } from "./surface.ts";

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
