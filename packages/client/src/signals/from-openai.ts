/**
 * Chunks of an OpenAI chat completion (and of the many servers that speak the same) as signals.
 *
 * A tool call comes in pieces and is told when its arguments are whole: when the next begins or the choice finishes.
 * How the tool did is not in this stream. Usage comes in a last chunk without choices, or beside the last choice.
 */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { createAgentStates } from "./agent-states.ts";
import { asObject, looseCount, looseJson, looseObject, looseText, type Loose } from "./loose.ts";
import { createTell, type Producer, type SignalAdapter, type Told } from "./producer.ts";

interface OpenCall {
  readonly id: string | undefined;
  readonly name: string;
  json: string;
}

/** Reasons that mean the answer is not what was asked for. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  length: "The answer was cut at the longest allowed.",
  content_filter: "The answer was withheld by a filter.",
};

export function createOpenaiSignals(producer: Producer, agentId: string): SignalAdapter {
  const tell = createTell(producer);
  const moveTo = createAgentStates(tell);
  const openCalls = new Map<number, OpenCall>();
  let index = 0;
  let completion: string | undefined;
  let model: string | undefined;

  function finishCalls(told: Told): SignalEnvelope[] {
    const calls = [...openCalls.values()];
    openCalls.clear();
    return calls.flatMap(({ id, name, json }) => {
      const input = asObject(looseJson(json)) ?? (json === "" ? undefined : { text: json });
      const payload = {
        toolName: name,
        agentId,
        ...(id !== undefined && { callId: id }),
        ...(input !== undefined && { input: { ...input } }),
      };
      return [
        tell("tool_call", payload, told),
        ...moveTo(agentId, "acting", { ...told, reason: name }),
      ];
    });
  }

  function pieceOfCall(piece: Loose, told: Told): readonly SignalEnvelope[] {
    const place = looseCount(piece["index"]) ?? 0;
    const called = looseObject(piece["function"]);
    const json = looseText(called?.["arguments"]) ?? "";
    const known = openCalls.get(place);
    if (known !== undefined) {
      known.json += json;
      return [];
    }
    const finished = finishCalls(told);
    const name = looseText(called?.["name"]) ?? "unknown";
    openCalls.set(place, { id: looseText(piece["id"]), name, json });
    return finished;
  }

  function words(delta: Loose, told: Told): readonly SignalEnvelope[] {
    const signals: SignalEnvelope[] = [];
    const thought = looseText(delta["reasoning_content"]) ?? looseText(delta["reasoning"]) ?? "";
    if (thought !== "") {
      signals.push(...moveTo(agentId, "thinking", told));
      signals.push(tell("thinking", { agentId, content: thought }, told));
    }
    const content = (looseText(delta["content"]) ?? "") + (looseText(delta["refusal"]) ?? "");
    if (content !== "") {
      signals.push(...moveTo(agentId, "thinking", told));
      signals.push(tell("text_delta", { agentId, content, index: index++ }, told));
    }
    return signals;
  }

  function finish(reason: string, told: Told): readonly SignalEnvelope[] {
    const calls = finishCalls(told);
    // Tools are run by whoever asked, who then asks again: the work goes on.
    if (reason === "tool_calls" || reason === "function_call") return calls;
    const message = CUT_SHORT[reason];
    const taskId = completion ?? "completion";
    const done = tell("completion", { taskId, success: message === undefined, agentId }, told);
    if (message === undefined) return [...calls, done, ...moveTo(agentId, "done", told)];
    const error = tell("error", { message, severity: "warning", agentId, code: reason }, told);
    return [...calls, error, done, ...moveTo(agentId, "error", { ...told, reason: message })];
  }

  function usage(used: Loose, told: Told): readonly SignalEnvelope[] {
    const promptTokens = looseCount(used["prompt_tokens"]) ?? 0;
    const completionTokens = looseCount(used["completion_tokens"]) ?? 0;
    const cost = used["cost"];
    const payload = {
      agentId,
      promptTokens,
      completionTokens,
      ...(model !== undefined && { model }),
      ...(typeof cost === "number" && cost >= 0 && { cost }),
    };
    return [tell("token_usage", payload, told)];
  }

  return (piece) => {
    const chunk = looseObject(piece);
    if (chunk === undefined) return [];
    completion = looseText(chunk["id"]) ?? completion;
    model = looseText(chunk["model"]) ?? model;
    const told = { correlationId: completion };
    const failure = looseObject(chunk["error"]);
    if (failure !== undefined) {
      const message = looseText(failure["message"]) ?? "The model failed.";
      const code = looseText(failure["code"]) ?? looseText(failure["type"]);
      const error = {
        message,
        severity: "error",
        agentId,
        ...(code !== undefined && { code }),
      } as const;
      const taskId = completion ?? "completion";
      return [
        tell("error", error, told),
        tell("completion", { taskId, success: false, agentId, result: message }, told),
        ...moveTo(agentId, "error", { ...told, reason: message }),
      ];
    }
    const signals: SignalEnvelope[] = [];
    const choices = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    // Other choices are other answers to the same question; an agent says one.
    const choice = choices
      .map(looseObject)
      .find((each) => (looseCount(each?.["index"]) ?? 0) === 0);
    if (choice !== undefined) {
      const delta = looseObject(choice["delta"]) ?? looseObject(choice["message"]) ?? {};
      signals.push(...words(delta, told));
      const calls = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : [];
      for (const call of calls.map(looseObject)) {
        if (call !== undefined) signals.push(...pieceOfCall(call, told));
      }
      const reason = looseText(choice["finish_reason"]);
      if (reason !== undefined) signals.push(...finish(reason, told));
    }
    const used = looseObject(chunk["usage"]);
    return used === undefined ? signals : [...signals, ...usage(used, told)];
  };
}
