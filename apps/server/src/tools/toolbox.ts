/** The tools that turns and programs may call, by name. */
import type { ToolDeclaration, ToolResult } from "../agents/agent-runtime.ts";

/** On whose behalf a tool is called. */
export interface ToolCallContext {
  /** The conversation it is called from. */
  readonly key: string;
  readonly runId: string | null;
  readonly agentId: string;
  readonly signal: AbortSignal;
}

export interface Tool extends ToolDeclaration {
  /** Why it cannot be called with that; undefined when it can. A tool without it takes anything. */
  objectionTo?(input: unknown): string | undefined;
  /** Only ever given what it has no objection to. */
  call(input: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export interface Toolbox {
  readonly declarations: readonly ToolDeclaration[];
  objectionTo(name: string, input: unknown): string | undefined;
  /** A tool nobody has, input it objects to, or one that throws, is an error result. */
  call(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  function objectionTo(name: string, input: unknown): string | undefined {
    const tool = byName.get(name);
    if (tool !== undefined) return tool.objectionTo?.(input);
    return `There is no tool ${name}. Tools: ${[...byName.keys()].join(", ") || "none"}.`;
  }

  return {
    declarations: tools.map(({ name, description, input }) => ({ name, description, input })),
    objectionTo,
    async call(name, input, context) {
      const tool = byName.get(name);
      const objection = objectionTo(name, input);
      if (tool === undefined || objection !== undefined) {
        return { text: objection ?? "", isError: true };
      }
      try {
        return await tool.call(input, context);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        return { text: `${name} failed: ${why}`, isError: true };
      }
    },
  };
}
