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
  call(input: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export interface Toolbox {
  readonly declarations: readonly ToolDeclaration[];
  /** A tool nobody has, or one that throws, is an error result. */
  call(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    declarations: tools.map(({ name, description, input }) => ({ name, description, input })),
    async call(name, input, context) {
      const tool = byName.get(name);
      if (tool === undefined) {
        const known = [...byName.keys()].join(", ") || "none";
        return { text: `There is no tool ${name}. Tools: ${known}.`, isError: true };
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
