/**
 * The checks of builds, in the background: one job for each build whose turn is over, until the build knows
 * the results. Killed in between, the next life runs them again.
 */
import {
  build,
  Fault,
  retryWhileBusy,
  type BuildCommand,
  type Dispatch,
  type RetryDeps,
  type StartedBuild,
} from "@atrium/core";

export type CheckedBuild = Pick<
  Extract<BuildCommand, { readonly type: "finish-checks" }>,
  "results" | "problem"
>;

/** On what the build's turn has left. Rejects when it is aborted. */
export type CheckBuild = (of: StartedBuild, signal: AbortSignal) => Promise<CheckedBuild>;

export interface BuildChecksDeps {
  readonly checkBuild: CheckBuild;
  readonly dispatch: Dispatch;
  readonly sleep: RetryDeps["sleep"];
  readonly report: (fault: Fault) => void;
}

const BROKEN = { results: [], problem: "The server could not run them; its journal says why." };

export class BuildChecks {
  readonly #deps: BuildChecksDeps;
  readonly #jobs = new Map<string, AbortController>();

  constructor(deps: BuildChecksDeps) {
    this.#deps = deps;
  }

  /** Again is as once. */
  start(of: StartedBuild): void {
    if (this.#jobs.has(of.id)) return;
    const job = new AbortController();
    this.#jobs.set(of.id, job);
    void this.#run(of, job.signal).finally(() => {
      if (this.#jobs.get(of.id) === job) this.#jobs.delete(of.id);
    });
  }

  stop(id: string): void {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    job?.abort(new Fault("the checks were stopped", { id }));
  }

  close(): void {
    for (const id of this.#jobs.keys()) this.stop(id);
  }

  async #run(of: StartedBuild, signal: AbortSignal): Promise<void> {
    const { checkBuild, dispatch, sleep, report } = this.#deps;
    const { id, turn } = of;
    const broken = (cause: unknown): CheckedBuild => {
      if (!signal.aborted) report(new Fault("a build could not be checked", { id }, cause));
      return BROKEN;
    };
    const checked = await checkBuild(of, signal).catch(broken);
    if (signal.aborted) return;
    const command = { type: "finish-checks", runId: turn.runId, ...checked } as const;
    await retryWhileBusy(() => dispatch(build, id, command), { sleep, signal }).catch(broken);
  }
}
