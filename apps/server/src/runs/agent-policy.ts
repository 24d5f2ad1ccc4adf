/** On which terms an agent works: what it may use, what it may spend, and how long a turn may take. */
import type { ToolDeclaration, ToolResult } from "../agents/turn/agent-runtime.ts";
import type { Budgets } from "./spend-brakes.ts";

/** On whose behalf a tool is called. */
export interface ToolCallContext {
  /** The conversation it is called from. */
  readonly key: string;
  readonly runId: string | null;
  readonly agentId: string;
  readonly signal: AbortSignal;
}

/** The tools that an agent may call. */
export interface AgentTools {
  /** As of now. */
  readonly declarations: readonly ToolDeclaration[];
  inputProblem(name: string, input: unknown): string | undefined;
  /** A tool nobody has, input it objects to, or one that throws, is an error result. */
  call(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export interface AgentPolicy {
  readonly tools: AgentTools;
  readonly budgets: Budgets;
  readonly timeoutMs: number;
}

export type AgentPolicyOf = (agentId: string) => AgentPolicy;
