/**
 * What a program says on its standard output: JSON lines whose `type` is one of these, and text, which
 * is everything else. docs/agents.md describes them for whoever writes such a program.
 */
import { Compile, Type, type Static, type TProperties, type TSchema } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import type { TurnFailureKind } from "../turn/agent-runtime.ts";

const Id = Type.String({ minLength: 1, maxLength: 200 });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Tokens = Type.Integer({ minimum: 0 });

const Anything = Type.Optional(Type.Unknown());
const KINDS = [
  "refusal",
  "timeout",
  "rate_limit",
  "context_length",
  "unavailable",
  "unknown",
] as const satisfies readonly TurnFailureKind[];

const lineOf = <Name extends string, Members extends TProperties>(type: Name, members: Members) =>
  Type.Object({ type: Type.Literal(type), ...members });

const oneOf = <Name extends string>(names: readonly Name[]) =>
  Type.Optional(Type.Unsafe<Name>(Type.Union(names.map((name) => Type.Literal(name)))));

const SAID = {
  text: lineOf("text", { delta: Type.String() }),
  thinking: lineOf("thinking", { delta: Type.String() }),
  usage: lineOf("usage", {
    inputTokens: Tokens,
    outputTokens: Tokens,
    cost: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  artifact: lineOf("artifact", { name: Name, mediaType: Type.Optional(Name), text: Type.String() }),
  // A tool of the program's own, told for those who watch.
  "tool.called": lineOf("tool.called", { id: Id, name: Name, input: Anything }),
  "tool.returned": lineOf("tool.returned", {
    id: Id,
    text: Type.String(),
    isError: Type.Optional(Type.Boolean()),
  }),
  // Requests: each is answered by one line on file descriptor 3.
  tool: lineOf("tool", { id: Id, name: Name, input: Anything }),
  ask: lineOf("ask", {
    id: Id,
    text: Type.String({ minLength: 1 }),
    options: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  }),
  // `input` is all of what would be done, where that is more than words; the summary only describes it.
  approve: lineOf("approve", {
    id: Id,
    tool: Name,
    summary: Type.String({ minLength: 1 }),
    input: Anything,
  }),
  completed: lineOf("completed", { stopReason: oneOf(["stop", "length"]) }),
  failed: lineOf("failed", { kind: oneOf(KINDS), reason: Type.String({ minLength: 1 }) }),
} as const;

export type OutputLine = Static<(typeof SAID)[keyof typeof SAID]>;

export type ParseOutputLine = (line: string) => OutputLine | undefined;

/** Undefined for a line that is text, whatever it looks like. */
export function createReadSaid(): ParseOutputLine {
  const checks = new Map(
    Object.entries<TSchema>(SAID).map(([type, schema]) => [type, Compile(schema)]),
  );
  return (line) => {
    const value = parseJson(line);
    if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
    const check = typeof value.type === "string" ? checks.get(value.type) : undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Check() just proved it
    return check?.Check(value) === true ? (value as OutputLine) : undefined;
  };
}
