/** Text to message: the type is looked up, then that type's check runs. What a command holds is checked when it is called. */
import { checkLater } from "@atrium/schema";
import { readJson, TOO_DEEP } from "@atrium/wire";
import { WORLD_CLIENT_MESSAGES, type WorldClientMessage } from "@atrium/wire/world";
import { UnreadableMessage } from "../../../pipeline/session-loop.ts";
import { describeIssues } from "../../../platform/issues.ts";

export type MessageReader = (
  text: string,
  mayExplain: () => boolean,
) => WorldClientMessage | UnreadableMessage;

const MAX_ID_CHARS = 128;
export const UNEXPLAINED = "invalid; too many such messages to say more";

export function createMessageReader(): MessageReader {
  const messages = new Map(
    Object.entries(WORLD_CLIENT_MESSAGES).map(([name, schema]) => [name, checkLater(schema)]),
  );
  return (text, mayExplain) => {
    const unreadable = (explain: () => string, id?: string): UnreadableMessage =>
      new UnreadableMessage(mayExplain() ? explain() : UNEXPLAINED, id);
    const { value: read, problem } = readJson(text);
    const value = isObject(read) ? read : undefined;
    const id = value && idOf(value);
    if (problem?.short === TOO_DEEP) return unreadable(() => problem.long, id);
    if (value === undefined) return unreadable(() => "not a JSON object");
    const { type } = value;
    const check = typeof type === "string" ? messages.get(type) : undefined;
    if (check === undefined) {
      return unreadable(() => `/type: must be one of ${[...messages.keys()].join(", ")}`, id);
    }
    if (check.Check(value)) return value;
    return unreadable(() => describeIssues(check.Errors(value)), id);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function idOf({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_CHARS ? id : undefined;
}
