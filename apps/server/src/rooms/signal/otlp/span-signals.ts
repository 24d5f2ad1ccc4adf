/**
 * A span as signals, by OpenTelemetry's conventions for generative AI. Pure.
 *
 *   chat, text_completion, generate_content   thinking, its words, token_usage
 *   execute_tool                              tool_call, tool_result
 *   invoke_agent, invoke_workflow             thinking, then one completion
 *
 * A failed span is an error besides; a span that is about something else is nobody's work here. The ids of signals
 * follow from the span's, so that an export that is sent again counts once.
 */
import type { SignalPayloadMap, WellKnownSignalType } from "@atrium/wire/signal";
import { textOf, type Attributes, type Span } from "./span.ts";

interface SpanSignal {
  readonly id: string;
  readonly type: string;
  readonly timestamp: number;
  readonly source: string;
  readonly correlationId: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

type Emit = <Name extends WellKnownSignalType>(
  type: Name,
  timestamp: number,
  payload: SignalPayloadMap[Name],
) => SpanSignal;

const MAX_NAME_CHARS = 200;

export function signalsOfSpan(span: Span): readonly SpanSignal[] {
  const { attributes, hasFailed, startMs, endMs } = span;
  const emit = createEmit(span);
  const agentId = agentOf(span);
  const states = (from: "idle" | "thinking", to: "thinking" | "done" | "error", at: number) =>
    emit("agent_state_change", at, { agentId, from, to });
  // In the order in which they are made, because that numbers them.
  const end = () => states("thinking", hasFailed ? "error" : "done", endMs);
  const failure = () => (hasFailed ? [emit("error", endMs, errorOf(span, agentId))] : []);
  switch (textOf(attributes, "gen_ai.operation.name") ?? "") {
    case "chat":
    case "text_completion":
    case "generate_content": {
      const content = wordsIn(attributes);
      const usage = usageIn(attributes);
      return [
        states("idle", "thinking", startMs),
        ...(content === "" ? [] : [emit("text_delta", endMs, { agentId, content })]),
        ...(usage === undefined ? [] : [emit("token_usage", endMs, { agentId, ...usage })]),
        ...failure(),
        ...(hasFailed ? [end()] : []),
      ];
    }
    case "execute_tool":
      return [...toolSignals(span, agentId, emit), ...failure()];
    case "invoke_agent":
    case "invoke_workflow":
      return [
        states("idle", "thinking", startMs),
        ...failure(),
        emit("completion", endMs, { taskId: span.spanId, success: !hasFailed, agentId }),
        end(),
      ];
    default:
      return [];
  }
}

function createEmit(span: Span): Emit {
  const { traceId, spanId, name, service = "unknown", attributes } = span;
  const source = `otel:${service.slice(0, MAX_NAME_CHARS)}`;
  const conversation = textOf(attributes, "gen_ai.conversation.id")?.slice(0, MAX_NAME_CHARS);
  const metadata = { traceId, spanId, span: name.slice(0, MAX_NAME_CHARS) };
  let count = 0;
  return (type, timestamp, payload) => {
    count += 1;
    const id = `${traceId}:${spanId}:${count}`;
    const about = { id, type, timestamp, source, correlationId: conversation ?? traceId };
    return { ...about, metadata, payload };
  };
}

function agentOf({ attributes, service }: Span): string {
  const name = textOf(attributes, "gen_ai.agent.name", "gen_ai.agent.id") ?? service ?? "otel";
  return name.slice(0, MAX_NAME_CHARS);
}

function errorOf({ attributes, message, name }: Span, agentId: string): SignalPayloadMap["error"] {
  const code = textOf(attributes, "error.type");
  const text = message === "" ? (code ?? `${name} failed`) : message;
  return { message: text, severity: "error", agentId, ...(code !== undefined && { code }) };
}

function toolSignals(span: Span, agentId: string, emit: Emit): readonly SpanSignal[] {
  const { attributes, hasFailed, startMs, endMs } = span;
  const callId = textOf(attributes, "gen_ai.tool.call.id");
  const toolName = textOf(attributes, "gen_ai.tool.name") ?? span.name;
  const tool = { toolName, agentId, ...(callId !== undefined && { callId }) };
  const input = objectOf(attributes.get("gen_ai.tool.call.arguments"));
  const output = objectOf(attributes.get("gen_ai.tool.call.result"));
  return [
    emit("tool_call", startMs, { ...tool, ...(input !== undefined && { input }) }),
    emit("tool_result", endMs, {
      ...tool,
      success: !hasFailed,
      ...(output !== undefined && { output }),
    }),
  ];
}

/** Conventions of today first, then those of earlier versions. */
function usageIn(
  attributes: Attributes,
): { promptTokens: number; completionTokens: number; model?: string } | undefined {
  const count = (...names: readonly string[]): number | undefined =>
    names
      .map((name) => attributes.get(name))
      .filter((value) => typeof value === "number")
      .find((value) => Number.isSafeInteger(value) && value >= 0);
  const promptTokens = count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens");
  const completionTokens = count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens");
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const model = textOf(attributes, "gen_ai.response.model", "gen_ai.request.model");
  const tokens = { promptTokens: promptTokens ?? 0, completionTokens: completionTokens ?? 0 };
  return { ...tokens, ...(model !== undefined && { model }) };
}

/** What the model said, where the producer records it: as JSON in a text, or as it is. */
function wordsIn(attributes: Attributes): string {
  const messages = parsed(attributes.get("gen_ai.output.messages"));
  const parts = listOf(messages).flatMap((message) => listOf(fieldOf(message, "parts")));
  const texts = parts.map((part) => fieldOf(part, "content"));
  return texts.filter((text) => typeof text === "string").join("\n");
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  const read = parsed(value) ?? value;
  const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
  return isObject ? { ...read } : { value: read };
}
