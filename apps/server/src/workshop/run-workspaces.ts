/**
 * Gives each run its workspace, made by the first run that needs it:
 *
 *   run -> its task or build -> opened (log) -> repository, worktree (git) -> ready (log) -> moments
 *
 * Each step looks first and can be repeated, so a run after a crash goes on where the last one was. What the
 * log says of files is in git before.
 */
import {
  accept,
  describeRefusal,
  Fault,
  ownRepositoryId,
  refuse,
  workspace,
  workspaceIdOfKey,
  type Conversations,
  type Dispatch,
  type Outcome,
  type Refusal,
  type WorkspaceCommand,
  type WorkspacesProjection,
} from "@atrium/core";
import { untilAborted } from "../agents/turn/until-aborted.ts";
import { KeyedQueue } from "../platform/keyed-queue.ts";
import type { RunOrigin } from "../runs/run-driver.ts";
import type { RunMoment, RunWorkspace, WorkspaceOf, WorkspaceWait } from "../runs/run-workspace.ts";
import type { TreeMoment, Worktree } from "../workspaces/port/workspaces.ts";
import { createMakeWorktree, type MakeWorktree, type MakeWorktreeDeps } from "./make-worktree.ts";
import type { PrepareWorktree } from "./prepare-worktree.ts";
import { isWorkOver, workOf, type WorkOfRun, type WorkDeps } from "./work-of-run.ts";

export interface RunWorkspacesDeps extends WorkDeps, MakeWorktreeDeps {
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly conversations: Pick<Conversations, "get">;
  readonly prepare: PrepareWorktree;
  /** What becomes of the files of a build that is over, before they are taken away. */
  readonly handOver: (workspaceId: string) => Promise<Outcome<unknown>>;
  readonly dispatch: Dispatch;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

interface OpenedWorktree {
  readonly worktree: Worktree;
  /** What became of the repository's setup; null: it was not run now. */
  readonly preparation: string | null;
}

export class RunWorkspaces {
  readonly #deps: RunWorkspacesDeps;
  /** A workspace is held by one run at a time, or by whoever takes it away. */
  readonly #holds = new KeyedQueue();
  readonly #make: MakeWorktree;
  #isGitMissed = false;

  constructor(deps: RunWorkspacesDeps) {
    this.#deps = deps;
    this.#make = createMakeWorktree(deps);
  }

