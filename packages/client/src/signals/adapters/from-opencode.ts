/** The JSON lines of `opencode run --format json` as signals. A tool is told when it has returned, with its call. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { AgentSignals } from "../agent-signals.ts";
import { looseCount, looseObject, looseText, type Loose } from "../loose.ts";
import type { Producer, SignalAdapter, SignalDraft } from "../producer.ts";

export function createOpencodeSignals(producer: Producer, agentId: string): SignalAdapter {
  const agent = new AgentSignals(producer, agentId);
  return (piece) => {
    const line = looseObject(piece) ?? {};
    const sessionId = looseText(line["sessionID"]);
    const meta = { correlationId: sessionId, timestamp: looseCount(line["timestamp"]) };
    const part = looseObject(line["part"]) ?? {};
    switch (line["type"]) {
      case "step_start":
        return agent.begin(meta);
      case "text":
        return agent.addText(looseText(part["text"]) ?? "", meta);
      case "reasoning":
        return agent.think(looseText(part["text"]) ?? "", meta);
      case "tool_use":
        return tellTool(agent, part, meta);
      case "step_finish":
        return endStep(agent, part, sessionId ?? "session", meta);
      case "error": {
        const error = looseObject(line["error"]) ?? {};
        const failure = { code: error["name"], ...looseObject(error["data"]) };
        return agent.fail(sessionId ?? "session", failure, meta);
      }
      default:
        return [];
    }
  };
}

function tellTool(agent: AgentSignals, part: Loose, meta: SignalDraft): readonly SignalEnvelope[] {
  const state = looseObject(part["state"]) ?? {};
  const tool = { id: looseText(part["callID"]), name: looseText(part["tool"]) ?? "unknown" };
  const exit = looseObject(state["metadata"])?.["exit"];
  const isGood = state["status"] === "completed" && (exit === undefined || exit === 0);
  return [
    ...agent.callTool({ ...tool, data: state["input"] }, meta),
    ...agent.returnTool({ ...tool, data: state["output"] ?? state["error"] }, isGood, meta),
  ];
}

function endStep(
  agent: AgentSignals,
  part: Loose,
  taskId: string,
  meta: SignalDraft,
): readonly SignalEnvelope[] {
  const tokens = looseObject(part["tokens"]) ?? {};
  const cache = looseObject(tokens["cache"]) ?? {};
  const promptTokens = sum([tokens["input"], cache["read"], cache["write"]]);
  const completionTokens = sum([tokens["output"], tokens["reasoning"]]);
  const { cost } = part;
  const known = typeof cost === "number" && cost >= 0 ? { cost } : {};
  const used = agent.use({ promptTokens, completionTokens, model: undefined, ...known }, meta);
  const reason = looseText(part["reason"]) ?? "stop";
  // It goes on when its tools have returned.
  if (reason === "tool-calls") return [used];
  const problem = reason === "length" ? "The answer was cut at the longest allowed." : undefined;
  return [used, ...agent.end(taskId, { reason, problem }, meta)];
}

function sum(counts: readonly unknown[]): number {
  return counts.reduce<number>((total, count) => total + (looseCount(count) ?? 0), 0);
}
