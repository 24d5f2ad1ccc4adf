/**
 * The director of projects: from a request to a trophy, by reacting to what the log says.
 *
 *   people, agents and timers change the log -> reactions -> commands, words to agents, walks
 *
 * Reactions decide nothing that matters: whether something can be done is up to the project's decider,
 * and what is refused was not to be done.
 */
import {
  approval,
  conversation,
  joinedSession,
  project,
  question,
  signalSource,
  idIn,
  isWorkKey,
  owns,
  type Fault,
} from "@atrium/core";
import type { Entry, Log } from "@atrium/log";
import type { Timers } from "../platform/timers.ts";
import type { ReactionCursor } from "../reactions/cursor.ts";
import { createReactor, type Reactor } from "../reactions/reactor.ts";
import type { LiveRuns } from "../runs/live-runs.ts";
import { onApproval, onQuestion } from "./rules/on-human-input.ts";
import { onJoinedSession } from "./rules/on-joined-session.ts";
import { onProjectEvent } from "./rules/on-project-event.ts";
import { onRunEnded } from "./rules/on-run-ended.ts";
import { onSignals } from "./rules/on-signals.ts";
import { createProgress } from "./work/progress.ts";
import { ProjectCommands, type ProjectCommandsDeps } from "./work/project-commands.ts";

export interface ProjectDirectorDeps extends Omit<ProjectCommandsDeps, "signal"> {
  readonly log: Pick<Log, "read">;
  readonly cursor: ReactionCursor;
  readonly live: Pick<LiveRuns, "onEvent">;
  readonly timers: Timers;
  readonly report: (fault: Fault) => void;
}

export interface ProjectDirector
  extends AsyncDisposable, Pick<Reactor, "onBatch" | "idle" | "faults"> {
  /** Takes up what was left when the process last ended. */
  recover(): Promise<void>;
}

export function createProjectDirector(deps: ProjectDirectorDeps): ProjectDirector {
  const closing = new AbortController();
  const commands = new ProjectCommands({ ...deps, signal: closing.signal });
  const progress = createProgress(deps);

  async function react(entry: Entry): Promise<void> {
    const { stream } = entry;
    const projectId = idIn(project, stream);
    if (projectId !== undefined) return onProjectEvent(commands, entry, projectId);
    const questionId = idIn(question, stream);
    if (questionId !== undefined) return onQuestion(commands, entry, questionId);
    const approvalId = idIn(approval, stream);
    if (approvalId !== undefined) return onApproval(commands, entry, approvalId);
    if (owns(signalSource, stream)) return onSignals(commands, entry);
    const joinedId = idIn(joinedSession, stream);
    if (joinedId !== undefined) return onJoinedSession(commands, entry, joinedId);
    if (owns(conversation, stream) && isWorkKey(stream)) return onRunEnded(commands, entry);
  }

  const reactor = createReactor({
    name: "project-director",
    log: deps.log,
    cursor: deps.cursor,
    react,
    report: deps.report,
    closing,
  });
  return {
    get faults() {
      return reactor.faults;
    },
    onBatch(entries) {
      progress.onBatch(entries);
      reactor.onBatch(entries);
    },
    idle: () => reactor.idle(),
    async recover() {
      deps.live.onEvent((run, event) => progress.onLiveEvent(run, event));
      for (const of of deps.projects.list()) {
        if (of.draft !== null) commands.tellPlanAt(of, of.draft.tellAt);
        for (const { taskId, isCarrying, isChecking } of of.tasks) {
          if (isChecking && of.status !== "paused") deps.checks.start(of.projectId, taskId);
          else if (isCarrying) await commands.deliverLeft(of, taskId);
        }
      }
      for (const { id } of deps.crew) {
        if (deps.walking.isDelivering(id) || deps.walking.hasDelivered(id)) {
          commands.goHomeOnArrival(id);
        }
      }
      await reactor.start();
    },
    async [Symbol.asyncDispose]() {
      progress.close();
      await reactor[Symbol.asyncDispose]();
    },
  };
}
