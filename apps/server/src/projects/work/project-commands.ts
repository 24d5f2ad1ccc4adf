/**
 * What reactions do things with: commands to a project under a key of the entry they react to, words to
 * an agent, walks, and deliveries that come with time.
 */
import {
  accept,
  Fault,
  project,
  REFUSALS,
  retryWhileBusy,
  waitingFor,
  type RetryDeps,
  type Artifact,
  type Clock,
  type Conversations,
  type CrewMember,
  type Dispatch,
  type Outcome,
  type Project,
  type ProjectCommand,
  type Projects,
  type Task,
} from "@atrium/core";
import type { Entry } from "@atrium/log";
import type { QuestionRequests } from "../../human-input/question-requests.ts";
import type { Blobs } from "../../platform/blobs.ts";
import type { Deadlines } from "../../reactions/deadlines.ts";
import type { IncomingFile, IncomingMessage, MessageIntake } from "../../runs/message-intake.ts";
import { runKey } from "../../runs/run-statuses.ts";
import type { ProjectPrompts } from "../prompts/project-prompts.ts";
import type { AgentWalks } from "./agent-walks.ts";
import type { ChangeChecks, Changes } from "./changes.ts";
import type { ReadForkedTalk } from "./forked-talk.ts";
import type { Line } from "./front-desk-messages.ts";
import { DELIVERY_SHELF, MEETING_TABLE, type HomeOf } from "./places.ts";
import type { ProjectBudget } from "./project-budget.ts";
import type { WorkKeys } from "./work-keys.ts";

export interface ProjectCommandsDeps {
  readonly dispatch: Dispatch;
  readonly projects: Projects;
  readonly conversations: Pick<Conversations, "get">;
  readonly crew: readonly CrewMember[];
  /** Someone who only worked here for a while, and has left. */
  readonly isAway: (agentId: string) => boolean;
  readonly intake: Pick<MessageIntake, "send" | "stop">;
  readonly inquiries: Pick<QuestionRequests, "openQuestion" | "expireQuestion">;
  readonly blobs: Blobs;
  readonly changes: Changes;
  readonly checks: ChangeChecks;
  readonly budget: ProjectBudget;
  readonly walking: AgentWalks;
  readonly homeOf: HomeOf;
  readonly keys: WorkKeys;
  readonly readForkedTalk: ReadForkedTalk;
  readonly prompts: ProjectPrompts;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  /** For how long everyone is at the table before the plan is told. */
  readonly meetingMs: () => number;
  readonly sleep: RetryDeps["sleep"];
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** Without the time, which is now. */
export type CommandDraft = ProjectCommand extends infer Command
  ? Command extends ProjectCommand
    ? Omit<Command, "at">
    : never
  : never;

/** A plan waits for people, but not for someone who never arrives. */
const MAX_WAIT_MS = 10_000;
/** The projects wait for each other's reactions; one that is refused for so long is given up. */
const MAX_RETRY_MS = 60_000;

const PERSIST_TRIES = 3;
const PERSIST_MS = 500;

const DIRECTOR = { clientId: "atrium-director", clientMode: "backend", name: "Atrium" };

export class ProjectCommands {
  readonly deps: ProjectCommandsDeps;
  /** What was wrong with the last plan of a project, for whoever is asked again. */
  readonly planFlaws = new Map<string, string>();

  constructor(deps: ProjectCommandsDeps) {
    this.deps = deps;
  }

  /** The key is the entry's that asked for it, so that reacting twice does it once. */
  async dispatch(
    projectId: string,
    wanted: CommandDraft,
    cause: Entry,
    label = "",
  ): Promise<boolean> {
    const { dispatch, clock } = this.deps;
    const key = { id: `react:${cause.seq}:${wanted.type}:${label}`, digest: projectId };
    const command = { ...wanted, at: clock.now() } as ProjectCommand;
    return (await this.attempt(() => dispatch(project, projectId, command, key))).ok;
  }

  /**
   * Tries again while it may help. Throws when the server stops first, so that the reaction is not taken
   * for done, and when it takes too long. Any other refusal is an answer: it was not to be done.
   */
  async attempt<T>(task: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { signal } = this.deps;
    let waitedMs = 0;
    let isAway = false;
    const sleep: RetryDeps["sleep"] = async (ms) => {
      // While nothing can be written nothing is lost by waiting, and everything by giving up.
      if (!isAway) waitedMs += ms;
      if (waitedMs > MAX_RETRY_MS) throw new Fault("a reaction was refused for too long");
      await this.deps.sleep(ms, signal);
    };
    const look = async (): Promise<Outcome<T>> => {
      const found = await task();
      isAway = !found.ok && found.code === "log.unavailable";
      return found;
    };
    const done = await retryWhileBusy(look, { sleep, signal });
    if (!done.ok) signal.throwIfAborted();
    return done;
  }

