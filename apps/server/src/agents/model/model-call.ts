/**
 * One call of a model through the AI SDK: messages and tools in, a stream of parts out.
 *
 * The SDK is large, so it is loaded when the first call is made and not before. Of what it offers we use
 * the single call; steps, retries, time limits and tools are ours (model.ts), because they go through
 * the turn's host.
 */
import type { LanguageModel, LanguageModelStreamPart, ModelMessage, ToolChoice, ToolSet } from "ai";
import type { ToolDeclaration } from "../turn/agent-runtime.ts";
import type { ModelSettings } from "./model-settings.ts";
import { markedInstructions, markedMessages } from "./prompt-caching.ts";

export type ModelPart = LanguageModelStreamPart;

export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

export interface CallRequest {
  readonly model: string;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly effort: Effort | undefined;
  /** Tools, one of which must be called; empty or left out: it chooses. */
  readonly mustCall?: readonly string[];
  readonly signal: AbortSignal;
}

export type ModelCall = (request: CallRequest) => Promise<ReadableStream<ModelPart>>;

export function createModelCall(settings: ModelSettings): ModelCall {
  const { maxOutputTokens } = settings;
  const isMarked = settings.provider === "anthropic";
  return async ({ model, instructions, messages, tools, effort, mustCall = [], signal }) => {
    const [{ experimental_streamLanguageModelCall, jsonSchema, tool }, open] = await Promise.all([
      import("ai"),
      openProvider(settings),
    ]);
    const toolSet: ToolSet = Object.fromEntries(
      tools.map(({ name, description, input }) => [
        name,
        tool({ description, inputSchema: jsonSchema(input) }),
      ]),
    );
    const { stream } = await experimental_streamLanguageModelCall({
      model: open(model),
      messages: isMarked ? markedMessages(messages) : [...messages],
      abortSignal: signal,
      ...(instructions === ""
        ? {}
        : { instructions: isMarked ? markedInstructions(instructions) : instructions }),
      ...(tools.length === 0 ? {} : { tools: toolSet }),
      ...toolChoiceOf(mustCall),
      ...(effort === undefined ? {} : { reasoning: effort }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
    return stream;
  };
}

function toolChoiceOf([first, ...others]: readonly string[]): {
  readonly toolChoice?: ToolChoice<ToolSet>;
} {
  if (first === undefined) return {};
  return { toolChoice: others.length > 0 ? "required" : { type: "tool", toolName: first } };
}

async function openProvider({
  provider,
  baseUrl,
  apiKey,
}: ModelSettings): Promise<(model: string) => LanguageModel> {
  switch (provider) {
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const options = { name: provider, baseURL: baseUrl, includeUsage: true };
      return createOpenAICompatible(apiKey === undefined ? options : { ...options, apiKey });
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      // Left out, the SDK would take a key from the environment and send it to whatever the URL names.
      return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? "" });
    }
  }
}
