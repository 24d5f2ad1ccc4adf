import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals, type ToolData } from "../agent-signals.ts";
/**
 * Codex as signals: the lines of `codex exec --json`, and the notifications of `codex app-server`.
 *
 * Both tell of the same items (a command, a change of files, a message), one in snake case and one in camel case.
 * The text of a message comes in pieces from the app-server and whole from exec; it is told once either way.
 */
import { looseCount, looseObject, looseText, type Loose } from "../loose.ts";
import type { Producer, SignalAdapter, SignalDraft } from "../producer.ts";

export function createCodexSignals(producer: Producer, agentId: string): SignalAdapter {
  const stream = new CodexStream(new AgentSignals(producer, agentId));
  return (piece) => stream.take(looseObject(piece) ?? {});
}

class CodexStream {
  readonly #agent: AgentSignals;
  readonly #open = new Map<string, ToolData>();
  #threadId: string | undefined;
  #turnId: string | undefined;
  /** The message whose text came in pieces. */
  #streamed: string | undefined;

  constructor(agent: AgentSignals) {
    this.#agent = agent;
  }

  take(piece: Loose): readonly SignalEnvelope[] {
    const method = looseText(piece["method"]);
    const name = (method ?? looseText(piece["type"]) ?? "").replaceAll("/", ".");
    const event = method === undefined ? piece : (looseObject(piece["params"]) ?? {});
    const item = looseObject(event["item"]) ?? {};
    const thread = looseObject(event["thread"]);
    this.#threadId =
      looseText(thread?.["id"]) ??
      looseText(event["thread_id"] ?? event["threadId"]) ??
      this.#threadId;
    const turn = looseObject(event["turn"]) ?? {};
    if (name === "turn.started") this.#turnId = looseText(turn["id"]);
    const meta = { correlationId: this.#turnId ?? this.#threadId };
    switch (name) {
      case "turn.started":
        return this.#agent.begin(meta);
      case "item.started":
        return this.#beginItem(item, meta);
      case "item.completed":
        return this.#endItem(item, meta);
      case "item.agentMessage.delta":
        this.#streamed = looseText(event["itemId"]);
        return this.#agent.addText(looseText(event["delta"]) ?? "", meta);
      case "item.reasoning.textDelta":
      case "item.reasoning.summaryTextDelta":
        this.#streamed = looseText(event["itemId"]);
        return this.#agent.think(looseText(event["delta"]) ?? "", meta);
      case "item.commandExecution.requestApproval":
      case "item.fileChange.requestApproval":
        return this.#agent.wait(looseText(event["reason"]) ?? "permission", meta);
      case "thread.tokenUsage.updated":
        return this.#use(looseObject(looseObject(event["tokenUsage"])?.["last"]), meta);
      case "turn.completed":
        return [...this.#use(looseObject(event["usage"]), meta), ...this.#endTurn(turn, meta)];
      case "turn.failed":
      case "error":
        return this.#agent.fail(this.#taskId, looseObject(event["error"]) ?? event, meta);
      default:
        return [];
    }
  }

  get #taskId(): string {
    return this.#turnId ?? this.#threadId ?? "turn";
  }

  #beginItem(item: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const tool = toolIn(item);
    if (tool === undefined) return [];
    if (tool.id !== undefined) this.#open.set(tool.id, tool);
    return this.#agent.callTool(tool, meta);
  }

  #endItem(item: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const id = looseText(item["id"]);
    const text = looseText(item["text"]) ?? looseText(item["message"]) ?? "";
    const isTold = id !== undefined && id === this.#streamed;
    switch (kindOf(item)) {
      case "agentmessage":
        return isTold ? [] : this.#agent.addText(text, meta);
      case "reasoning":
        return isTold ? [] : this.#agent.think(text, meta);
      case "error":
        return text === "" ? [] : [this.#agent.warn(text, meta)];
      default:
        return this.#endTool(item, meta);
    }
  }

  #endTool(item: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const tool = toolIn(item);
    if (tool === undefined) return [];
    const isCalled = tool.id !== undefined && this.#open.delete(tool.id);
    const call = isCalled ? [] : this.#agent.callTool(tool, meta);
    const exitCode = item["exit_code"] ?? item["exitCode"];
    const status = looseText(item["status"]);
    const isGood =
      status === "failed" || status === "declined"
        ? false
        : exitCode === undefined || exitCode === 0;
    const data = item["aggregated_output"] ?? item["aggregatedOutput"] ?? item["result"];
    const output = item["error"] ?? data;
    const hasFailed = item["error"] !== undefined && item["error"] !== null;
    return [
      ...call,
      ...this.#agent.returnTool({ ...tool, data: output }, isGood && !hasFailed, meta),
    ];
  }

  #use(usage: Loose | undefined, meta: SignalDraft): readonly SignalEnvelope[] {
    if (usage === undefined) return [];
    const promptTokens = looseCount(usage["input_tokens"] ?? usage["inputTokens"]) ?? 0;
    const completionTokens = looseCount(usage["output_tokens"] ?? usage["outputTokens"]) ?? 0;
    return [this.#agent.use({ promptTokens, completionTokens, model: undefined }, meta)];
  }

  #endTurn(turn: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    this.#open.clear();
    const failure = looseObject(turn["error"]);
    if (failure !== undefined) return this.#agent.fail(this.#taskId, failure, meta);
    const status = looseText(turn["status"]) ?? "completed";
    const problem = status === "interrupted" ? "The turn was interrupted." : undefined;
    return this.#agent.end(this.#taskId, { reason: status, problem }, meta);
  }
}

/** One word for both spellings. */
function kindOf(item: Loose): string {
  return (looseText(item["type"]) ?? "").replaceAll("_", "").toLowerCase();
}

function toolIn(item: Loose): ToolData | undefined {
  const id = looseText(item["id"]);
  switch (kindOf(item)) {
    case "commandexecution":
      return { id, name: "shell", data: { command: item["command"] } };
    case "filechange":
      return { id, name: "edit", data: { changes: item["changes"] } };
    case "mcptoolcall": {
      const name = [looseText(item["server"]), looseText(item["tool"])].filter(Boolean).join(".");
      return { id, name: name === "" ? "mcp" : name, data: item["arguments"] };
    }
    case "websearch":
      return { id, name: "web_search", data: { query: item["query"] } };
    default:
      return undefined;
  }
}
