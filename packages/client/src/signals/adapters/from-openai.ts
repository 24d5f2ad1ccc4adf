/**
 * Chunks of an OpenAI chat completion (and of the many servers that speak the same) as signals.
 *
 * A tool call comes in pieces and is told when its arguments are whole: when the next begins or the choice finishes.
 * How the tool did is not in this stream. Usage comes in a last chunk without choices, or beside the last choice.
 */
import { own } from "@atrium/wire";
import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals, type ModelToolCall } from "../agent-signals.ts";
import { looseCount, looseObject, looseText, type Loose } from "../loose.ts";
import type { Producer, SignalAdapter, SignalDraft } from "../producer.ts";

/** Reasons that mean the answer is not what was asked for. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  length: "The answer was cut at the longest allowed.",
  content_filter: "The answer was withheld by a filter.",
};

export function createOpenaiSignals(producer: Producer, agentId: string): SignalAdapter {
  const completion = new OpenaiCompletion(new AgentSignals(producer, agentId));
  return (piece) => completion.take(looseObject(piece) ?? {});
}

class OpenaiCompletion {
  readonly #agent: AgentSignals;
  readonly #calls = new Map<number, ModelToolCall>();
  #id: string | undefined;
  #model: string | undefined;

  constructor(agent: AgentSignals) {
    this.#agent = agent;
  }

  take(chunk: Loose): readonly SignalEnvelope[] {
    this.#id = looseText(chunk["id"]) ?? this.#id;
    this.#model = looseText(chunk["model"]) ?? this.#model;
    const meta = { correlationId: this.#id };
    const failure = looseObject(chunk["error"]);
    if (failure !== undefined) return this.#agent.fail(this.#taskId, failure, meta);
    const choices = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    // Other choices are other answers to the same question; an agent says one.
    const choice = choices
      .map(looseObject)
      .find((each) => (looseCount(each?.["index"]) ?? 0) === 0);
    const used = looseObject(chunk["usage"]);
    return [
      ...(choice === undefined ? [] : this.#choice(choice, meta)),
      ...(used === undefined ? [] : [this.#usage(used, meta)]),
    ];
  }

  get #taskId(): string {
    return this.#id ?? "completion";
  }

  #choice(choice: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const delta = looseObject(choice["delta"]) ?? looseObject(choice["message"]) ?? {};
    const thought = looseText(delta["reasoning_content"]) ?? looseText(delta["reasoning"]) ?? "";
    const content = (looseText(delta["content"]) ?? "") + (looseText(delta["refusal"]) ?? "");
    const calls = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : [];
    const reason = looseText(choice["finish_reason"]);
    return [
      ...this.#agent.think(thought, meta),
      ...this.#agent.addText(content, meta),
      ...calls.flatMap((call) => this.#pieceOfCall(looseObject(call) ?? {}, meta)),
      ...(reason === undefined ? [] : this.#finish(reason, meta)),
    ];
  }

  #pieceOfCall(piece: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
    const place = looseCount(piece["index"]) ?? 0;
    const called = looseObject(piece["function"]);
    const json = looseText(called?.["arguments"]) ?? "";
    const known = this.#calls.get(place);
    if (known !== undefined) {
      known.json += json;
      return [];
    }
    const finished = this.#finishCalls(meta);
    const name = looseText(called?.["name"]) ?? "unknown";
    this.#calls.set(place, { id: looseText(piece["id"]), name, json });
    return finished;
  }

  #finishCalls(meta: SignalDraft): readonly SignalEnvelope[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    return calls.flatMap((call) => this.#agent.call(call, meta));
  }

  #finish(reason: string, meta: SignalDraft): readonly SignalEnvelope[] {
    const calls = this.#finishCalls(meta);
    // Tools are run by whoever asked, who then asks again: the work goes on.
    if (reason === "tool_calls" || reason === "function_call") return calls;
    const stopped = { reason, problem: own(CUT_SHORT, reason) };
    return [...calls, ...this.#agent.end(this.#taskId, stopped, meta)];
  }

  #usage(used: Loose, meta: SignalDraft): SignalEnvelope {
    const { cost } = used;
    return this.#agent.use(
      {
        promptTokens: looseCount(used["prompt_tokens"]) ?? 0,
        completionTokens: looseCount(used["completion_tokens"]) ?? 0,
        model: this.#model,
        ...(typeof cost === "number" && cost >= 0 && { cost }),
      },
      meta,
    );
  }
}