  /** For work of git: what may pass is tried again for a while, and the last answer stands. */
  async persist<T>(task: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { sleep, signal } = this.deps;
    let done = await task();
    for (let left = PERSIST_TRIES; left > 0 && isPassing(done); left--) {
      await sleep(PERSIST_MS, signal);
      done = await task();
    }
    if (!done.ok) signal.throwIfAborted();
    return done;
  }

  postMessage(projectId: string, { text, actions }: Line, cause: Entry): Promise<boolean> {
    return this.dispatch(projectId, { type: "say", text, actions }, cause);
  }

  /** Asks for a plan: the first time with everything, then with what was wrong. */
  async requestPlan(of: Project, runId: string): Promise<void> {
    const { keys, prompts } = this.deps;
    const { projectId, title, attachments } = of;
    const problem = this.planFlaws.get(projectId);
    const prompt = await (problem === undefined ? prompts.plan(of) : prompts.replan(of, problem));
    const files = await this.#files(attachments);
    const message = {
      key: keys.plan(projectId),
      label: `Plan · ${title}`,
      runId,
      ...prompt,
      from: DIRECTOR,
      files,
      isPlain: true,
      form: "plan",
      mode: "followup",
    } as const;
    await this.#send(message);
  }

  /** Whoever takes a task over is given what came with the request, and what was said before them. */
  async requestWork(of: Project, task: Task, runId: string, cause: Entry): Promise<void> {
    const { keys, conversations, prompts } = this.deps;
    const { taskId, assignee, attempts } = task;
    if (assignee === null) return;
    const key = keys.task(taskId, assignee);
    const isNew = conversations.get(key.text) === undefined;
    const earlierRunId = attempts > 1 ? runIdOf(taskId, attempts - 1) : null;
    const earlier = await this.#earlierTalk(task, key.text, cause);
    const message = {
      key,
      label: `${task.title} · ${of.title}`,
      runId,
      ...(await prompts.task(of, task, earlierRunId)),
      from: DIRECTOR,
      files: isNew ? await this.#files(of.attachments) : [],
      isPlain: true,
      form: "task",
      mode: "followup",
      ...(earlier.length > 0 && { earlier }),
    } as const;
    await this.#send(message);
  }

  async #earlierTalk(
    { taskId, forkedFrom, attempts }: Task,
    reader: string,
    { seq }: Entry,
  ): ReturnType<ReadForkedTalk> {
    const { readForkedTalk } = this.deps;
    if (attempts > 1) return readForkedTalk({ workspaceId: taskId, seq, reader });
    return forkedFrom === null ? [] : readForkedTalk(forkedFrom);
  }

