/** On which terms an agent works: what it may use, what it may spend, and how long a turn may take. */
import type { ToolDeclaration, ToolResult, TurnWorkspace } from "../agents/turn/agent-runtime.ts";
import type { Budgets } from "./spend-brakes.ts";

export interface ToolCallContext {
  readonly key: string;
  readonly runId: string | null;
  readonly agentId: string;
  /** Left out: the call has no folder to work in. */
  readonly workspace?: TurnWorkspace;
  readonly signal: AbortSignal;
  /** Takes output while the call is at work, as it is to be shown; left out: nobody watches. */
  readonly onOutput?: (text: string) => void;
}

export interface AgentTools {
  /** Of all of them, offered or not. */
  readonly names: readonly string[];
  /** As of now, for whoever has no workspace, in any conversation. */
  readonly declarations: readonly ToolDeclaration[];
  /** The same for one run: those that work on files are offered where there are files. */
  declarationsFor(
    run: Partial<Pick<ToolCallContext, "workspace" | "key">>,
  ): readonly ToolDeclaration[];
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
