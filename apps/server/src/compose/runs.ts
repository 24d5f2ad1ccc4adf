/** The director of the crew's turns, put together. Part of compose.ts. */
import type { HumanInput } from "../human-input/human-input.ts";
import { createBlobs } from "../platform/blobs.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { holdingTimers, sleep } from "../platform/timers.ts";
import { createRunDirector, type RunDirector, type RunDirectorDeps } from "../runs/run-director.ts";
import { createTurnClocks } from "../runs/turn-clocks.ts";
import { createTurnHumanInput } from "../runs/turn-human-input.ts";
import type { ServerOptions } from "./part.ts";
import type { State } from "./state.ts";

const pace = {
  now: () => clock.now(),
  sleep: (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, signal),
  after: holdingTimers.after,
};

/** What turns share with whoever else acts for an agent. */
export function composeTurns(
  { config, home }: ServerOptions,
  asking: HumanInput,
): Pick<RunDirectorDeps, "asking" | "blobs" | "clocks"> {
  const { crew, limits } = config;
  const clocks = createTurnClocks(pace);
  return {
    asking: createTurnHumanInput({ asking, crew, clocks, timeoutMs: limits.answerTimeoutMs }),
    blobs: createBlobs(home.blobsFolder),
    clocks,
  };
}

export function composeRuns(
  surface: ServerOptions,
  state: State,
  turns: Pick<RunDirectorDeps, "asking" | "blobs" | "clocks" | "termsOf" | "runtimeOf">,
): RunDirector {
  const { config, report } = surface;
  return createRunDirector({
    ...state,
    ...turns,
    crew: config.crew,
    limits: config.limits,
    ids,
    ...pace,
    report,
  });
}
