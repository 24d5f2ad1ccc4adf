/**
 * One step: one call of the model, streamed. Yields what it says, `opening` before its first text, and
 * returns how it ended.
 *
 * Whatever way it is left (the end, a failure, an abort, a consumer who stops listening), the connection
 * is closed.
 */
import type { AssistantModelMessage, FinishReason, LanguageModelUsage, ProviderMetadata } from "ai";
import type { TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import type { CallRequest, ModelCall, ModelPart } from "./model-call.ts";
import { openWatchdog, type Limits } from "./watchdog.ts";

/** The stream ended, but the model had not said that it was done. */
export class TruncatedAnswer extends Error {
  override readonly name = "CutAnswer";
}

export interface RequestedTool {
  readonly id: string;
  /** As the model sees it. */
  readonly name: string;
  readonly input: unknown;
  /** Why it cannot be called: no such tool, or an input that is not JSON. */
  readonly problem: string | undefined;
}

export interface Step {
  /** What the model said, to be shown to it again in the next step. */
  readonly message: AssistantModelMessage;
  readonly wanted: readonly RequestedTool[];
  readonly finish: FinishReason;
  readonly usage: LanguageModelUsage | undefined;
  /** Characters that were streamed, whether or not the step came to its end. */
  readonly characters: number;
  readonly hasSpoken: boolean;
  /** Why it did not. */
  readonly cause: unknown;
}

type Content = Exclude<AssistantModelMessage["content"], string>;

export interface StepDeps {
  readonly call: ModelCall;
  readonly host: TurnHost;
  readonly limits: Limits;
}

export async function* streamStep(
  { call, host, limits }: StepDeps,
  request: Omit<CallRequest, "signal">,
  opening: string,
): AsyncGenerator<TurnEvent, Step> {
  const left = new AbortController();
  using watchdog = openWatchdog(host, limits);
  const signal = AbortSignal.any([host.signal, watchdog.signal]);
  const step = createCollector(opening);
  try {
    // The call is left by us alone, below: what others abort with is not for the SDK to interpret.
    const stream = await untilAborted(signal, call({ ...request, signal: left.signal }));
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await untilAborted(signal, reader.read());
      if (done) return step.end(step.isWhole() ? undefined : new TruncatedAnswer());
      // The SDK itself sends the first part, before the model has sent anything.
      if (value.type !== "model-call-start") watchdog.feed();
      if (value.type === "error") return step.end(value.error);
      const event = step.take(value);
      if (event !== undefined) yield event;
    }
  } catch (cause) {
    return step.end(watchdog.signal.aborted ? watchdog.signal.reason : cause);
  } finally {
    left.abort();
  }
}

function createCollector(opening: string) {
  const content: Content = [];
  const wanted: RequestedTool[] = [];
  let finish: FinishReason = "other";
  let usage: LanguageModelUsage | undefined;
  let characters = 0;
  let hasSpoken = false;
  let isWhole = false;

  const append = (type: "text" | "reasoning", text: string): void => {
    const last = content.at(-1);
    if (last?.type === type) last.text += text;
    else content.push({ type, text });
    characters += text.length;
  };

  const take = (part: ModelPart): TurnEvent | undefined => {
    if (part.type === "text-delta") {
      append("text", part.text);
      if (part.text === "") return undefined;
      const delta = hasSpoken ? part.text : `${opening}${part.text}`;
      hasSpoken = true;
      return { type: "text", delta };
    }
    if (part.type === "reasoning-delta") {
      append("reasoning", part.text);
      if (part.providerMetadata !== undefined) sign(content, part.providerMetadata);
      return part.text === "" ? undefined : { type: "thinking", delta: part.text };
    }
    if (part.type === "reasoning-end" && part.providerMetadata !== undefined) {
      sign(content, part.providerMetadata);
    } else if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name, providerMetadata } = part;
      const input: unknown = part.input;
      const shown = typeof input === "object" && input !== null ? input : {};
      const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
      content.push({ type: "tool-call", toolCallId: id, toolName: name, input: shown, ...options });
      wanted.push({ id, name, input, problem: problemOf(part) });
    } else if (part.type === "model-call-end") {
      finish = part.finishReason;
      isWhole = part.rawFinishReason !== undefined;
      usage = part.usage;
    }
    return undefined;
  };

  return {
    take,
    isWhole: () => isWhole,
    end(cause: unknown): Step {
      const kept = content.filter((part) => part.type !== "text" || part.text.trim() !== "");
      const message = { role: "assistant" as const, content: kept };
      return { message, wanted, finish, usage, characters, hasSpoken, cause };
    },
  };
}

/** Providers want their reasoning back with the signature that came with it. */
function sign(content: Content, providerOptions: ProviderMetadata): void {
  const last = content.at(-1);
  if (last?.type === "reasoning") last.providerOptions = providerOptions;
}

function problemOf(part: Extract<ModelPart, { type: "tool-call" }>): string | undefined {
  if (part.dynamic !== true || part.invalid !== true) return undefined;
  return part.error instanceof Error ? part.error.message : "The call could not be read.";
}
