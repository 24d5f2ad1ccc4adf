/**
 * When the files of a run are recorded: before it begins, after every tool that may have written, and at
 * its end. One that cannot be recorded costs nothing but itself: it is said in the run and reported.
 */
import { describeRefusal, Fault, refuse, type Refusal } from "@atrium/core";
import type { LiveEvent } from "./live-runs.ts";
import type { RunMoment, RunWorkspace } from "./run-workspace.ts";

export interface RunMoments {
  begin(): Promise<void>;
  /** The tree of all files now; undefined where none is needed or there is none. */
  afterTool(callId: string, wrote: readonly string[] | undefined): Promise<string | undefined>;
  end(): Promise<void>;
}

interface RunMomentsDeps {
  readonly runId: string;
  readonly publish: (event: LiveEvent) => void;
  readonly report: (fault: Fault) => void;
}

export function createRunMoments(
  workspace: Pick<RunWorkspace, "recordMoment"> | undefined,
  { runId, publish, report }: RunMomentsDeps,
): RunMoments {
  async function record(moment: RunMoment): Promise<string | undefined> {
    if (workspace === undefined) return undefined;
    const tree = await workspace.recordMoment(moment).catch(refusalOf);
    if (tree.ok) return tree.value;
    const why = describeRefusal(tree);
    publish({ type: "progress", text: `The files as they are now could not be recorded: ${why}` });
    report(new Fault("the files of a moment were not recorded", { runId, ...moment, why }));
    return undefined;
  }

  return {
    async begin() {
      await record({ cause: "person" });
    },
    async afterTool(callId, wrote) {
      if (wrote?.length === 0) return undefined;
      return record({ cause: "tool", callId, ...(wrote !== undefined && { paths: wrote }) });
    },
    async end() {
      await record({ cause: "turn" });
    },
  };
}

function refusalOf(cause: unknown): Refusal {
  return refuse("internal", cause instanceof Error ? cause.message : String(cause));
}
