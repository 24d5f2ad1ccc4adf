/**
 * Events of an Anthropic message stream as signals.
 *
 * What went in is counted in `message_start` (with what was read from or written to the cache), what came out in
 * `message_delta`, each time the whole so far; usage is told once, at the end, from both. A tool's input comes in
 * pieces of JSON and is told when its block ends.
 */
import { own } from "@atrium/wire";
import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals, type ModelToolCall } from "../agent-signals.ts";
import { looseCount, looseObject, looseText, type Loose } from "../loose.ts";
import type { Producer, SignalAdapter, SignalDraft } from "../producer.ts";

const CUT_SHORT: Readonly<Record<string, string>> = {
  max_tokens: "The answer was cut at the longest allowed.",
  model_context_window_exceeded: "The conversation is longer than the model can hold.",
  refusal: "The model refused to answer.",
};

export function createAnthropicSignals(producer: Producer, agentId: string): SignalAdapter {
  const stream = new AnthropicStream(new AgentSignals(producer, agentId));
  return (piece) => stream.take(looseObject(piece) ?? {});
}

class AnthropicStream {
  readonly #agent: AgentSignals;
  readonly #tools = new Map<number, ModelToolCall>();
  #id = "message";
  #model: string | undefined;
  #usage: Loose = {};
  #stopReason: string | undefined;

  constructor(agent: AgentSignals) {
    this.#agent = agent;
  }

  take(event: Loose): readonly SignalEnvelope[] {
    const meta = { correlationId: this.#id };
    switch (event["type"]) {
      case "message_start":
        return this.#begin(looseObject(event["message"]) ?? {});
      case "content_block_start":
        this.#beginBlock(event);
        return [];
      case "content_block_delta":
        return this.#progress(event, meta);
      case "content_block_stop":
        return this.#endBlock(event, meta);
      case "message_delta": {
        this.#usage = { ...this.#usage, ...looseObject(event["usage"]) };
        const reason = looseText(looseObject(event["delta"])?.["stop_reason"]);
        this.#stopReason = reason ?? this.#stopReason;
        return [];
      }
      case "message_stop":
        return this.#end(meta);
      case "error":
        return this.#agent.fail(this.#id, looseObject(event["error"]) ?? {}, meta);
      default:
        return [];
    }
  }

  #begin(message: Loose): readonly SignalEnvelope[] {
    this.#tools.clear();
    this.#id = looseText(message["id"]) ?? "message";
    this.#model = looseText(message["model"]);
    this.#usage = looseObject(message["usage"]) ?? {};
    this.#stopReason = undefined;
    return this.#agent.begin({ correlationId: this.#id });
  }

  #beginBlock(event: Loose): void {
    const block = looseObject(event["content_block"]);
    const kind = looseText(block?.["type"]);
    if (block === undefined || (kind !== "tool_use" && kind !== "server_tool_use")) return;
    const name = looseText(block["name"]) ?? "unknown";
    this.#tools.set(placeOf(event), { id: looseText(block["id"]), name, json: "" });
  }

  #progress(event: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const delta = looseObject(event["delta"]) ?? {};
    const tool = this.#tools.get(placeOf(event));
    if (tool !== undefined) tool.json += looseText(delta["partial_json"]) ?? "";
    return [
      ...this.#agent.think(looseText(delta["thinking"]) ?? "", meta),
      ...this.#agent.addText(looseText(delta["text"]) ?? "", meta),
    ];
  }

  #endBlock(event: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const place = placeOf(event);
    const tool = this.#tools.get(place);
    if (tool === undefined) return [];
    this.#tools.delete(place);
    // A tool that wants nothing gets no piece at all.
    return this.#agent.call({ ...tool, json: tool.json === "" ? "{}" : tool.json }, meta);
  }

  #end(meta: SignalDraft): readonly SignalEnvelope[] {
    const count = (name: string): number => looseCount(own(this.#usage, name)) ?? 0;
    const promptTokens =
      count("input_tokens") +
      count("cache_creation_input_tokens") +
      count("cache_read_input_tokens");
    const completionTokens = count("output_tokens");
    const used = this.#agent.use({ promptTokens, completionTokens, model: this.#model }, meta);
    const reason = this.#stopReason ?? "end_turn";
    // Whoever asked runs the tools and asks again, or goes on: the work is not over.
    if (reason === "tool_use" || reason === "pause_turn") return [used];
    return [used, ...this.#agent.end(this.#id, { reason, problem: own(CUT_SHORT, reason) }, meta)];
  }
}

function placeOf(event: Loose): number {
  return looseCount(event["index"]) ?? 0;
}
