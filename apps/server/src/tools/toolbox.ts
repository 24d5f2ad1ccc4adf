/**
 * The tools that turns and programs may call, by name: those that are always there, and those that come and go with
 * whoever offers them.
 */
import type { ToolDeclaration, ToolResult } from "../agents/turn/agent-runtime.ts";
import type { AgentTools, ToolCallContext } from "../runs/agent-policy.ts";

export interface Tool extends ToolDeclaration {
  /** Why it cannot be called with that; undefined when it can. A tool without it takes anything. */
  inputProblem?(input: unknown): string | undefined;
  /** What it gives back may hold words of any conversation. */
  readonly mayQuote?: true;
  /** Only for runs that have one. */
  readonly needsWorkspace?: true;
  /** Only for runs of these conversations, by their keys. */
  isFor?(key: string): boolean;
  /** Only ever given what it has no objection to. */
  call(input: unknown, context: ToolCallContext): Promise<ToolResult>;
}

/** Where tools come from that are not always there. */
export interface ToolSource {
  list(): readonly Tool[];
  /** Also one that was listed before: calling it tells why it is gone. */
  find(name: string): Tool | undefined;
}

/** One that others can put tools into. */
export interface OpenToolbox extends AgentTools {
  readonly offer: (source: ToolSource) => void;
  /** Whether a tool's results may hold words of other conversations than the one it is called from. */
  readonly mayQuote: (name: string) => boolean;
}

type ToolUser = Parameters<AgentTools["declarationsFor"]>[0];

export function createToolbox(tools: readonly Tool[]): OpenToolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const sources: ToolSource[] = [];
  const all = (): readonly Tool[] => [...tools, ...sources.flatMap((source) => source.list())];
  const find = (name: string): Tool | undefined =>
    byName.get(name) ?? sources.map((source) => source.find(name)).find((tool) => tool);
  const isOffered = (tool: Tool, { workspace, key }: ToolUser): boolean =>
    (tool.needsWorkspace !== true || workspace !== undefined) &&
    (tool.isFor === undefined || (key !== undefined && tool.isFor(key)));

  function objectionTo(name: string, input: unknown, user: ToolUser = {}): string | undefined {
    const tool = find(name);
    // Nobody can call what is not offered, so it is not there.
    if (tool === undefined || !isOffered(tool, user)) {
      return unknownTool(name, declarationsFor(user));
    }
    return tool.inputProblem?.(input);
  }

  const declarationsFor: AgentTools["declarationsFor"] = (user) =>
    all()
      .filter((tool) => isOffered(tool, user))
      .map(({ name, description, input, waitsForPeople }) => ({
        name,
        description,
        input,
        ...(waitsForPeople === true && { waitsForPeople }),
      }));

  return {
    get names() {
      return all().map(({ name }) => name);
    },
    get declarations() {
      return declarationsFor({});
    },
    declarationsFor,
    offer: (source) => void sources.push(source),
    inputProblem: (name, input) => objectionTo(name, input),
    mayQuote: (name) => find(name)?.mayQuote === true,
    async call(name, input, context) {
      const tool = find(name);
      const objection = objectionTo(name, input, context);
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

export function unknownTool(name: string, tools: readonly { readonly name: string }[]): string {
  return `There is no tool ${name}. Tools: ${tools.map((tool) => tool.name).join(", ") || "none"}.`;
}
