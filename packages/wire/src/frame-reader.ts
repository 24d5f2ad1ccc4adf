/** Text to frame, the same way at both ends: the tag is looked up, then that type's check runs. */
import { Compile, type TLocalizedValidationError, type TSchema } from "@atrium/schema";
import { readJson } from "./json.ts";

/** What is wrong with a text that is no frame; `value` is what it said, if it was JSON. */
export class UnreadableFrame {
  readonly problem: string;
  readonly value: unknown;

  constructor(problem: string, value?: unknown) {
    this.problem = problem;
    this.value = value;
  }
}

export type FrameReader<Frame> = (text: string) => Frame | UnreadableFrame;

/** `judged` are types that are let in too deep, without their depths: whoever reads them looks at each part by itself. */
export function createFrameReader<Frame>(
  schemas: Readonly<Record<string, TSchema>>,
  judged: readonly string[] = [],
): FrameReader<Frame> {
  const checks = new Map(Object.entries(schemas).map(([type, schema]) => [type, Compile(schema)]));
  return (text) => {
    const { value, problem } = readJson(text);
    const type = typeOf(value);
    if (problem !== undefined && !(type !== undefined && judged.includes(type))) {
      return new UnreadableFrame(problem.short, value);
    }
    if (type === undefined) return new UnreadableFrame("a frame is an object with a type", value);
    const check = checks.get(type);
    if (check === undefined) return new UnreadableFrame(`unknown type ${quote(type)}`, value);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check of this type proved it
    if (check.Check(value)) return value as Frame;
    return new UnreadableFrame(`${type}: ${firstIssue(check.Errors(value))}`, value);
  };
}

function typeOf(value: unknown): string | undefined {
  const isTagged = typeof value === "object" && value !== null && "type" in value;
  return isTagged && typeof value.type === "string" ? value.type : undefined;
}

/** A stranger chose it, and it may end up in a close reason. */
function quote(type: string): string {
  return JSON.stringify(type.slice(0, 32));
}

function firstIssue(issues: readonly TLocalizedValidationError[]): string {
  // What a closed object has too much is reported by its schema, which is `false`, before it is named.
  const issue = issues.find(({ keyword }) => keyword === "additionalProperties") ?? issues[0];
  if (issue === undefined) return "invalid";
  const where = issue.instancePath === "" ? "" : `${issue.instancePath} `;
  if (issue.keyword !== "additionalProperties") return `${where}${issue.message}`;
  return `${where}has no ${quote(issue.params.additionalProperties[0] ?? "")}`;
}
