/** The director of the crew's turns, put together. Part of compose.ts. */
import type { HumanInput } from "../human-input/human-input.ts";
import { createBlobs } from "../platform/blobs.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { holdingTimers, sleep } from "../platform/timers.ts";
import { createEraser, type Eraser } from "../runs/eraser.ts";
import { createRunDirector, type RunDirector, type RunDirectorDeps } from "../runs/run-director.ts";
import { createTurnClocks } from "../runs/turn-clocks.ts";
import { createTurnHumanInput } from "../runs/turn-human-input.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { State } from "./state.ts";

const pace = {
  now: () => clock.now(),
  sleep: (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, signal),
  after: holdingTimers.after,
};

/** What turns share with whoever else acts for an agent. */
export type Turns = Pick<RunDirectorDeps, "asking" | "blobs" | "clocks">;

export function composeTurns({ config, home }: ServerOptions, asking: HumanInput): Turns {
  const { crew, limits } = config;
  const clocks = createTurnClocks(pace);
  return {
    asking: createTurnHumanInput({ asking, crew, clocks, timeoutMs: limits.answerTimeoutMs }),
    blobs: createBlobs(home.blobsFolder),
    clocks,
  };
}

export function composeRuns(
  { config, report }: ServerOptions,
  { log, dispatch, conversations, runs }: State,
  turns: Turns,
  { termsOf, runtimeOf }: Pick<RunDirectorDeps, "termsOf" | "runtimeOf">,
): RunDirector {
  return createRunDirector({
    log,
    dispatch,
    conversations,
    runs,
    crew: config.crew,
    runtimeOf,
    termsOf,
    blobs: turns.blobs,
    asking: turns.asking,
    clocks: turns.clocks,
    limits: config.limits,
    ids,
    now: pace.now,
    sleep: pace.sleep,
    after: pace.after,
    report,
  });
}

/** Deletes for good; every part then lets go of what it keeps of it. */
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
