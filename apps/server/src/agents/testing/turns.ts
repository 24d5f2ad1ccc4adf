/** Turns for tests, and what came of them. */
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";

export function turnOf(prompt: string, more: Partial<Turn> = {}): Turn {
  return {
    runId: "run_1",
    conversation: { key: "agent:main:main", sessionId: "session_1" },
    agent: { id: "agent_eng_1", name: "Eng 1", role: "engineer" },
    instructions: "You are Eng 1.",
    history: [],
    prompt,
    attachments: [],
    wishes: {},
    env: {},
    form: "any",
    ...more,
  };
}

export function eventsOf(runtime: AgentRuntime, turn: Turn, host: TurnHost): Promise<TurnEvent[]> {
  return Array.fromAsync(runtime.start(turn, host));
}

export function textIn(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.delta : "")).join("");
}

export function typesIn(events: readonly TurnEvent[]): string[] {
  return events.map(({ type }) => type);
}