  readonly workspaceOf: WorkspaceOf = async (run, wait) => {
    const work = workOf(this.#deps, run);
    if (work === undefined) return accept(undefined);
    const release = await this.#hold(work.workspaceId, wait.signal);
    try {
      const opened = await this.#open(work, run, wait);
      if (opened.ok && opened.value !== undefined) {
        return accept(this.#held(work, opened.value, run, release));
      }
      release();
      return opened.ok ? accept(undefined) : opened;
    } catch (cause) {
      release();
      throw cause;
    }
  };

  /** The repository that an agent works in when it answers there; undefined: it works on no files. */
  repositoryOf(agentId: string, key: string): string | undefined {
    const work = workOf(this.#deps, { key, agentId, runId: null });
    if (work === undefined) return undefined;
    return this.#deps.rows.get(work.workspaceId)?.repositoryId ?? this.#repositoryOf(work);
  }

  /** Takes away what is no longer needed, once nobody works there; its moments stay. */
  async discard(workspaceId: string): Promise<void> {
    const release = await this.#hold(workspaceId);
    try {
      // It may have been taken up again meanwhile.
      if (!isWorkOver(this.#deps, workspaceId)) return;
      await this.#handOver(workspaceId);
      const written = await this.#dispatch(workspaceId, { type: "discard", by: null });
      if (!written.ok) {
        if (written.code === "workspace.missing") return;
        throw faultOf(workspaceId, written);
      }
      const removed = await (await this.#deps.workspaces()).removeWorktree(workspaceId);
      if (!removed.ok) throw faultOf(workspaceId, removed);
    } finally {
      release();
    }
  }

  /** Its moments stay, so what cannot be handed over now is not lost. */
  async #handOver(workspaceId: string): Promise<void> {
    const done = await this.#deps.handOver(workspaceId);
    if (!done.ok) this.#deps.note("a build was not handed over", { workspaceId, ...done });
  }

  /** Of all there are, those whose task or build ended while nobody could take them away. */
  async discardOver(): Promise<void> {
    const found = await (await this.#deps.workspaces()).listWorktrees();
    if (!found.ok) return;
    const over = found.value.filter(({ workspaceId }) => isWorkOver(this.#deps, workspaceId));
    for (const { workspaceId } of over) await this.discard(workspaceId);
  }

  /**
   * Of a conversation that is erased: the folder and all its moments, unless they were changed in another that is still
   * there. Waits for whoever works there.
   */
  async forget(key: string): Promise<void> {
    const workspaceId = workspaceIdOfKey(key) ?? "";
    const { rows, conversations } = this.#deps;
    if (rows.get(workspaceId) === undefined) return;
    const release = await this.#hold(workspaceId);
    try {
      const row = rows.get(workspaceId);
      const others = row?.talks.filter((talk) => talk.key !== key) ?? [];
      if (row === undefined || others.some((talk) => conversations.get(talk.key))) return;
      const written = await this.#dispatch(workspaceId, { type: "discard", by: null });
      if (!written.ok) throw faultOf(workspaceId, written);
      const workspaces = await this.#deps.workspaces();
      const forgotten = await workspaces.forgetMoments(row.repositoryId, workspaceId);
      if (!forgotten.ok) throw faultOf(workspaceId, forgotten);
    } finally {
      release();
    }
  }

  /** For whoever needs the files after a run: resolves when nobody works there any more. */
  hold(workspaceId: string): Promise<() => void> {
    return this.#hold(workspaceId);
  }

  /** For whoever changes files beside the runs; undefined while somebody works there. */
  async holdIfFree(workspaceId: string): Promise<(() => void) | undefined> {
    return this.#holds.isBusy(workspaceId) ? undefined : this.#hold(workspaceId);
  }

  /** Whoever stops waiting is out of the way when the turn comes to it. */
  async #hold(workspaceId: string, signal?: AbortSignal): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const wait = async (): Promise<void> => {
      held.resolve();
      await released.promise;
    };
    void this.#holds.run(workspaceId, wait);
    try {
      await (signal === undefined ? held.promise : untilAborted(signal, held.promise));
    } catch (cause) {
      released.resolve();
      throw cause;
    }
    return released.resolve;
  }

  /** Undefined: there is no git here, and the work can be done without. */
  async #open(
    work: WorkOfRun,
    run: RunOrigin,
    wait: WorkspaceWait,
  ): Promise<Outcome<OpenedWorktree | undefined>> {
    const { workspaceId, purpose, repository } = work;
    const workspaces = await this.#deps.workspaces();
    const git = await workspaces.probe();
    if (!git.ok) return repository === null ? this.#goWithout(git) : unusable(repository, git);
    const row = this.#deps.rows.get(workspaceId);
    const forkedFrom = row?.forkedFrom ?? work.forkedFrom;
    const repositoryId = row?.repositoryId ?? this.#repositoryOf(work);
    if (row === undefined || row.state === "failed" || row.state === "discarded") {
      const opening = { workspaceId, repositoryId, purpose, forkedFrom };
      const opened = await this.#dispatch(workspaceId, { type: "open", ...opening });
      if (!opened.ok) return opened;
    }
    const startedAt = this.#deps.now();
    const lineId = purpose.type === "task" ? purpose.projectId : null;
    const made = await this.#make({ workspaceId, repositoryId, forkedFrom, lineId });
    if (!made.ok) return this.#fail(work, made);
    const worktree = made.value;
    if (row?.state === "ready") return accept({ worktree, preparation: null });
    // What was given up and is taken up again starts from its newest files, not from the base.
    const start = await this.#moment(workspaceId, "start");
    if (!start.ok) return this.#fail(work, start);
    const { tree } = start.value;
    const ms = this.#deps.now() - startedAt;
    const base = worktree.commit;
    const setup = this.#deps.repositories.find(repositoryId)?.setup ?? [];
    // Before it is ready: cut off, it is prepared once more.
    const preparation =
      setup.length === 0 ? null : await this.#deps.prepare({ setup, worktree, run }, wait);
    wait.signal.throwIfAborted();
    const started = await this.#dispatch(workspaceId, { type: "start", base, tree, ms });
    if (!started.ok) return started;
    if (preparation !== null) {
      const prepared = await this.#record(workspaceId, run.runId, { cause: "setup" });
      if (!prepared.ok) return this.#fail(work, prepared);
    }
    return accept({ worktree, preparation });
  }

  /** A fork works where the files are that it starts from. */
  #repositoryOf({ forkedFrom, repository, ownerId }: WorkOfRun): string {
    const origin = forkedFrom === null ? undefined : this.#deps.rows.get(forkedFrom.workspaceId);
    return origin?.repositoryId ?? repository ?? ownRepositoryId(ownerId);
  }

  /** One that was ready stays so: the next run tries again. */
  async #fail({ workspaceId, repository }: WorkOfRun, why: Refusal): Promise<Refusal> {
    await this.#dispatch(workspaceId, { type: "fail", reason: describeRefusal(why) });
    return unusable(repository, why);
  }

  #goWithout(git: Refusal): Outcome<undefined> {
    if (!this.#isGitMissed) {
      this.#isGitMissed = true;
      this.#deps.note("tasks and builds work without files", { problem: describeRefusal(git) });
    }
    return accept(undefined);
  }

  #held(
    work: WorkOfRun,
    { worktree: { folder, store, programs }, preparation }: OpenedWorktree,
    { runId }: RunOrigin,
    release: () => void,
  ): RunWorkspace {
    const { workspaceId, purpose } = work;
    const isRestored = this.#deps.rows.get(workspaceId)?.isRestored === true;
    return {
      place: { folder, store, programs },
      env: environmentOf(purpose),
      briefing: briefingFor(folder, [isRestored ? RESTORED : null, preparation]),
      recordMoment: (moment) => this.#record(workspaceId, runId, moment),
      async [Symbol.asyncDispose]() {
        release();
      },
    };
  }

  async #record(
    workspaceId: string,
    runId: string | null,
    { cause, callId, paths }: RunMoment,
  ): Promise<Outcome<string>> {
    const label = [runId, callId ?? cause].filter((part) => part !== null).join(" ");
    const moment = await this.#moment(workspaceId, label, paths);
    if (!moment.ok) return moment;
    const { tree, isNew } = moment.value;
    if (cause === "tool" || !isNew) return accept(tree);
    const written = await this.#dispatch(workspaceId, { type: "record", tree, cause, runId });
    return written.ok ? accept(tree) : written;
  }

