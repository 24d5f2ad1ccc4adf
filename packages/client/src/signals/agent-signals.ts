/** The signals of an agent whose output is read from a stream: its text, its tools and its usage. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { createAgentStates, type MoveTo } from "./agent-states.ts";
import { asObject, looseJson, looseText, type Loose } from "./loose.ts";
import { createEmitter, type Producer, type EmitSignal, type SignalDraft } from "./producer.ts";

export interface ModelToolCall {
  readonly id: string | undefined;
  readonly name: string;
  /** As far as it has come. */
  json: string;
}

export interface ToolData {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: unknown;
}

export interface ModelUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly model: string | undefined;
  readonly cost?: number;
}

export class AgentSignals {
  readonly #agentId: string;
  readonly #emit: EmitSignal;
  readonly #moveTo: MoveTo;
  #textDeltas = 0;

  constructor(producer: Producer, agentId: string) {
    this.#agentId = agentId;
    this.#emit = createEmitter(producer);
    this.#moveTo = createAgentStates(this.#emit);
  }

  begin(meta: SignalDraft): readonly SignalEnvelope[] {
    this.#textDeltas = 0;
    return this.#moveTo(this.#agentId, "thinking", meta);
  }

  addText(content: string, meta: SignalDraft): readonly SignalEnvelope[] {
    if (content === "") return [];
    const payload = { agentId: this.#agentId, content, index: this.#textDeltas++ };
    const change = this.#moveTo(this.#agentId, "thinking", meta);
    return [...change, this.#emit("text_delta", payload, meta)];
  }

  think(content: string, meta: SignalDraft): readonly SignalEnvelope[] {
    if (content === "") return [];
    const change = this.#moveTo(this.#agentId, "thinking", meta);
    return [...change, this.#emit("thinking", { agentId: this.#agentId, content }, meta)];
  }

  /** Its input is whole. */
  call({ id, name, json }: ModelToolCall, meta: SignalDraft): readonly SignalEnvelope[] {
    const input = json === "" ? undefined : (asObject(looseJson(json)) ?? { text: json });
    return this.callTool({ id, name, data: input }, meta);
  }

  /** `data`: what it is called with. */
  callTool({ id, name, data }: ToolData, meta: SignalDraft): readonly SignalEnvelope[] {
    const input = asObject(data);
    const payload = {
      ...this.#toolOf(id, name),
      ...(input !== undefined && { input: { ...input } }),
    };
    const change = this.#moveTo(this.#agentId, "acting", { ...meta, reason: name });
    return [this.#emit("tool_call", payload, meta), ...change];
  }

  /** `data`: what came back. */
  returnTool(
    { id, name, data }: ToolData,
    success: boolean,
    meta: SignalDraft,
  ): readonly SignalEnvelope[] {
    const output = asObject(data);
    const result = { ...this.#toolOf(id, name), success };
    const payload = { ...result, ...(output !== undefined && { output: { ...output } }) };
    return [
      this.#emit("tool_result", payload, meta),
      ...this.#moveTo(this.#agentId, "thinking", meta),
    ];
  }

  /** It needs a person. */
  wait(reason: string, meta: SignalDraft): readonly SignalEnvelope[] {
    return this.#moveTo(this.#agentId, "waiting", { ...meta, reason });
  }

  /** Something is wrong, and it goes on. */
  warn(message: string, meta: SignalDraft): SignalEnvelope {
    return this.#emit("error", { message, severity: "warning", agentId: this.#agentId }, meta);
  }

  use({ model, ...used }: ModelUsage, meta: SignalDraft): SignalEnvelope {
    const payload = { agentId: this.#agentId, ...used, ...(model !== undefined && { model }) };
    return this.#emit("token_usage", payload, meta);
  }

  /** `problem`: why the answer is not what was asked for. */
  end(
    taskId: string,
    stopped: { readonly reason: string; readonly problem: string | undefined },
    meta: SignalDraft,
  ): readonly SignalEnvelope[] {
    const { reason: code, problem } = stopped;
    const agentId = this.#agentId;
    const done = this.#emit(
      "completion",
      { taskId, success: problem === undefined, agentId },
      meta,
    );
    if (problem === undefined) return [done, ...this.#moveTo(agentId, "done", meta)];
    const error = { message: problem, severity: "warning", agentId, code } as const;
    const change = this.#moveTo(agentId, "error", { ...meta, reason: problem });
    return [this.#emit("error", error, meta), done, ...change];
  }

  fail(taskId: string, failure: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const agentId = this.#agentId;
    const message = looseText(failure["message"]) ?? "The model failed.";
    const code = looseText(failure["code"]) ?? looseText(failure["type"]);
    const named = { agentId, ...(code !== undefined && { code }) };
    return [
      this.#emit("error", { message, severity: "error", ...named }, meta),
      this.#emit("completion", { taskId, success: false, agentId, result: message }, meta),
      ...this.#moveTo(agentId, "error", { ...meta, reason: message }),
    ];
  }

  #toolOf(
    id: string | undefined,
    toolName: string,
  ): { toolName: string; agentId: string; callId?: string } {
    return { toolName, agentId: this.#agentId, ...(id !== undefined && { callId: id }) };
  }
}
