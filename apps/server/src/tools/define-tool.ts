/** One tool from its declaration: what it takes is checked before it is called. */
import { describeRefusal, type Refusal } from "@atrium/core";
import { checkLater, type Static, type TSchema } from "@atrium/schema";
import type { ToolResult } from "../agents/turn/agent-runtime.ts";
import { describeIssues } from "../platform/issues.ts";
import type { ToolCallContext } from "../runs/agent-policy.ts";
import type { Tool } from "./toolbox.ts";

export interface ToolDefinition<Input extends TSchema> {
  readonly name: string;
  /** For the agent that chooses: what it does and when to use it. */
  readonly description: string;
  readonly input: Input;
  readonly waitsForPeople?: true;
  readonly mayQuote?: true;
  readonly call: (
    input: Static<Input>,
    context: ToolCallContext,
  ) => ToolResult | Promise<ToolResult>;
}

export function defineTool<Input extends TSchema>(definition: ToolDefinition<Input>): Tool {
  const { name, description, input } = definition;
  const validator = checkLater(input);
  return {
    name,
    description,
    input: Object.fromEntries(Object.entries(input)),
    ...(definition.waitsForPeople === true && { waitsForPeople: true }),
    ...(definition.mayQuote === true && { mayQuote: true }),
    inputProblem(given) {
      if (validator.Check(given)) return undefined;
      return `${name} cannot be called with that: ${describeIssues(validator.Errors(given))}`;
    },
    async call(given, context) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the toolbox asked objectionTo first
      return definition.call(given as Static<Input>, context);
    },
  };
}

/** A result that programs can read and models understand. */
export function textResult(value: unknown): ToolResult {
  return { text: JSON.stringify(value), isError: false };
}

export function objection(text: string): ToolResult {
  return { text, isError: true };
}

export function refusedResult(refusal: Refusal): ToolResult {
  return objection(describeRefusal(refusal));
}
