/** The director: takes messages in, has them answered, and tells what is being said meanwhile. */
import {
  createHistory,
  createReadRun,
  Fault,
  type BatchListener,
  type Conversations,
  type CrewMember,
  type Dispatch,
  type Ids,
  type RunsProjection,
} from "@atrium/core";
import type { Log } from "@atrium/log";
import type { AgentRuntime, RuntimeModel } from "../agents/turn/agent-runtime.ts";
import type { Blobs } from "../platform/blobs.ts";
import type { TermsOf } from "./agent-policy.ts";
import { createLiveRuns, type LiveRuns } from "./live-runs.ts";
import { createFrontDesk, type FrontDesk } from "./message-intake.ts";
import { createDrives, type Asking } from "./run-driver.ts";
import { createRunner } from "./run-scheduler.ts";
import { createRunReports, type RunReports } from "./run-statuses.ts";
import { createHouseCommands, isHouseCommand } from "./slash-commands.ts";
import type { TurnClocks } from "./turn-clocks.ts";

export interface DirectorLimits {
  readonly maxTurns: number;
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

export interface DirectorDeps {
  readonly log: Pick<Log, "read" | "findKey">;
  readonly dispatch: Dispatch;
  readonly conversations: Conversations;
  readonly runs: RunsProjection;
  readonly crew: readonly CrewMember[];
  /** Who answers for an agent. */
  readonly runtimeOf: (agentId: string) => AgentRuntime;
  readonly termsOf: TermsOf;
  readonly blobs: Blobs;
  readonly asking: Asking;
  readonly clocks: Pick<TurnClocks, "begin">;
  readonly limits: DirectorLimits;
  readonly ids: Ids;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly report: (fault: Fault) => void;
}

export interface Director extends AsyncDisposable {
  readonly live: LiveRuns;
  readonly desk: FrontDesk;
  readonly reports: RunReports;
  readonly onBatch: BatchListener;
  /** The model that answers for an agent. */
  readonly modelOf: (handle: string) => RuntimeModel;
  /** Takes up what was left when the process last ended. */
  recover(): Promise<void>;
}

export function createDirector(deps: DirectorDeps): Director {
  const { log, dispatch, conversations, runs, crew, ids, limits, blobs } = deps;
  const live = createLiveRuns();
  const readRun = createReadRun(log);
  const modelOf = (handle: string): RuntimeModel => {
    const [first] = crew;
    // A conversation may outlive its agent; it is shown as the first of the crew would answer it.
    const member = crew.find((each) => each.handle === handle) ?? first;
    if (member === undefined) throw new Fault("a crew of no one");
    return deps.runtimeOf(member.id).model;
  };
  const house = createHouseCommands({ dispatch, conversations, crew, modelOf, ids });
  const openDrive = createDrives({
    ...deps,
    readRun,
    live,
    history: createHistory(log),
    runtimeOf: ({ id }, { isCommand }) => (isCommand ? house : deps.runtimeOf(id)),
  });
  const runner = createRunner({ ...deps, openDrive, maxTurns: limits.maxTurns });
  const desk = createFrontDesk({
    dispatch,
    keep: (bytes) => blobs.put(bytes),
    isCommand: isHouseCommand,
    ids,
    limits,
  });
  const reports = createRunReports({ runs, readRun, findKey: (id) => log.findKey(id) });
  return {
    live,
    desk,
    reports,
    modelOf,
    onBatch(entries) {
      reports.onBatch(entries);
      runner.onBatch(entries);
    },
    recover: () => runner.recover(),
    [Symbol.asyncDispose]: () => runner.close(),
  };
}
