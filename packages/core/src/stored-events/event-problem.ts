/**
 * Whether an entry can be taken for what it says it is: its stream and type are known here, and it has the members that
 * every event of its type has. What is not so was damaged, or written by a newer version; it is kept, and nobody folds it.
 */
import type { Entry } from "@atrium/log";
import { approval } from "../approval/approval.ts";
import { build } from "../build/build.ts";
import { conversation } from "../conversation/conversation.ts";
import { device } from "../device/device.ts";
import { login } from "../login/login.ts";
import { invocation } from "../node/invocation.ts";
import { node } from "../node/node.ts";
import { officeChat } from "../office/chat.ts";
import { poll } from "../poll/poll.ts";
import { project } from "../project/project.ts";
import { question } from "../question/question.ts";
import { signalSource } from "../signal/signal-source.ts";
import { toolCall } from "../tool-call/tool-call.ts";
import {
  APPROVAL_EVENTS,
  BUILD_EVENTS,
  CONVERSATION_EVENTS,
  DEVICE_EVENTS,
  INVOCATION_EVENTS,
  LOGIN_EVENTS,
  NODE_EVENTS,
  OFFICE_EVENTS,
  POLL_EVENTS,
  PROJECT_EVENTS,
  QUESTION_EVENTS,
  SIGNAL_EVENTS,
  TOOL_CALL_EVENTS,
  type EventShape,
  type Kind,
} from "./event-shapes.ts";

interface KnownStream {
  readonly name: string;
  /** Gives the present shape of older entries, which is the one that is judged. */
  readonly read: (entry: Entry) => unknown;
}

type Members = readonly (readonly [name: string, kind: Kind])[];

interface KnownEvents {
  readonly read: KnownStream["read"];
  readonly shapes: ReadonlyMap<string, Members>;
}

const KNOWN: ReadonlyMap<string, KnownEvents> = new Map([
  know(conversation, CONVERSATION_EVENTS),
  know(approval, APPROVAL_EVENTS),
  know(question, QUESTION_EVENTS),
  know(poll, POLL_EVENTS),
  know(device, DEVICE_EVENTS),
  know(login, LOGIN_EVENTS),
  know(node, NODE_EVENTS),
  know(invocation, INVOCATION_EVENTS),
  know(signalSource, SIGNAL_EVENTS),
  know(toolCall, TOOL_CALL_EVENTS),
  know(build, BUILD_EVENTS),
  know(officeChat, OFFICE_EVENTS),
  know(project, PROJECT_EVENTS),
]);

/** What is wrong with an entry, in words; undefined when nothing is. */
export function findFlaw(entry: Entry): string | undefined {
  const { stream, type, data, at } = entry;
  const slash = stream.indexOf("/");
  const known = KNOWN.get(slash === -1 ? stream : stream.slice(0, slash));
  const members = known?.shapes.get(type);
  if (known === undefined) return "its stream is not known";
  if (members === undefined) return "its type is not known";
  if (data === undefined) return "its data is not JSON";
  if (!isRecord(data)) return "its data is not an object";
  if (!Number.isFinite(at)) return "its time is not a number";
  const event = known.read(entry);
  if (!isRecord(event)) return "its data is not an object";
  for (const [name, kind] of members) {
    // oxlint-disable-next-line atrium/no-name-lookup -- the names are those of our own table
    if (!isOfKind(event[name], kind)) return `${name} is not ${describeKind(kind)}`;
  }
  return undefined;
}

function know(
  { name, read }: KnownStream,
  shapes: Readonly<Record<string, EventShape>>,
): [string, KnownEvents] {
  const entries = Object.entries(shapes).map(([type, shape]) => [type, Object.entries(shape)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pairs, as they were just made
  return [name, { read, shapes: new Map(entries as [string, Members][]) }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "any":
      return true;
    case "string":
    case "boolean":
      return typeof value === kind;
    case "number":
      return Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "string?":
    case "boolean?":
      return value === null || typeof value === kind.slice(0, -1);
    case "number?":
      return value === null || Number.isFinite(value);
    case "array?":
      return value === null || Array.isArray(value);
    case "object?":
      return value === null || isRecord(value);
  }
}

function describeKind(kind: Kind): string {
  return kind.endsWith("?") ? `${kind.slice(0, -1)} or null` : kind;
}
