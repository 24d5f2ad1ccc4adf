/** Events of the AG-UI protocol as signals: runs, steps, messages, reasoning, tool calls and errors. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals, type ModelToolCall } from "../agent-signals.ts";
import { looseJson, looseObject, looseText, type Loose } from "../loose.ts";
import type { Producer, SignalAdapter, SignalDraft } from "../producer.ts";

export function createAgUiSignals(producer: Producer, agentId: string): SignalAdapter {
  const stream = new AgUiStream(new AgentSignals(producer, agentId));
  return (piece) => stream.take(looseObject(piece) ?? {});
}

class AgUiStream {
  readonly #agent: AgentSignals;
  /** Being written; told when they are whole. */
  readonly #calls = new Map<string, ModelToolCall>();
  /** Names of the calls whose results are still to come. */
  readonly #names = new Map<string, string>();
  #runId: string | undefined;

  constructor(agent: AgentSignals) {
    this.#agent = agent;
  }

  take(event: Loose): readonly SignalEnvelope[] {
    const type = looseText(event["type"]) ?? "";
    if (type === "RUN_STARTED") this.#runId = looseText(event["runId"]);
    const time = event["timestamp"];
    const timestamp = typeof time === "number" && Number.isFinite(time) ? time : undefined;
    const meta = { correlationId: this.#runId, timestamp };
    const delta = looseText(event["delta"]) ?? "";
    switch (type) {
      case "RUN_STARTED":
      case "STEP_STARTED":
        return this.#agent.begin(meta);
      case "TEXT_MESSAGE_CONTENT":
      case "TEXT_MESSAGE_CHUNK":
        return this.#agent.addText(delta, meta);
      case "THINKING_TEXT_MESSAGE_CONTENT":
      case "REASONING_MESSAGE_CONTENT":
      case "REASONING_MESSAGE_CHUNK":
        return this.#agent.think(delta, meta);
      case "TOOL_CALL_START":
      case "TOOL_CALL_ARGS":
      case "TOOL_CALL_CHUNK":
        return this.#addToCall(event, meta);
      case "TOOL_CALL_END":
        return this.#finishCall(looseText(event["toolCallId"]), meta);
      case "TOOL_CALL_RESULT":
        return this.#toolResult(event, meta);
      case "RUN_FINISHED":
        return this.#end(event, meta);
      case "RUN_ERROR":
        this.#clear();
        return this.#agent.fail(this.#runId ?? "run", event, meta);
      default:
        return [];
    }
  }

  /** A chunk of another call ends the one before: chunks have no end of their own. */
  #addToCall(event: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const id = looseText(event["toolCallId"]) ?? this.#calls.keys().next().value;
    if (id === undefined) return [];
    const json = looseText(event["delta"]) ?? "";
    const known = this.#calls.get(id);
    if (known !== undefined) {
      known.json += json;
      return [];
    }
    const before = event["type"] === "TOOL_CALL_CHUNK" ? this.#finishCalls(meta) : [];
    const name = looseText(event["toolCallName"]) ?? "unknown";
    this.#calls.set(id, { id, name, json });
    return before;
  }

  #finishCall(id: string | undefined, meta: SignalDraft): readonly SignalEnvelope[] {
    const call = this.#calls.get(id ?? "");
    if (id === undefined || call === undefined) return [];
    this.#calls.delete(id);
    this.#names.set(id, call.name);
    return this.#agent.call({ ...call, json: call.json === "" ? "{}" : call.json }, meta);
  }

  #finishCalls(meta: SignalDraft): readonly SignalEnvelope[] {
    return [...this.#calls.keys()].flatMap((id) => this.#finishCall(id, meta));
  }

  #toolResult(event: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const id = looseText(event["toolCallId"]);
    const call = this.#finishCall(id, meta);
    const name = this.#names.get(id ?? "") ?? "unknown";
    if (id !== undefined) this.#names.delete(id);
    const content = event["content"];
    const data =
      typeof content === "string" ? (looseObject(looseJson(content)) ?? content) : content;
    // The protocol has no word for a tool that failed.
    return [...call, ...this.#agent.returnTool({ id, name, data }, true, meta)];
  }

  #end(event: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const calls = this.#finishCalls(meta);
    this.#clear();
    const outcome =
      looseText(looseObject(event["outcome"])?.["type"]) ?? looseText(event["outcome"]);
    if (outcome === "interrupt") return [...calls, ...this.#agent.wait("a person's answer", meta)];
    const stopped = { reason: outcome ?? "success", problem: undefined };
    return [...calls, ...this.#agent.end(this.#runId ?? "run", stopped, meta)];
  }

  #clear(): void {
    this.#calls.clear();
    this.#names.clear();
  }
}
