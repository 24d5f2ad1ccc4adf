/** Text to message: the type is looked up, then that type's check runs; commands have a second step by name. */
import { checkLater, type LaterCheck, type TSchema } from "@atrium/schema";
import { readJson, TOO_DEEP } from "@atrium/wire";
import {
  WORLD_CLIENT_MESSAGES,
  WORLD_COMMANDS,
  type WorldClientMessage,
  type WorldCommandName,
} from "@atrium/wire/world";
import { describeIssues } from "../../../platform/issues.ts";

export interface UnreadableMessage {
  /** Of what came, if it can be read. */
  readonly id: string | undefined;
  readonly problem: string;
}

export interface MessageReader {
  read(text: string, mayExplain: () => boolean): WorldClientMessage | UnreadableMessage;
  /** What is wrong with a command's data; undefined when nothing is. */
  flaw(name: WorldCommandName, data: unknown, mayExplain: () => boolean): string | undefined;
}

type Check = LaterCheck<TSchema>;

const MAX_ID_CHARS = 128;
const UNEXPLAINED = "invalid; too many such messages to say more";

/** Its checks are compiled when they are first needed. */
export function createMessageReader(): MessageReader {
  const messages = checksOf(WORLD_CLIENT_MESSAGES);
  const commands = checksOf(WORLD_COMMANDS);
  return {
    read(text, mayExplain) {
      const { value: read, problem } = readJson(text);
      const value = isObject(read) ? read : undefined;
      if (problem?.short === TOO_DEEP) {
        return { id: value && idOf(value), problem: mayExplain() ? problem.long : UNEXPLAINED };
      }
      if (value === undefined) {
        return { id: undefined, problem: mayExplain() ? "not a JSON object" : UNEXPLAINED };
      }
      const id = idOf(value);
      const { type } = value;
      const check = typeof type === "string" ? messages.get(type) : undefined;
      if (check === undefined) {
        const types = `/type: must be one of ${[...messages.keys()].join(", ")}`;
        return { id, problem: mayExplain() ? types : UNEXPLAINED };
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check of this type proved it
      if (check.Check(value)) return value as unknown as WorldClientMessage;
      return { id, problem: explain(check, value, mayExplain) };
    },
    flaw(name, data, mayExplain) {
      const check = commands.get(name);
      if (check === undefined || check.Check(data)) return undefined;
      return explain(check, data, mayExplain, "/payload/data");
    },
  };
}

function checksOf(schemas: Readonly<Record<string, TSchema>>): ReadonlyMap<string, Check> {
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, checkLater(schema)]));
}

function explain(check: Check, value: unknown, mayExplain: () => boolean, within = ""): string {
  if (!mayExplain()) return UNEXPLAINED;
  const issues = describeIssues(check.Errors(value));
  return within === "" ? issues : `${within}: ${issues}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function idOf({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_CHARS ? id : undefined;
}
