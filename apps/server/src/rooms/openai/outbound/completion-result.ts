/** A part of a run, or its end, as a completion or as an error. */
import { roundCost, wholeCost, type Usage } from "@atrium/core";
import { own } from "@atrium/wire";
import type { CompletionUsage, FinishReason } from "@atrium/wire/openai";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ClientCall } from "../../../runs/client-calls/kept-calls.ts";
import { fail, ok, problem, type OpenaiError, type Result } from "./problem.ts";
import type { PartStart, RunPart } from "./run-parts.ts";

export interface CompletionResult {
  readonly text: string;
  /** That the client is to make. */
  readonly calls: readonly ClientCall[];
  readonly finishReason: FinishReason;
  readonly usage: CompletionUsage;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
}

const LOST: OpenaiError = problem(500, "The run was lost.", { code: "run.missing" });

const NO_CALL: OpenaiError = problem(
  500,
  "The agent answered without a call, and `tool_choice` demands one. Ask again, or use `auto`.",
  { code: "tool_choice_unmet" },
);

export const CLOSING: OpenaiError = problem(503, "The server is shutting down. Retry shortly.", {
  code: "closing",
  mayRetry: true,
});

/** The message was accepted, so no error here lets the client retry by itself. */
export function answerOf({ status, start, pause }: RunPart): Result<CompletionResult> {
  if (status === undefined) return fail(LOST);
  const { requestedAt } = status.row;
  if (pause !== undefined) {
    const { calls } = pause;
    const usage = usageOf(pause.usage, start);
    const text = textOf(pause.text);
    return ok({ text, calls, finishReason: "tool_calls", usage, requestedAt });
  }
  const { ended } = status;
  if (ended === undefined) return fail(LOST);
  switch (ended.type) {
    case "run.completed":
      return ok({
        text: start.textLength === 0 ? ended.text : textOf(ended.text.slice(start.textLength)),
        calls: [],
        finishReason: ended.stopReason === "stop" ? "stop" : "length",
        usage: usageOf(ended.usage, start),
        requestedAt,
      });
    case "run.aborted":
      return fail(problem(409, `The run was stopped: ${ended.reason}.`, { code: "run.aborted" }));
    case "run.failed":
      return fail(failureProblem(ended.kind, ended.reason));
  }
}

/** A client that wants a call cannot do anything with words. */
export function demandCall(result: Result<CompletionResult>): Result<CompletionResult> {
  return result.ok && result.value.calls.length === 0 ? fail(NO_CALL) : result;
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

/** What is said after calls begins a paragraph of its own, which its client does not see the one before of. */
export function textOf(part: string): string {
  return part.replace(/^\n+/, "");
}

/** Of the part alone: the client was told of what was before it. */
function usageOf(usage: Usage, { usage: before }: PartStart): CompletionUsage {
  const { inputTokens, outputTokens, cachedInputTokens: cached } = usage;
  const cost = wholeCost(usage);
  const input = Math.max(0, inputTokens - before.inputTokens);
  const output = Math.max(0, outputTokens - before.outputTokens);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && {
      prompt_tokens_details: {
        cached_tokens: Math.max(0, cached - (before.cachedInputTokens ?? 0)),
      },
    }),
    ...(cost !== undefined && { cost: Math.max(0, roundCost(cost - (before.cost ?? 0))) }),
  };
}
