/**
 * Streams of LangGraph as signals: `{"event","data"}` of its server, or `[mode, data]` of a graph that streams several
 * modes; a bare object is taken for `updates`. Every node is an agent.
 *
 * A message may come in pieces, in an update and in the values; each is told once.
 */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals } from "../agent-signals.ts";
import { asObject, looseCount, looseList, looseObject, looseText, type Loose } from "../loose.ts";
import { emitOther, type Producer, type SignalAdapter, type SignalDraft } from "../producer.ts";

/** Messages that are remembered, so that a stream without end needs no memory without end. */
const MAX_SEEN = 10_000;

export function createLanggraphSignals(producer: Producer, agentId: string): SignalAdapter {
  const stream = new LanggraphStream(producer, agentId);
  return (piece) => {
    const [mode, data] = Array.isArray(piece) ? pairOf(piece) : eventOf(looseObject(piece) ?? {});
    // "messages|namespace": of a graph within the graph.
    return stream.take(mode.split("|", 1)[0] ?? mode, data);
  };
}

/** With subgraphs a namespace comes before mode and data. */
function pairOf(piece: readonly unknown[]): readonly [string, unknown] {
  const [mode, data] = piece.slice(-2);
  return [looseText(mode) ?? "updates", data];
}

function eventOf(piece: Loose): readonly [string, unknown] {
  const event = looseText(piece["event"]);
  return event === undefined ? ["updates", piece] : [event, piece["data"]];
}

class LanggraphStream {
  readonly #producer: Producer;
  readonly #fallback: string;
  readonly #agents = new Map<string, AgentSignals>();
  readonly #seen = new Set<string>();
  /** How much of a partial message was emitted. */
  readonly #lengths = new Map<string, number>();
  #runId: string | undefined;

  constructor(producer: Producer, agentId: string) {
    this.#producer = producer;
    this.#fallback = agentId;
  }

  take(mode: string, data: unknown): readonly SignalEnvelope[] {
    const meta = { correlationId: this.#runId };
    switch (mode) {
      case "metadata":
        this.#runId = looseText(looseObject(data)?.["run_id"]);
        return [];
      case "messages": {
        const [message, about] = looseList(data);
        const node = looseText(looseObject(about)?.["langgraph_node"]);
        return this.#chunk(node, looseObject(message) ?? {}, meta);
      }
      case "messages/partial":
        return looseList(data).flatMap((each) => this.#partial(looseObject(each) ?? {}, meta));
      case "updates":
        return Object.entries(looseObject(data) ?? {}).flatMap(([node, update]) => [
          ...messagesIn(update).flatMap((message) => this.#whole(node, message, meta)),
          ...this.#endNode(node, update, meta),
        ]);
      case "values":
      case "messages/complete":
        return (mode === "values" ? messagesIn(data) : looseList(data).map(objectOf)).flatMap(
          (message) => this.#whole(looseText(message["name"]), message, meta),
        );
      case "custom":
        return [emitOther(this.#producer, "langgraph.custom", { ...asObject(data) }, meta)];
      case "error": {
        const error = looseObject(data) ?? {};
        const message = error["message"] ?? error["error"];
        return this.#agentOf(undefined).fail(this.#runId ?? "run", { message }, meta);
      }
      case "end":
        return this.#end(meta);
      default:
        return [];
    }
  }

  /** A piece of a message: its text is new. */
  #chunk(node: string | undefined, message: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    if (!isModels(message)) return this.#whole(node, message, meta);
    this.#remember(message);
    return [
      ...this.#agentOf(node).addText(textIn(message), meta),
      ...this.#calls(node, message, meta),
    ];
  }

  /** A message so far: what was told of it is not told again. */
  #partial(message: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    if (!isModels(message)) return [];
    const id = looseText(message["id"]) ?? "";
    const text = textIn(message);
    const emitted = this.#lengths.get(id) ?? 0;
    this.#remember(message);
    this.#lengths.set(id, text.length);
    return this.#agentOf(looseText(message["name"])).addText(text.slice(emitted), meta);
  }

  #whole(node: string | undefined, message: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const agent = this.#agentOf(node);
    const isNew = this.#remember(message);
    if (isModels(message)) {
      const text = isNew ? agent.addText(textIn(message), meta) : [];
      return [...text, ...this.#calls(node, message, meta), ...this.#usage(agent, message, meta)];
    }
    if (!isNew || looseText(message["type"]) !== "tool") return [];
    const id = looseText(message["tool_call_id"]);
    const name = looseText(message["name"]) ?? "unknown";
    const isGood = looseText(message["status"]) !== "error";
    return agent.returnTool({ id, name, data: message["content"] }, isGood, meta);
  }

  #calls(node: string | undefined, message: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    return looseList(message["tool_calls"]).flatMap((each) => {
      const { id, name, args } = objectOf(each);
      const called = { id: looseText(id), name: looseText(name) ?? "unknown", data: args };
      if (called.id !== undefined && !this.#isNew(`call:${called.id}`)) return [];
      return this.#agentOf(node).callTool(called, meta);
    });
  }

  #usage(agent: AgentSignals, message: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const usage = looseObject(message["usage_metadata"]);
    const id = looseText(message["id"]);
    if (usage === undefined || (id !== undefined && !this.#isNew(`usage:${id}`))) return [];
    const promptTokens = looseCount(usage["input_tokens"]) ?? 0;
    const completionTokens = looseCount(usage["output_tokens"]) ?? 0;
    const about = looseObject(message["response_metadata"]);
    const model = looseText(about?.["model_name"]);
    return [agent.use({ promptTokens, completionTokens, model }, meta)];
  }

  #endNode(node: string, update: unknown, meta: SignalDraft): readonly SignalEnvelope[] {
    if (node === "__interrupt__") return this.#agentOf(undefined).wait("a person's answer", meta);
    const calls = messagesIn(update).flatMap((message) => looseList(message["tool_calls"]));
    // Its tools are other nodes; until they return it is not done.
    if (calls.length > 0) return [];
    return this.#agentOf(node).end(node, { reason: "success", problem: undefined }, meta);
  }

  #end(meta: SignalDraft): readonly SignalEnvelope[] {
    const stopped = { reason: "success", problem: undefined };
    return this.#agentOf(undefined).end(this.#runId ?? "run", stopped, meta);
  }

  #agentOf(node: string | undefined): AgentSignals {
    const id = node === undefined ? this.#fallback : `${this.#fallback}:${node}`;
    const known = this.#agents.get(id);
    if (known !== undefined) return known;
    const agent = new AgentSignals(this.#producer, id);
    this.#agents.set(id, agent);
    return agent;
  }

  /** Whether the message was not seen before. */
  #remember(message: Loose): boolean {
    const id = looseText(message["id"]);
    return id === undefined || this.#isNew(`message:${id}`);
  }

  #isNew(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}

function objectOf(value: unknown): Loose {
  return looseObject(value) ?? {};
}

function messagesIn(state: unknown): readonly Loose[] {
  const messages = looseObject(state)?.["messages"];
  return (Array.isArray(messages) ? messages : looseList([messages])).map(objectOf);
}

function isModels(message: Loose): boolean {
  const type = looseText(message["type"]);
  return type === "ai" || type === "AIMessageChunk";
}

/** Plain, or in blocks of several kinds. */
function textIn({ content }: Loose): string {
  if (typeof content === "string") return content;
  return looseList(content)
    .map((block) => looseText(objectOf(block)["text"]) ?? "")
    .join("");
}
