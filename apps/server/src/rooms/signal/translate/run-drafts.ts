/** What happens in a conversation, as signals. */
import { wholeCost, type ConversationEvent, type RunUnderWay } from "@atrium/core";
import { truncate, MAX_SUMMARY_CHARS, type SignalDraft } from "./signal-draft.ts";

const MAX_OUTPUT_CHARS = 16_000;

export function runDrafts(
  event: ConversationEvent,
  agentId: string,
  run: RunUnderWay | undefined,
): readonly SignalDraft[] {
  switch (event.type) {
    case "run.requested": {
      const { runId: taskId, text, from } = event;
      const description = truncate(text, MAX_SUMMARY_CHARS);
      const payload = { taskId, from: from.name ?? from.clientId, to: agentId, description };
      return [{ type: "task_dispatch", payload }];
    }
    case "run.tool.called": {
      const { name: toolName, callId, input } = event;
      return [
        { type: "tool_call", payload: { toolName, agentId, callId, input: objectOf(input) } },
      ];
    }
    case "run.tool.returned": {
      const { name: toolName, callId, text, isError } = event;
      const output = { text: truncate(text, MAX_OUTPUT_CHARS) };
      const payload = { toolName, agentId, success: !isError, callId, output };
      return [{ type: "tool_result", payload }];
    }
    case "run.delivered": {
      const { artifactId, name, mediaType, bytes, digest } = event;
      return [
        { type: "artifact", payload: { agentId, artifactId, name, mediaType, bytes, digest } },
      ];
    }
    case "message.injected":
      return [{ type: "text_delta", payload: { agentId, content: event.text } }];
    case "run.merged": {
      const result = `answered by ${event.into}`;
      const payload = { taskId: event.runId, success: true, agentId, result };
      return [{ type: "completion", payload }];
    }
    case "run.completed":
    case "run.failed":
    case "run.aborted":
      return endDrafts(event, agentId, run);
    case "run.started":
    case "run.stopping":
    case "run.compacted":
    case "run.session.named":
    case "run.calls.requested":
    case "run.calls.answered":
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
      return [];
  }
}

type Ended = Extract<
  ConversationEvent,
  { readonly type: "run.completed" | "run.failed" | "run.aborted" }
>;

function endDrafts(
  event: Ended,
  agentId: string,
  run: RunUnderWay | undefined,
): readonly SignalDraft[] {
  const { runId: taskId, text, usage } = event;
  const { inputTokens: promptTokens, outputTokens: completionTokens } = usage;
  const drafts: SignalDraft[] = [];
  if (text !== "") {
    drafts.push({ type: "text_delta", payload: { agentId, content: text }, isKept: true });
  }
  if (promptTokens + completionTokens > 0) {
    const model = run === undefined ? {} : { model: run.model };
    const cost = wholeCost(usage);
    const priced = cost === undefined ? {} : { cost };
    const payload = { agentId, promptTokens, completionTokens, ...model, ...priced };
    drafts.push({ type: "token_usage", payload });
  }
  if (event.type === "run.failed") {
    const { reason: message, kind: code } = event;
    drafts.push({ type: "error", payload: { message, severity: "error", agentId, code } });
  }
  const success = event.type === "run.completed";
  const result = truncate(event.type === "run.completed" ? text : event.reason, MAX_SUMMARY_CHARS);
  drafts.push({ type: "completion", payload: { taskId, success, agentId, result } });
  return drafts;
}

function objectOf(input: unknown): Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return { value: input };
  return { ...input };
}
