/**
 * Runs the checks of a change: confined, one after the other, in a clean folder of its commit.
 *
 *   checks -> known for these files? -> clean folder, prepared once -> started (log) -> output, live -> blob -> finished (log)
 *
 * What a check said of the same files is not asked again. Aborted, it rejects, and what has not ended runs
 * the next time.
 */
import { createHash } from "node:crypto";
import {
  accept,
  describeRefusal,
  Fault,
  retryWhileBusy,
  workspace,
  type CheckResult,
  type Dispatch,
  type Outcome,
  type WorkspaceCommand,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Blobs } from "../../platform/blobs.ts";
import { sleep } from "../../platform/timers.ts";
import type { ChangeCheck } from "../../projects/work/changes.ts";
import type { RepositoryCatalog } from "../../repositories/repository-catalog.ts";
import type { RunOrigin } from "../../runs/run-driver.ts";
import type { Checkout } from "../../workspaces/port/landing.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import type { PrepareWorktree } from "../prepare-worktree.ts";
import { NOT_RUN, runConfined, type CheckPlace, type ConfinedCheckDeps } from "./run-confined.ts";

export interface CheckedCommit {
  /** Whose results they are: a task's or a build's. */
  readonly workspaceId: string;
  readonly repositoryId: string;
  readonly commit: string;
  readonly tree: string;
}

export interface CheckRequest extends CheckedCommit {
  readonly checks: readonly ChangeCheck[];
  /** In whose name people are asked. */
  readonly run: RunOrigin;
  readonly signal: AbortSignal;
}

export type RunChecks = (request: CheckRequest) => Promise<readonly CheckResult[]>;

/** Whoever watches a check while it runs. */
export interface CheckWatch {
  begin(checkId: string, workspaceId: string): void;
  add(checkId: string, text: string): void;
  end(checkId: string): void;
}

export interface RunChecksDeps extends ConfinedCheckDeps {
  readonly dispatch: Dispatch;
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly use: () => Promise<Pick<Workspaces, "openCheckout">>;
  readonly prepare: PrepareWorktree;
  readonly repositories: Pick<RepositoryCatalog, "find">;
  readonly blobs: Pick<Blobs, "put">;
  readonly live: CheckWatch;
}

export function createRunChecks(deps: RunChecksDeps): RunChecks {
  const { rows, use, repositories, prepare } = deps;

  function known(request: CheckRequest, check: ChangeCheck): CheckResult | undefined {
    const found = rows
      .get(request.workspaceId)
      ?.checks.findLast(
        ({ checkedTree, name, command }) =>
          checkedTree === request.tree && name === check.name && command === check.command,
      );
    if (found?.end?.verdict !== "passed" && found?.end?.verdict !== "failed") return undefined;
    const { verdict, exitCode, ms } = found.end;
    const { checkId } = found;
    return { checkId, name: check.name, isRequired: check.isRequired, verdict, exitCode, ms };
  }

  /** Resolves with what became of the repository's setup. */
  async function prepared(request: CheckRequest, checkout: Checkout): Promise<string> {
    const { repositoryId, run, signal } = request;
    const setup = repositories.find(repositoryId)?.setup ?? [];
    if (setup.length === 0) return "";
    const report = await prepare(
      { setup, worktree: checkout, run },
      { signal, progress: () => undefined },
    );
    return `${report}\n`;
  }

  return async (request) => {
    await using stack = new AsyncDisposableStack();
    let place: Promise<Outcome<CheckPlace>> | undefined;
    const open = async (): Promise<Outcome<CheckPlace>> => {
      const opened = await (await use()).openCheckout(request.repositoryId, request.commit);
      if (!opened.ok) return opened;
      const checkout = stack.use(opened.value);
      return accept({ checkout, preparation: await prepared(request, checkout) });
    };
    const results: CheckResult[] = [];
    for (const check of request.checks) {
      request.signal.throwIfAborted();
      const before = known(request, check);
      if (before === undefined) place ??= open();
      results.push(before ?? (await runCheck(deps, request, check, await place)));
    }
    return results;
  };
}

/** The same for the same check of the same files, so that it can be found while it runs. */
function checkIdOf({ workspaceId, tree }: CheckRequest, { name, command }: ChangeCheck): string {
  const hash = createHash("sha256").update([workspaceId, tree, name, command].join("\0"));
  return `chk_${hash.digest("hex").slice(0, 24)}`;
}

async function runCheck(
  deps: RunChecksDeps,
  request: CheckRequest,
  check: ChangeCheck,
  place: Outcome<CheckPlace> | undefined,
): Promise<CheckResult> {
  const { live } = deps;
  const { workspaceId, tree: checkedTree, commit, signal } = request;
  const checkId = checkIdOf(request, check);
  const { name, command, isRequired } = check;
  const about = { checkId, name, command, isRequired, checkedTree };
  await tell(deps, workspaceId, { type: "start-check", ...about, commit });
  live.begin(checkId, workspaceId);
  try {
    const ran =
      place?.ok === true
        ? await runConfined(deps, check, {
            ...place.value,
            run: request.run,
            signal,
            onText: (text) => live.add(checkId, text),
          })
        : { ...NOT_RUN, text: place === undefined ? "" : describeRefusal(place) };
    signal.throwIfAborted();
    const { verdict, exitCode, ms } = ran;
    const bytes = Buffer.from(ran.text);
    const digest = bytes.length === 0 ? undefined : await deps.blobs.put(bytes);
    const output = digest === undefined ? null : { digest, bytes: bytes.length };
    const end = { verdict, exitCode, ms, output };
    await tell(deps, workspaceId, { type: "finish-check", ...about, ...end });
    return { checkId, name, isRequired, verdict, exitCode, ms };
  } finally {
    live.end(checkId);
  }
}

async function tell(
  { dispatch }: Pick<RunChecksDeps, "dispatch">,
  workspaceId: string,
  command: WorkspaceCommand,
): Promise<void> {
  const done = await retryWhileBusy(() => dispatch(workspace, workspaceId, command), { sleep });
  if (!done.ok) throw new Fault("a check was not written down", { workspaceId, ...done });
}
