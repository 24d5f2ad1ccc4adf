/** Runs the checks of a build on what its turn has left: sealed first, then checked as changes of tasks are. */
import {
  describeRefusal,
  type BuildCheck,
  type CheckResult,
  type WorkspacesProjection,
} from "@atrium/core";
import type { CheckBuild } from "../../builds/build-checks.ts";
import type { Blobs } from "../../platform/blobs.ts";
import { asChangeCheck } from "../checks/checks-of.ts";
import type { RunChecks } from "../checks/run-checks.ts";
import type { SealBuild } from "./seal-build.ts";

export interface CheckBuildDeps {
  readonly sealBuild: SealBuild;
  readonly runChecks: RunChecks;
  readonly rows: Pick<WorkspacesProjection, "get">;
  /** Waits until nobody works there. */
  readonly hold: (workspaceId: string) => Promise<() => void>;
  readonly blobs: Pick<Blobs, "get">;
}

const MAX_TAIL_CHARS = 10_000;

export function createCheckBuild(deps: CheckBuildDeps): CheckBuild {
  const { sealBuild, runChecks, rows, hold, blobs } = deps;

  async function sealed(buildId: string): ReturnType<SealBuild> {
    const release = await hold(buildId);
    try {
      return await sealBuild(buildId);
    } finally {
      release();
    }
  }

  /** The end of what it wrote. */
  async function tailOf(buildId: string, { checkId }: CheckResult): Promise<string> {
    const check = rows.get(buildId)?.checks.find((each) => each.checkId === checkId);
    const output = check?.end?.output ?? null;
    const text = output === null ? "" : (await blobs.get(output.digest)).toString("utf8").trim();
    return text.length <= MAX_TAIL_CHARS ? text : `[…]\n${text.slice(-MAX_TAIL_CHARS)}`;
  }

  return async ({ id, checks = [], conversationKey: key, agentId, turn }, signal) => {
    const change = await sealed(id);
    const repositoryId = rows.get(id)?.repositoryId;
    if (!change.ok) return { results: [], problem: describeRefusal(change) };
    if (change.value === undefined || repositoryId === undefined) {
      return { results: [], problem: "The build has no files." };
    }
    const { commit, tree } = change.value;
    const results = await runChecks({
      workspaceId: id,
      repositoryId,
      commit,
      tree,
      checks: checks.map(({ name, command, required }: BuildCheck) => {
        return asChangeCheck({ name, command, required });
      }),
      run: { key, runId: turn.runId, agentId },
      signal,
    });
    const tailed = results.map(async (result) => {
      const { checkId, name, isRequired: required, verdict, exitCode, ms } = result;
      return { checkId, name, required, verdict, exitCode, ms, tail: await tailOf(id, result) };
    });
    return { results: await Promise.all(tailed), problem: null };
  };
}
