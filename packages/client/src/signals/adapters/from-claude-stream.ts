/**
 * The JSON lines of `claude --print --output-format stream-json`, and of Qwen Code, which prints the same.
 *
 * With partial messages the text comes twice, in pieces and whole; it is told once. Usage and cost are told at the
 * end, as the program counts them.
 */
import { own } from "@atrium/wire";
import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals } from "../agent-signals.ts";
import { looseCount, looseList, looseObject, looseText, type Loose } from "../loose.ts";
import type { Producer, SignalAdapter, SignalDraft } from "../producer.ts";

export function createClaudeStreamSignals(producer: Producer, agentId: string): SignalAdapter {
  const stream = new ClaudeStream(new AgentSignals(producer, agentId));
  return (piece) => stream.take(looseObject(piece) ?? {});
}

class ClaudeStream {
  readonly #agent: AgentSignals;
  /** Names of the tools that were called, by call. */
  readonly #tools = new Map<string, string>();
  #sessionId: string | undefined;
  #model: string | undefined;
  #isStreaming = false;

  constructor(agent: AgentSignals) {
    this.#agent = agent;
  }

  take(line: Loose): readonly SignalEnvelope[] {
    this.#sessionId = looseText(line["session_id"]) ?? this.#sessionId;
    const meta = { correlationId: this.#sessionId };
    const content = looseList(looseObject(line["message"])?.["content"]).map(looseObject);
    switch (line["type"]) {
      case "system":
        this.#model = looseText(line["model"]) ?? this.#model;
        return line["subtype"] === "init" ? this.#agent.begin(meta) : [];
      case "stream_event":
        return this.#progress(looseObject(line["event"]) ?? {}, meta);
      case "assistant": {
        const isTold = this.#isStreaming;
        this.#isStreaming = false;
        return content.flatMap((block = {}) => this.#block(block, isTold, meta));
      }
      case "user":
        return content.flatMap((block = {}) => this.#toolResult(block, meta));
      case "result":
        return this.#end(line, meta);
      default:
        return [];
    }
  }

  #progress(event: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const delta = looseObject(event["delta"]);
    if (event["type"] !== "content_block_delta" || delta === undefined) return [];
    const signals = [
      ...this.#agent.think(looseText(delta["thinking"]) ?? "", meta),
      ...this.#agent.addText(looseText(delta["text"]) ?? "", meta),
    ];
    if (signals.length > 0) this.#isStreaming = true;
    return signals;
  }

  #block(block: Loose, isTold: boolean, meta: SignalDraft): readonly SignalEnvelope[] {
    switch (block["type"]) {
      case "text":
        return isTold ? [] : this.#agent.addText(looseText(block["text"]) ?? "", meta);
      case "thinking":
        return isTold ? [] : this.#agent.think(looseText(block["thinking"]) ?? "", meta);
      case "tool_use": {
        const [id, name = "unknown"] = [looseText(block["id"]), looseText(block["name"])];
        if (id !== undefined) this.#tools.set(id, name);
        return this.#agent.callTool({ id, name, data: block["input"] }, meta);
      }
      default:
        return [];
    }
  }

  #toolResult(block: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    if (block["type"] !== "tool_result") return [];
    const id = looseText(block["tool_use_id"]);
    const name = this.#tools.get(id ?? "") ?? "unknown";
    if (id !== undefined) this.#tools.delete(id);
    const tool = { id, name, data: block["content"] };
    return this.#agent.returnTool(tool, block["is_error"] !== true, meta);
  }

  #end(line: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    this.#tools.clear();
    const usage = looseObject(line["usage"]) ?? {};
    const count = (name: string): number => looseCount(own(usage, name)) ?? 0;
    const promptTokens =
      count("input_tokens") +
      count("cache_creation_input_tokens") +
      count("cache_read_input_tokens");
    const cost = line["total_cost_usd"];
    const used = {
      promptTokens,
      completionTokens: count("output_tokens"),
      model: this.#model,
      ...(typeof cost === "number" && cost >= 0 && { cost }),
    };
    const taskId = this.#sessionId ?? "session";
    const message = looseText(line["result"]);
    const ending =
      line["is_error"] === true
        ? this.#agent.fail(taskId, { message, code: line["subtype"] }, meta)
        : this.#agent.end(taskId, { reason: "success", problem: undefined }, meta);
    return [this.#agent.use(used, meta), ...ending];
  }
}