  /** The same try has the same run, so that it is asked for once. */
  async #send(message: IncomingMessage): Promise<void> {
    const { runId } = message;
    const once = { id: runKey(runId), digest: "director" };
    const sent = await this.attempt(() => this.deps.intake.send(message, once));
    if (!sent.ok) throw new Fault("an agent could not be asked", { runId, code: sent.code });
  }

  async #stop(key: string, runId: string | null, reason: string): Promise<void> {
    if (runId !== null) await this.attempt(() => this.deps.intake.stop(key, runId, reason));
  }

  async stopWork({ taskId, runId }: Task, agentId: string | null, reason: string): Promise<void> {
    if (agentId === null) return;
    await this.#stop(this.deps.keys.task(taskId, agentId).text, runId, reason);
  }

  async stopPlan({ projectId, planRunId }: Project, reason: string): Promise<void> {
    await this.#stop(this.deps.keys.plan(projectId).text, planRunId, reason);
  }

  /** Whoever is on the way to the shelf gets there first. */
  async goHome(agentId: string, cause: Entry): Promise<void> {
    if (this.deps.walking.isDelivering(agentId)) return this.goHomeOnArrival(agentId);
    const goal = { kind: "go_to_poi", poiId: this.deps.homeOf(agentId) } as const;
    await this.walk(agentId, goal, cause);
  }

  /** From the shelf, unless something else came up on the way. */
  goHomeOnArrival(agentId: string): void {
    const { deadlines, walking, homeOf } = this.deps;
    const arrival = walking.arrivalOf(agentId);
    const goal = { kind: "go_to_poi", poiId: homeOf(agentId) } as const;
    deadlines.set(`home/${agentId}`, arrival, async () =>
      walking.hasDelivered(agentId)
        ? walking.send(agentId, goal, "delivered", `home:${agentId}:${arrival}`)
        : accept(undefined),
    );
  }

  async walk(
    agentId: string,
    goal: Parameters<AgentWalks["send"]>[1],
    cause: Entry,
  ): Promise<void> {
    const key = `react:${cause.seq}:walk:${agentId}`;
    const because = `${cause.type}@${cause.seq}`;
    await this.attempt(() => this.deps.walking.send(agentId, goal, because, key));
  }

  /**
   * The next task of someone who works on none. Rework comes before what is new: whoever wished for it
   * has waited already.
   */
  async startNext(agentId: string, cause: Entry): Promise<void> {
    const { projects, isAway } = this.deps;
    if (isAway(agentId)) return this.releaseAll(agentId, cause);
    const mine: { readonly of: Project; readonly task: Task }[] = [];
    for (const of of projects.list()) {
      if (of.status !== "executing") continue;
      for (const task of of.tasks) if (task.assignee === agentId) mine.push({ of, task });
    }
    // What is being checked is out of its hands.
    const isBusy = mine.some(
      ({ task: { status, isChecking } }) =>
        (status === "in_progress" && !isChecking) || status === "blocked",
    );
    const ready = mine.filter(
      ({ of, task }) => task.status === "assigned" && waitingFor(of, task).length === 0,
    );
    const next = ready.find(({ task }) => task.attempts > 0) ?? ready[0];
    if (isBusy || next === undefined) return;
    await this.start(next.of, next.task, cause);
  }

  /** What someone had who is gone is open again; what they have handed over is not touched. */
  async releaseAll(agentId: string, cause: Entry): Promise<void> {
    const reason = "whoever had it has left";
    for (const { projectId, tasks } of this.deps.projects.list()) {
      for (const { taskId } of tasks.filter(({ assignee }) => assignee === agentId)) {
        const release = { type: "release-task", taskId, agentId, reason } as const;
        await this.dispatch(projectId, release, cause, taskId);
      }
    }
  }

  /** What could not start before: what it waited for is done, given up, or no longer needed. */
  async startWaiting({ tasks }: Project, cause: Entry): Promise<void> {
    const assigned = tasks.filter(({ status }) => status === "assigned");
    for (const agentId of new Set(assigned.map(({ assignee }) => assignee))) {
      if (agentId !== null) await this.startNext(agentId, cause);
    }
  }

  async start({ projectId }: Project, { taskId, attempts }: Task, cause: Entry): Promise<void> {
    const runId = runIdOf(taskId, attempts + 1);
    await this.dispatch(projectId, { type: "start-task", taskId, runId }, cause, taskId);
  }

  /** What an earlier version left on its way to the shelf. */
  async deliverLeft({ projectId }: Project, taskId: string): Promise<void> {
    const { dispatch, clock } = this.deps;
    const deliver = { type: "deliver", taskId, poiId: DELIVERY_SHELF } as const;
    await this.attempt(() => dispatch(project, projectId, { ...deliver, at: clock.now() }));
  }

  /** When everyone who comes to the kickoff has been there for a moment; however far they have to go, it is soon. */
  meetingEndsAt({ participants }: Project): number {
    const { walking, clock, meetingMs } = this.deps;
    const now = clock.now();
    const gathering = walking.gatheringAt(MEETING_TABLE, participants);
    if (gathering === undefined) return now;
    return Math.min(gathering + meetingMs(), now + MAX_WAIT_MS);
  }

  tellPlanAt({ projectId }: Project, at: number): void {
    const { deadlines, dispatch, clock } = this.deps;
    deadlines.set(`plan/${projectId}`, at, () =>
      dispatch(project, projectId, { type: "tell-plan", at: clock.now() }),
    );
  }

  async #files(attachments: Project["attachments"]): Promise<readonly IncomingFile[]> {
    return Promise.all(
      attachments.map(async ({ name, mediaType, digest }) => {
        return { name, mediaType, bytes: await this.deps.blobs.get(digest) };
      }),
    );
  }
}

function isPassing(done: Outcome<unknown>): boolean {
  return !done.ok && REFUSALS[done.code].retry === "soon";
}

/** The same try has the same run, however often it is asked for. */
function runIdOf(taskId: string, attempt: number): string {
  return `run-${taskId}-${attempt}`;
}

export function planRunIdOf({ projectId, planAttempts }: Project): string {
  return `plan-${projectId}-${planAttempts + 1}`;
}

export function artifactsOf(of: Project, ids: readonly string[]): readonly Artifact[] {
  return of.artifacts.filter(({ artifactId }) => ids.includes(artifactId));
}
