/** The director: takes messages in, has them answered, and tells what is being said meanwhile. */
import {
  createHistory,
  createReadRun,
  Fault,
  type Aside,
  type BatchListener,
  type Conversations,
  type Dispatch,
} from "@atrium/core";
import type { Log } from "@atrium/log";
import type { AgentRuntime, RuntimeModel } from "../agents/turn/agent-runtime.ts";
import type { LiveRuns } from "./live-runs.ts";
import { createMessageIntake, type MessageIntake } from "./message-intake.ts";
import { RunDriver, type RunDriverDeps, type TurnDeps } from "./run-driver.ts";
import { createRunScheduler } from "./run-scheduler.ts";
import { createRunStatuses, type RunStatuses } from "./run-statuses.ts";
import { createSlashCommands, isSlashCommand } from "./slash-commands.ts";

export interface RunDirectorLimits {
  readonly clientCallTimeoutMs: number;
  readonly maxTurns: number;
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

export interface RunDirectorDeps extends TurnDeps {
  readonly log: Pick<Log, "read" | "findKey">;
  readonly conversations: Conversations;
  readonly live: LiveRuns;
  /** For what peers ask; left out: as for everything else. */
  readonly dispatchForPeers?: Dispatch;
  /** With the key of the conversation: as it works there. */
  readonly runtimeOf: (agentId: string, key?: string) => AgentRuntime;
  readonly limits: RunDirectorLimits;
  /** What an agent has said to the people of a conversation elsewhere. */
  readonly asidesOf?: (key: string) => readonly Aside[];
}

export interface RunDirector extends AsyncDisposable {
  readonly live: LiveRuns;
  /** For peers. */
  readonly intake: MessageIntake;
  /** For agents, and for those who direct them. */
  readonly ownIntake: MessageIntake;
  readonly reports: RunStatuses;
  /** Starts and steers runs; `reports` listens by itself. */
  readonly onBatch: BatchListener;
  readonly modelOf: (handle: string) => RuntimeModel;
  /** Takes up what was left when the process last ended. */
  readonly recover: () => Promise<void>;
}

export function createRunDirector(deps: RunDirectorDeps): RunDirector {
  const { log, dispatch, conversations, runs, live, crew, ids, limits, blobs } = deps;
  const readRun = createReadRun(log);
  const modelOf = (handle: string): RuntimeModel => {
    const [first] = crew;
    // A conversation may outlive its agent; it is shown as the first of the crew would answer it.
    const member = crew.find((each) => each.handle === handle) ?? first;
    if (member === undefined) throw new Fault("a crew of no one");
    return deps.runtimeOf(member.id).model;
  };
  const house = createSlashCommands({ dispatch, conversations, crew, modelOf, ids });
  const driving: RunDriverDeps = {
    turns: deps,
    readRun,
    live,
    history: createHistory(log, deps.asidesOf),
    runtimeOf: ({ id }, { isCommand }, key) => (isCommand ? house : deps.runtimeOf(id, key)),
  };
  const runner = createRunScheduler({
    dispatch,
    conversations,
    runs,
    ids,
    openDriver: (row, runId) => new RunDriver(driving, row, runId),
    get maxTurns() {
      return limits.maxTurns;
    },
    report: deps.report,
  });
  const keep = (bytes: Uint8Array): Promise<string> => blobs.put(bytes);
  const takesClientTools = (agentId: string): boolean =>
    deps.runtimeOf(agentId).takesNoTools !== true;
  const desk = { keep, isCommand: isSlashCommand, takesClientTools, ids, limits };
  const { dispatchForPeers = dispatch } = deps;
  const reports = createRunStatuses({ runs, readRun, findKey: (id) => log.findKey(id) });
  return {
    live,
    intake: createMessageIntake({ ...desk, dispatch: dispatchForPeers }),
    ownIntake: createMessageIntake({ ...desk, dispatch }),
    reports,
    modelOf,
    onBatch: runner.onBatch,
    recover: () => runner.recover(),
    [Symbol.asyncDispose]: () => runner.close(),
  };
}
