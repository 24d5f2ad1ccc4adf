import type { AgentTools } from "../runs/agent-policy.ts";
/** A toolbox from which an agent may take only some tools; the others are not there for it. */
import { fits } from "./name-pattern.ts";
import { unknownTool } from "./toolbox.ts";

/** `patterns` are names in which `*` stands for anything; left out: everything is allowed. */
export function allowTools(
  toolbox: AgentTools,
  patterns: readonly string[] | undefined,
): AgentTools {
  if (patterns === undefined) return toolbox;
  const isAllowed = (name: string): boolean => patterns.some((pattern) => fits(pattern, name));
  const allowed: AgentTools = {
    get names() {
      return toolbox.names.filter(isAllowed);
    },
    get declarations() {
      return toolbox.declarations.filter(({ name }) => isAllowed(name));
    },
    declarationsFor: (run) => toolbox.declarationsFor(run).filter(({ name }) => isAllowed(name)),
    inputProblem: (name, input) =>
      isAllowed(name) ? toolbox.inputProblem(name, input) : unknownTool(name, allowed.declarations),
    async call(name, input, context) {
      if (isAllowed(name)) return toolbox.call(name, input, context);
      return { text: unknownTool(name, allowed.declarations), isError: true };
    },
  };
  return allowed;
}

/** Those of the patterns that name one tool exactly. */
export function exactNames(patterns: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !pattern.includes("*"));
}