  async #moment(
    workspaceId: string,
    label: string,
    paths?: readonly string[],
  ): Promise<Outcome<TreeMoment>> {
    const workspaces = await this.#deps.workspaces();
    return workspaces.recordMoment(workspaceId, { label, paths, at: this.#deps.now() });
  }

  #dispatch(workspaceId: string, command: WorkspaceCommand) {
    return this.#deps.dispatch(workspace, workspaceId, command);
  }
}

function environmentOf(purpose: WorkOfRun["purpose"]): Readonly<Record<string, string>> {
  return purpose.type === "build"
    ? { ATRIUM_BUILD_ID: purpose.buildId }
    : { ATRIUM_PROJECT_ID: purpose.projectId, ATRIUM_TASK_ID: purpose.taskId };
}

const RESTORED =
  "A person has put the files back as they were at an earlier moment: what was changed after it, also by you, is not there any more.";

function briefingFor(folder: string, more: readonly (string | null)[]): string {
  return [
    `You work in the folder ${folder}, a git worktree that is yours alone.`,
    "Do not commit: what is in the folder when you finish is what you hand over.",
    "What was changed there before, by you or by whoever had the work, is shown by the tool `changes` if you have it, else by `git status` and `git diff`.",
    ...more.filter((text) => text !== null),
  ].join("\n");
}

function unusable(repository: string | null, why: Refusal): Refusal {
  const what = repository === null ? "The workspace" : `The repository ${repository}`;
  return refuse(why.code, `${what} cannot be used: ${describeRefusal(why)}`);
}

function faultOf(workspaceId: string, why: Refusal): Fault {
  return new Fault("a workspace was not taken away", { workspaceId, why: describeRefusal(why) });
}
