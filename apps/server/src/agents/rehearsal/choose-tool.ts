/**
 * Which tool a rehearsing agent would reach for: only one that looks things up, because a rehearsal
 * must not change anything, and only if its input can be made from the words of the request.
 */
import { own } from "@atrium/wire";
import type { ToolDeclaration } from "../turn/agent-runtime.ts";
import { fieldsOf } from "../turn/json-fields.ts";

const LOOKS_THINGS_UP = /(?:^|[^a-z])(?:search|find|look_?up|query|recall)(?:[^a-z]|$)/i;

export function chooseTool(
  tools: readonly ToolDeclaration[],
  topic: string,
): { readonly name: string; readonly input: unknown } | undefined {
  for (const { name, input } of tools) {
    const made = LOOKS_THINGS_UP.test(name) ? inputFor(input, topic) : undefined;
    if (made !== undefined) return { name, input: made };
  }
  return undefined;
}

/** One text is all a lookup needs; whatever needs more is not for a rehearsal to guess. */
function inputFor(
  schema: ToolDeclaration["input"],
  topic: string,
): Readonly<Record<string, string>> | undefined {
  const properties = fieldsOf(schema["properties"]);
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const [key = Object.keys(properties)[0], ...others] = required;
  if (typeof key !== "string" || others.length > 0) return undefined;
  const property = fieldsOf(own(properties, key));
  const isFreeText = property["type"] === "string" && !("enum" in property);
  return isFreeText ? { [key]: topic } : undefined;
}
