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
import type { Timers } from "../platform/timers.ts";
import type { AgentPolicyOf } from "./agent-policy.ts";
import { createLiveRuns, type LiveRuns } from "./live-runs.ts";
import { createMessageIntake, type MessageIntake } from "./message-intake.ts";
import { createRunDrivers, type TurnHumanInput } from "./run-driver.ts";
import { createRunScheduler } from "./run-scheduler.ts";
import { createRunStatuses, type RunStatuses } from "./run-statuses.ts";
import { createSlashCommands, isSlashCommand } from "./slash-commands.ts";
import type { TurnClocks } from "./turn-clocks.ts";

export interface RunDirectorLimits {
  readonly maxTurns: number;
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

export interface RunDirectorDeps {
  readonly log: Pick<Log, "read" | "findKey">;
  readonly dispatch: Dispatch;
  readonly conversations: Conversations;
  readonly runs: RunsProjection;
  readonly crew: readonly CrewMember[];
  /** Who answers for an agent. */
  readonly runtimeOf: (agentId: string) => AgentRuntime;
  readonly termsOf: AgentPolicyOf;
  readonly blobs: Blobs;
  readonly asking: TurnHumanInput;
  readonly clocks: Pick<TurnClocks, "begin">;
  readonly limits: RunDirectorLimits;
  readonly ids: Ids;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly after: Timers["after"];
  readonly report: (fault: Fault) => void;
}

export interface RunDirector extends AsyncDisposable {
  readonly live: LiveRuns;
  readonly intake: MessageIntake;
  readonly reports: RunStatuses;
  readonly onBatch: BatchListener;
  /** The model that answers for an agent. */
  readonly modelOf: (handle: string) => RuntimeModel;
  /** Takes up what was left when the process last ended. */
  recover(): Promise<void>;
}

export function createRunDirector(deps: RunDirectorDeps): RunDirector {
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
  const house = createSlashCommands({ dispatch, conversations, crew, modelOf, ids });
  const openDrive = createRunDrivers({
    ...deps,
    readRun,
    live,
    history: createHistory(log),
    runtimeOf: ({ id }, { isCommand }) => (isCommand ? house : deps.runtimeOf(id)),
  });
  const runner = createRunScheduler({ ...deps, openDrive, maxTurns: limits.maxTurns });
  const intake = createMessageIntake({
    dispatch,
    keep: (bytes) => blobs.put(bytes),
    isCommand: isSlashCommand,
    ids,
    limits,
  });
  const reports = createRunStatuses({ runs, readRun, findKey: (id) => log.findKey(id) });
  return {
    live,
    intake,
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
