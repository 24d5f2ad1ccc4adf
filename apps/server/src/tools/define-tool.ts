/** One tool from its declaration: what it takes is checked before it is called. */
import { describeRefusal, type Refusal } from "@atrium/core";
import {
  checkLater,
  Type,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
} from "@atrium/schema";
import type { ToolResult } from "../agents/turn/agent-runtime.ts";
import { describeIssues } from "../platform/issues.ts";
import type { ToolCallContext } from "../runs/agent-policy.ts";
import type { Tool } from "./toolbox.ts";

export interface ToolDefinition<Input> {
  readonly name: string;
  /** For the agent that chooses: what it does and when to use it. */
  readonly description: string;
  readonly waitsForPeople?: true;
  readonly mayQuote?: true;
  readonly needsWorkspace?: true;
  /** Only for runs of these conversations, by their keys. */
  readonly isFor?: (key: string) => boolean;
  /** What it changes in the workspace is not known; any other says so in its result, or changes nothing. */
  readonly mayWrite?: true;
  readonly call: (input: Input, context: ToolCallContext) => ToolResult | Promise<ToolResult>;
}

/** Members that its input does not have are an error. */
export function defineTool<Members extends TProperties>(
  definition: ToolDefinition<Static<TObject<Members>>> & { readonly input: Members },
): Tool {
  const input: TObject<Members> = Type.Object(definition.input, { additionalProperties: false });
  return defineToolFor<TObject<Members>>(input, definition);
}

/** With a schema of one's own. */
export function defineToolFor<Input extends TSchema>(
  input: Input,
  definition: ToolDefinition<Static<Input>>,
): Tool {
  const { name, description, isFor } = definition;
  const validator = checkLater(input);
  return {
    name,
    description,
    input: Object.fromEntries(Object.entries(input)),
    ...(definition.waitsForPeople === true && { waitsForPeople: true }),
    ...(definition.mayQuote === true && { mayQuote: true }),
    ...(definition.needsWorkspace === true && { needsWorkspace: true }),
    ...(isFor !== undefined && { isFor }),
    inputProblem(given) {
      if (validator.Check(given)) return undefined;
      return `${name} cannot be called with that: ${describeIssues(validator.Errors(given))}`;
    },
    async call(given, context) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the toolbox has asked inputProblem first
      const result = await definition.call(given as Static<Input>, context);
      return definition.mayWrite === true ? result : { wrote: [], ...result };
    },
  };
}

export function textResult(value: unknown): ToolResult {
  return { text: JSON.stringify(value), isError: false };
}

export function objection(text: string): ToolResult {
  return { text, isError: true };
}

export function outsideTurn(tool: string): ToolResult {
  return objection(`${tool} can only be called during a turn. Nothing was done.`);
}

export function refusedResult(refusal: Refusal): ToolResult {
  return objection(describeRefusal(refusal));
}
