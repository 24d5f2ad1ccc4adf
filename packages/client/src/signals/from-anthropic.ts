/**
 * Events of an Anthropic message stream as signals.
 *
 * What went in is counted in `message_start` (with what was read from or written to the cache), what came out in
 * `message_delta`, each time the whole so far; usage is told once, at the end, from both. A tool's input comes in
 * pieces of JSON and is told when its block ends.
 */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { createAgentStates } from "./agent-states.ts";
import { asObject, looseCount, looseJson, looseObject, looseText, type Loose } from "./loose.ts";
import { createTell, type Producer, type SignalAdapter, type Told } from "./producer.ts";

interface OpenTool {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
  json: string;
}

interface Message {
  readonly id: string;
  readonly model: string | undefined;
  usage: Loose;
  stopReason: string | undefined;
}

const CUT_SHORT: Readonly<Record<string, string>> = {
  max_tokens: "The answer was cut at the longest allowed.",
  model_context_window_exceeded: "The conversation is longer than the model can hold.",
  refusal: "The model refused to answer.",
};

export function createAnthropicSignals(producer: Producer, agentId: string): SignalAdapter {
  const tell = createTell(producer);
  const moveTo = createAgentStates(tell);
  const tools = new Map<number, OpenTool>();
  let message: Message = { id: "message", model: undefined, usage: {}, stopReason: undefined };
  let index = 0;

  function begin(event: Loose): readonly SignalEnvelope[] {
    const begun = looseObject(event["message"]);
    tools.clear();
    index = 0;
    message = {
      id: looseText(begun?.["id"]) ?? "message",
      model: looseText(begun?.["model"]),
      usage: looseObject(begun?.["usage"]) ?? {},
      stopReason: undefined,
    };
    return moveTo(agentId, "thinking", { correlationId: message.id });
  }

  function beginBlock(event: Loose): void {
    const block = looseObject(event["content_block"]);
    const kind = looseText(block?.["type"]);
    if (block === undefined || (kind !== "tool_use" && kind !== "server_tool_use")) return;
    tools.set(looseCount(event["index"]) ?? 0, {
      id: looseText(block["id"]),
      name: looseText(block["name"]) ?? "unknown",
      input: block["input"],
      json: "",
    });
  }

  function progress(event: Loose, told: Told): readonly SignalEnvelope[] {
    const delta = looseObject(event["delta"]) ?? {};
    const text = looseText(delta["text"]);
    if (text !== undefined && text !== "") {
      return [tell("text_delta", { agentId, content: text, index: index++ }, told)];
    }
    const thought = looseText(delta["thinking"]);
    if (thought !== undefined && thought !== "") {
      return [tell("thinking", { agentId, content: thought }, told)];
    }
    const tool = tools.get(looseCount(event["index"]) ?? 0);
    if (tool !== undefined) tool.json += looseText(delta["partial_json"]) ?? "";
    return [];
  }

  function endBlock(event: Loose, told: Told): readonly SignalEnvelope[] {
    const place = looseCount(event["index"]) ?? 0;
    const tool = tools.get(place);
    if (tool === undefined) return [];
    tools.delete(place);
    const { id, name: toolName, json } = tool;
    const input = asObject(json === "" ? tool.input : (looseJson(json) ?? { text: json }));
    const payload = {
      toolName,
      agentId,
      ...(id !== undefined && { callId: id }),
      ...(input !== undefined && { input: { ...input } }),
    };
    return [
      tell("tool_call", payload, told),
      ...moveTo(agentId, "acting", { ...told, reason: toolName }),
    ];
  }

  function end(told: Told): readonly SignalEnvelope[] {
    const { usage, stopReason = "end_turn", model } = message;
    const count = (name: string): number => looseCount(usage[name]) ?? 0;
    const promptTokens =
      count("input_tokens") +
      count("cache_creation_input_tokens") +
      count("cache_read_input_tokens");
    const used = tell(
      "token_usage",
      {
        agentId,
        promptTokens,
        completionTokens: count("output_tokens"),
        ...(model !== undefined && { model }),
      },
      told,
    );
    // Whoever asked runs the tools and asks again, or goes on: the work is not over.
    if (stopReason === "tool_use" || stopReason === "pause_turn") return [used];
    const taskId = message.id;
    const problem = CUT_SHORT[stopReason];
    const done = tell("completion", { taskId, success: problem === undefined, agentId }, told);
    if (problem === undefined) return [used, done, ...moveTo(agentId, "done", told)];
    const error = { message: problem, severity: "warning", agentId, code: stopReason } as const;
    const change = moveTo(agentId, "error", { ...told, reason: problem });
    return [used, tell("error", error, told), done, ...change];
  }

  function fail(event: Loose, told: Told): readonly SignalEnvelope[] {
    const failure = looseObject(event["error"]) ?? {};
    const text = looseText(failure["message"]) ?? "The model failed.";
    const code = looseText(failure["type"]);
    const error = {
      message: text,
      severity: "error",
      agentId,
      ...(code !== undefined && { code }),
    } as const;
    return [
      tell("error", error, told),
      tell("completion", { taskId: message.id, success: false, agentId, result: text }, told),
      ...moveTo(agentId, "error", { ...told, reason: text }),
    ];
  }

  return (piece) => {
    const event = looseObject(piece);
    const told = { correlationId: message.id };
    switch (event?.["type"]) {
      case "message_start":
        return begin(event);
      case "content_block_start":
        beginBlock(event);
        return [];
      case "content_block_delta":
        return progress(event, told);
      case "content_block_stop":
        return endBlock(event, told);
      case "message_delta": {
        message.usage = { ...message.usage, ...looseObject(event["usage"]) };
        message.stopReason =
          looseText(looseObject(event["delta"])?.["stop_reason"]) ?? message.stopReason;
        return [];
      }
      case "message_stop":
        return end(told);
      case "error":
        return fail(event, told);
      case "ping":
      case undefined:
        return [];
      // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- events of a newer API say nothing to us
      default:
        return [];
    }
  };
}
