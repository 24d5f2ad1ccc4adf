/** Agents that say what a test has them say, and keep what they were told. */
import { createRehearsal } from "../../agents/rehearsal/rehearsal.ts";
import type { AgentRuntime, Turn, TurnHost } from "../../agents/turn/agent-runtime.ts";

export interface ScriptedAgents {
  readonly runtime: AgentRuntime;
  /** Every turn so far, the newest last. */
  readonly turns: readonly Turn[];
}

type Line = (turn: Turn, host: TurnHost) => string | Promise<string>;

export function scriptAgents(script: { readonly plan: Line; readonly task: Line }): ScriptedAgents {
  const turns: Turn[] = [];
  const rehearsal = createRehearsal("scripted", { pace: 0 });
  const runtime: AgentRuntime = {
    ...rehearsal,
    async *start(turn, host) {
      turns.push(turn);
      const line = turn.form === "plan" ? script.plan : script.task;
      yield { type: "text", delta: await line(turn, host) };
      yield { type: "completed", stopReason: "stop" };
    },
  };
  return { runtime, turns };
}

/** A plan as a planner answers with it: the title of each task, and what else is said of it. */
export function planOf(tasks: Readonly<Record<string, object>>): string {
  return JSON.stringify({
    title: "All of it",
    summary: "In order.",
    tasks: Object.entries(tasks).map(([title, more]) => ({ title, ...more })),
  });
}
