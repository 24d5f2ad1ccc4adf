/**
 * What a program says on its standard output: JSON lines whose `type` is one of these, and text, which
 * is everything else. docs/agents.md describes them for whoever writes such a program.
 */
import { Compile, Type, type Static, type TSchema } from "@atrium/schema";
import { parseJson } from "@atrium/wire";

const Id = Type.String({ minLength: 1, maxLength: 200 });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Tokens = Type.Integer({ minimum: 0 });

const SAID = {
  text: Type.Object({ type: Type.Literal("text"), delta: Type.String() }),
  thinking: Type.Object({ type: Type.Literal("thinking"), delta: Type.String() }),
  usage: Type.Object({
    type: Type.Literal("usage"),
    inputTokens: Tokens,
    outputTokens: Tokens,
    cost: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  artifact: Type.Object({
    type: Type.Literal("artifact"),
    name: Name,
    mediaType: Type.Optional(Name),
    text: Type.String(),
  }),
  // A tool of the program's own, told for those who watch.
  "tool.called": Type.Object({
    type: Type.Literal("tool.called"),
    id: Id,
    name: Name,
    input: Type.Optional(Type.Unknown()),
  }),
  "tool.returned": Type.Object({
    type: Type.Literal("tool.returned"),
    id: Id,
    text: Type.String(),
    isError: Type.Optional(Type.Boolean()),
  }),
  // Requests: each is answered by one line on file descriptor 3.
  tool: Type.Object({
    type: Type.Literal("tool"),
    id: Id,
    name: Name,
    input: Type.Optional(Type.Unknown()),
  }),
  ask: Type.Object({
    type: Type.Literal("ask"),
    id: Id,
    text: Type.String({ minLength: 1 }),
    options: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  }),
  approve: Type.Object({
    type: Type.Literal("approve"),
    id: Id,
    tool: Name,
    summary: Type.String({ minLength: 1 }),
    // All of what would be done, where that is more than words; the summary is then only what is said of it.
    input: Type.Optional(Type.Unknown()),
  }),
  completed: Type.Object({
    type: Type.Literal("completed"),
    stopReason: Type.Optional(Type.Union([Type.Literal("stop"), Type.Literal("length")])),
  }),
  failed: Type.Object({
    type: Type.Literal("failed"),
    kind: Type.Optional(
      Type.Union([
        Type.Literal("refusal"),
        Type.Literal("timeout"),
        Type.Literal("rate_limit"),
        Type.Literal("context_length"),
        Type.Literal("unavailable"),
        Type.Literal("unknown"),
      ]),
    ),
    reason: Type.String({ minLength: 1 }),
  }),
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
