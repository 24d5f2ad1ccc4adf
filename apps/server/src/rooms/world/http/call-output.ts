/**
 * All that a tool returned: of what the log shows a part, the whole that is kept beside it; of a call that is still at
 * work, the end of what it has put out so far.
 */
import { findToolResult, refuse } from "@atrium/core";
import type { Endpoint } from "../../../http/api.ts";
import { refusal } from "../../../http/problem.ts";
import { untrustedContent, untrustedText, type ReadBlob } from "../../../http/untrusted-content.ts";
import type { LiveRuns } from "../../../runs/live-runs.ts";
import type { RunStatuses } from "../../../runs/run-statuses.ts";
import type { LogReader } from "../translate/log-reader.ts";

export interface CallOutputDeps {
  readonly log: Pick<LogReader, "read">;
  /** Knows also runs that ended long ago. */
  readonly reports: Pick<RunStatuses, "get">;
  readonly blobs: { readonly get: ReadBlob };
  readonly live: Pick<LiveRuns, "get">;
}

export function createCallOutput({ log, reports, blobs, live }: CallOutputDeps): Endpoint {
  return async (request) => {
    const { id = "", call = "" } = request.path;
    const soFar = live.get(id)?.outputs.get(call);
    if (soFar !== undefined) return untrustedText(soFar);
    const run = await reports.get(id);
    if (run === undefined) return refusal(refuse("run.missing", id));
    const result = await findToolResult(log, run.row, call);
    if (result === undefined) return refusal(refuse("call.missing", call));
    const { text, output } = result;
    if (output === undefined) return untrustedText(text);
    return untrustedContent(request, { name: "output", digest: output.digest }, blobs.get);
  };
}
