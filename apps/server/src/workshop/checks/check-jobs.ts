/**
 * The checks of changes, in the background: one job for each task, from the entry that started it until the
 * project knows the results. Killed in between, the next life begins where the log is; what a check has said
 * of the same files is not asked again.
 */
import {
  Fault,
  project,
  retryWhileBusy,
  type Artifact,
  type CheckResult,
  type Clock,
  type Dispatch,
  type Project,
  type Projects,
  type RetryDeps,
  type Task,
  type WorkspacesProjection,
} from "@atrium/core";
import type { ChangeChecks } from "../../projects/work/changes.ts";
import { DELIVERY_SHELF } from "../../projects/work/places.ts";
import type { WorkKeys } from "../../projects/work/work-keys.ts";
import type { ChecksOf } from "./checks-of.ts";
import type { RunChecks } from "./run-checks.ts";

export interface CheckJobsDeps {
  readonly dispatch: Dispatch;
  readonly projects: Pick<Projects, "get">;
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly checksOf: ChecksOf;
  readonly runChecks: RunChecks;
  readonly keys: Pick<WorkKeys, "task">;
  readonly clock: Clock;
  readonly sleep: RetryDeps["sleep"];
  readonly report: (fault: Fault) => void;
}

interface Checked {
  readonly of: Project;
  readonly task: Task;
  readonly artifact: Artifact;
}

interface Job {
  readonly version: number;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export class CheckJobs implements ChangeChecks, AsyncDisposable {
  readonly #deps: CheckJobsDeps;
  readonly #jobs = new Map<string, Job>();
  #isClosed = false;

  constructor(deps: CheckJobsDeps) {
    this.#deps = deps;
  }

  start(projectId: string, taskId: string): void {
    const found = this.#find(projectId, taskId);
    const version = found?.artifact.version;
    if (this.#isClosed || found === undefined || version === undefined) return;
    if (this.#jobs.get(taskId)?.version === version) return;
    this.stop(taskId);
    const stop = new AbortController();
    const job = { version, stop, done: this.#run(found, stop.signal) };
    this.#jobs.set(taskId, job);
    void job.done.finally(() => {
      if (this.#jobs.get(taskId) === job) this.#jobs.delete(taskId);
    });
  }

  stop(taskId: string): void {
    const job = this.#jobs.get(taskId);
    this.#jobs.delete(taskId);
    job?.stop.abort(new Fault("the checks were stopped", { taskId }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const jobs = [...this.#jobs.values()];
    for (const taskId of this.#jobs.keys()) this.stop(taskId);
    await Promise.all(jobs.map(({ done }) => done));
  }

  #find(projectId: string, taskId: string): Checked | undefined {
    const of = this.#deps.projects.get(projectId);
    const task = of?.tasks.find((each) => each.taskId === taskId);
    const artifact = of?.artifacts.find(
      (each) => each.taskId === taskId && each.checks?.state === "running",
    );
    return of && task && artifact && { of, task, artifact };
  }

  async #run(checked: Checked, signal: AbortSignal): Promise<void> {
    const { taskId } = checked.task;
    try {
      const results = await this.#results(checked, signal);
      if (!signal.aborted) await this.#tell(checked, results);
    } catch (cause) {
      if (signal.aborted) return;
      this.#deps.report(new Fault("a change could not be checked", { taskId }, cause));
      await this.#tell(checked, failing(checked)).catch((again: unknown) =>
        this.#deps.report(
          new Fault("that it could not be checked was not told", { taskId }, again),
        ),
      );
    }
  }

  async #results(
    { task: { taskId, runId, assignee }, artifact }: Checked,
    signal: AbortSignal,
  ): Promise<readonly CheckResult[]> {
    const { rows, checksOf, runChecks, keys } = this.#deps;
    const change = artifact.versions.at(-1)?.change;
    const repositoryId = rows.get(taskId)?.repositoryId;
    if (change === undefined || repositoryId === undefined) return [];
    const names = new Set(artifact.checks?.names);
    const agentId = assignee ?? "";
    return runChecks({
      workspaceId: taskId,
      repositoryId,
      commit: change.commit,
      tree: change.tree,
      checks: checksOf(taskId).filter(({ name }) => names.has(name)),
      run: { key: keys.task(taskId, agentId).text, runId, agentId },
      signal,
    });
  }

  async #tell({ of, artifact }: Checked, results: readonly CheckResult[]): Promise<void> {
    const { dispatch, clock, sleep } = this.#deps;
    const { artifactId, version } = artifact;
    const { projectId } = of;
    const about = { artifactId, version, results, poiId: DELIVERY_SHELF };
    const command = { type: "finish-checks", at: clock.now(), ...about } as const;
    const once = { id: `checks:${artifactId}:${version}`, digest: projectId };
    // A refusal that stays means that nobody waits for them any more.
    await retryWhileBusy(() => dispatch(project, projectId, command, once), { sleep });
  }
}

function failing({ artifact }: Checked): readonly CheckResult[] {
  return (artifact.checks?.names ?? []).map((name) => {
    return { checkId: "", name, isRequired: true, verdict: "error", exitCode: null, ms: 0 };
  });
}
