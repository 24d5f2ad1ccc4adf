/** The end of a run as a completion or as an error. */
import type { Usage } from "@atrium/core";
import { own } from "@atrium/wire";
import type { CompletionUsage, FinishReason } from "@atrium/wire/openai";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { RunStatus } from "../../../runs/run-statuses.ts";
import { fail, ok, problem, type OpenaiError, type Result } from "./problem.ts";

export interface CompletionResult {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: CompletionUsage;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
}

export const CLOSING: OpenaiError = problem(503, "The server is shutting down. Retry shortly.", {
  code: "closing",
  mayRetry: true,
});

/** The message was accepted, so no error here lets the client retry by itself. */
export function answerOf(report: RunStatus | undefined): Result<CompletionResult> {
  const ended = report?.ended;
  if (report === undefined || ended === undefined) {
    return fail(problem(500, "The run was lost.", { code: "run.missing" }));
  }
  switch (ended.type) {
    case "run.completed":
      return ok({
        text: ended.text,
        finishReason: ended.stopReason === "stop" ? "stop" : "length",
        usage: usageOf(ended.usage),
        requestedAt: report.row.requestedAt,
      });
    case "run.aborted":
      return fail(problem(409, `The run was stopped: ${ended.reason}.`, { code: "run.aborted" }));
    case "run.failed":
      return fail(failureProblem(ended.kind, ended.reason));
  }
}

/** By the kind of failure. */
const FAILURES: Readonly<Record<string, readonly [status: ContentfulStatusCode, code: string]>> = {
  refusal: [400, "content_filter"],
  context_length: [400, "context_length_exceeded"],
  rate_limit: [429, "rate_limit_exceeded"],
  budget: [429, "insufficient_quota"],
  unavailable: [503, "unavailable"],
  timeout: [504, "timeout"],
};

function failureProblem(kind: string, reason: string): OpenaiError {
  const [status, code] = own(FAILURES, kind) ?? [500, "run.failed"];
  return problem(status, reason, { code });
}

function usageOf({ inputTokens, outputTokens, cachedInputTokens }: Usage): CompletionUsage {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && {
      prompt_tokens_details: { cached_tokens: cachedInputTokens },
    }),
  };
}
