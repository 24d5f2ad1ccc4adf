/** The director of the crew's turns, put together. Part of compose.ts. */
import { accept, Fault, MAIN_KEY, type Aside, type BatchListener } from "@atrium/core";
import type { HumanInput } from "../human-input/human-input.ts";
import { createBlobs } from "../platform/blobs.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { holdingTimers, sleep } from "../platform/timers.ts";
import { createEraser, type Eraser } from "../runs/eraser.ts";
import { createLiveRuns } from "../runs/live-runs.ts";
import { mirrorLiveRuns } from "../runs/mirror-live-runs.ts";
import { createRunDirector, type RunDirector, type RunDirectorDeps } from "../runs/run-director.ts";
import type { TurnHumanInput } from "../runs/run-driver.ts";
import { createTurnClocks } from "../runs/turn-clocks.ts";
import { createTurnHumanInput, type TurnConsultation } from "../runs/turn-human-input.ts";
import { deskNotes } from "../tools/desk/desk-notes.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { State } from "./state.ts";
import type { Workshop } from "./workshop/workspaces.ts";

const pace = {
  now: () => clock.now(),
  sleep: (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, signal),
  after: holdingTimers.after,
};

/** What turns share with whoever else acts for an agent. */
export interface Turns extends Pick<RunDirectorDeps, "blobs" | "clocks"> {
  readonly humanInput: TurnHumanInput & TurnConsultation;
}

export function composeTurns({ config, home }: ServerOptions, humanInput: HumanInput): Turns {
  const { crew, limits } = config;
  const clocks = createTurnClocks(pace);
  return {
    humanInput: createTurnHumanInput({ humanInput, crew, clocks, limits }),
    blobs: createBlobs(home.blobsFolder),
    clocks,
  };
}

/** Who drives a turn, on which terms, and where. */
type RunTerms = Required<
  Pick<RunDirectorDeps, "policyOf" | "runtimeOf" | "workspaceOf" | "guestOf">
>;

/** What the front desk says of projects is said to those who talk with it. */
function asidesFrom({ frontDeskLines }: Pick<State, "frontDeskLines">) {
  return (key: string): readonly Aside[] => (key === MAIN_KEY ? frontDeskLines.list() : []);
}

export function composeRuns(
  { config, report }: ServerOptions,
  state: State,
  turns: Turns,
  { policyOf, runtimeOf, workspaceOf, guestOf }: RunTerms,
): RunDirector {
  const { log, direct, dispatch, conversations, runs, projects, relay } = state;
  const isOver = (runId: string): boolean => (runs.get(runId)?.endedAt ?? null) !== null;
  return createRunDirector({
    live: mirrorLiveRuns(createLiveRuns(), { mirror: relay.mirror, isOver }),
    log,
    dispatch: direct,
    dispatchForPeers: dispatch,
    conversations,
    runs,
    crew: config.crew,
    guestOf,
    runtimeOf,
    policyOf,
    workspaceOf,
    deskNotesOf: (key) => deskNotes(key, projects),
    asidesOf: asidesFrom(state),
    blobs: turns.blobs,
    humanInput: turns.humanInput,
    clocks: turns.clocks,
    limits: config.limits,
    ids,
    now: pace.now,
    sleep: pace.sleep,
    after: pace.after,
    report,
  });
}

export function partOf({ reports, onBatch, recover }: RunDirector): Part {
  return { onBatch: reports.onBatch, directs: { onBatch, recover } };
}

interface OpenEraser extends Part {
  readonly eraser: Pick<Eraser, "run">;
}

/** Deletes for good; every part then lets go of what it keeps of it. */
export function composeEraser(
  { home, note, report }: Pick<ServerOptions, "home" | "note" | "report">,
  { wholeLog, erasures, projections, chain, relay, cluster }: State,
  { runWorkspaces }: Pick<Workshop, "runWorkspaces">,
  parts: () => readonly Part[],
): OpenEraser {
  const forget = (): void => {
    for (const part of parts()) part.forget?.();
  };
  const eraser = createEraser({
    log: wholeLog,
    guard: cluster.lease.guard,
    erasures,
    projections,
    blobs: createBlobs(home.blobsFolder),
    forgetWork: (key) => runWorkspaces.forget(key),
    forget,
    note,
    report,
  });
  const recover = (): Promise<void> => eraser.recover();
  if (chain === undefined) return { eraser, directs: { recover } };
  const erase = relay.atDirector("erase", async () => accept(await eraser.run()));
  // Where nobody directs, the next one does it: that it is wanted is in the log.
  const run = async (): Promise<void> => void (await erase());
  let refolded: Promise<void> = Promise.resolve();
  chain.onErase(() => {
    refolded = refolded
      .then(() => {
        forget();
        return projections.refold();
      })
      .catch((cause: unknown) => report(new Fault("what was erased elsewhere stays", {}, cause)));
  });
  // Whoever deletes a conversation may be served by a node that does not erase.
  const onBatch: BatchListener = ([first]) => {
    const isWanted = Array.from(erasures.wanted()).some(({ seq }) => seq >= (first?.seq ?? 0));
    if (isWanted) void recover();
  };
  return { eraser: { run }, directs: { onBatch, recover } };
}
