/** The JSON lines of `gemini --output-format stream-json` as signals. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals } from "../agent-signals.ts";
import { looseCount, looseObject, looseText, type Loose } from "../loose.ts";
import type { Producer, SignalAdapter } from "../producer.ts";

export function createGeminiSignals(producer: Producer, agentId: string): SignalAdapter {
  const stream = new GeminiStream(new AgentSignals(producer, agentId));
  return (piece) => stream.take(looseObject(piece) ?? {});
}

class GeminiStream {
  readonly #agent: AgentSignals;
  readonly #tools = new Map<string, string>();
  #sessionId: string | undefined;
  #model: string | undefined;

  constructor(agent: AgentSignals) {
    this.#agent = agent;
  }

  take(line: Loose): readonly SignalEnvelope[] {
    this.#sessionId = looseText(line["session_id"]) ?? this.#sessionId;
    const taskId = this.#sessionId ?? "session";
    const meta = { correlationId: this.#sessionId, timestamp: timeOf(line["timestamp"]) };
    const id = looseText(line["tool_id"]);
    switch (line["type"]) {
      case "init":
        this.#model = looseText(line["model"]);
        return this.#agent.begin(meta);
      case "message":
        return line["role"] === "assistant"
          ? this.#agent.addText(looseText(line["content"]) ?? "", meta)
          : [];
      case "tool_use": {
        const name = looseText(line["tool_name"]) ?? "unknown";
        if (id !== undefined) this.#tools.set(id, name);
        return this.#agent.callTool({ id, name, data: line["parameters"] }, meta);
      }
      case "tool_result": {
        const name = this.#tools.get(id ?? "") ?? "unknown";
        if (id !== undefined) this.#tools.delete(id);
        const tool = { id, name, data: line["output"] ?? line["error"] };
        return this.#agent.returnTool(tool, line["status"] === "success", meta);
      }
      case "error":
        return [this.#agent.warn(looseText(line["message"]) ?? "Gemini reports an error.", meta)];
      case "result": {
        this.#tools.clear();
        const stats = looseObject(line["stats"]) ?? {};
        const promptTokens = looseCount(stats["input_tokens"]) ?? 0;
        const completionTokens = looseCount(stats["output_tokens"]) ?? 0;
        const used = { promptTokens, completionTokens, model: this.#model };
        const ending =
          line["status"] === "success"
            ? this.#agent.end(taskId, { reason: "success", problem: undefined }, meta)
            : this.#agent.fail(taskId, looseObject(line["error"]) ?? {}, meta);
        return [this.#agent.use(used, meta), ...ending];
      }
      default:
        return [];
    }
  }
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}
