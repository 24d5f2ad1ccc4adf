/** The last known state of each agent of a stream, so that a change of state can name the one before. */
import type { AgentState, SignalEnvelope } from "@atrium/wire/signal";
import type { EmitSignal, SignalDraft } from "./producer.ts";

export type MoveTo = (
  agentId: string,
  to: AgentState,
  meta?: SignalDraft & { readonly reason?: string | undefined },
) => readonly SignalEnvelope[];

/** No signal when nothing changes. */
export function createAgentStates(emit: EmitSignal): MoveTo {
  const states = new Map<string, AgentState>();
  return (agentId, to, { reason, ...meta } = {}) => {
    const from = states.get(agentId) ?? "idle";
    if (from === to) return [];
    states.set(agentId, to);
    const payload = { agentId, from, to, ...(reason !== undefined && { reason }) };
    return [emit("agent_state_change", payload, meta)];
  };
}
