/** Text to frame, the same way at both ends: the tag is looked up, then that type's check runs. */
import { Compile, type TLocalizedValidationError, type TSchema } from "@atrium/schema";

/** What is wrong with a text that is no frame; `value` is what it said, if it was JSON. */
export interface UnreadableFrame {
  readonly problem: string;
  readonly value?: unknown;
}

export type FrameReader<Frame> = (text: string) => Frame | UnreadableFrame;

export function createFrameReader<Frame>(
  schemas: Readonly<Record<string, TSchema>>,
): FrameReader<Frame> {
  const checks = new Map(Object.entries(schemas).map(([type, schema]) => [type, Compile(schema)]));
  return (text) => {
    const value = parse(text);
    if (value === undefined) return { problem: "not JSON" };
    const type = typeOf(value);
    if (type === undefined) return { problem: "a frame is an object with a type", value };
    const check = checks.get(type);
    if (check === undefined) return { problem: `unknown type ${quote(type)}`, value };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check of this type proved it
    if (check.Check(value)) return value as Frame;
    return { problem: `${type}: ${firstIssue(check.Errors(value))}`, value };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON has no undefined, so this cannot be mistaken for a value.
    return undefined;
  }
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
  const [issue] = issues;
  if (issue === undefined) return "invalid";
  return `${issue.instancePath === "" ? "" : `${issue.instancePath} `}${issue.message}`;
}
