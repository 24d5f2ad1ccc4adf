/**
 * Whether an entry can be taken for what it says it is: its stream and type are known here, and it has the members that
 * every event of its type has. What is not so was damaged, or written by a newer version; it is kept, and nobody folds it.
 */
import type { Entry } from "@atrium/log";
import { approval } from "../approval/approval.ts";
import { build } from "../build/build.ts";
import { conversation } from "../conversation/conversation.ts";
import { device } from "../device/device.ts";
import { readAs } from "../engine/codec.ts";
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

interface Member {
  readonly name: string;
  readonly kind: Kind;
  /** The kinds it may be of, one bit each. */
  readonly bits: number;
}

/** Every entry that anyone reads is judged, so nothing is made on the way. */
interface KnownEvent {
  readonly stream: string;
  readonly type: string;
  /** Undefined where an entry's data is the event as it is. */
  readonly read: KnownStream["read"] | undefined;
  readonly members: readonly Member[];
}

const SLASH = "/".charCodeAt(0);
const BITS = { string: 1, number: 2, boolean: 4, array: 8, object: 16 } as const;
const NULL = 32;
const NO_KIND = 64;
const ANY = -1;

const EVENTS: readonly KnownEvent[] = [
  ...know(conversation, CONVERSATION_EVENTS),
  ...know(approval, APPROVAL_EVENTS),
  ...know(question, QUESTION_EVENTS),
  ...know(poll, POLL_EVENTS),
  ...know(device, DEVICE_EVENTS),
  ...know(login, LOGIN_EVENTS),
  ...know(node, NODE_EVENTS),
  ...know(invocation, INVOCATION_EVENTS),
  ...know(signalSource, SIGNAL_EVENTS),
  ...know(toolCall, TOOL_CALL_EVENTS),
  ...know(build, BUILD_EVENTS),
  ...know(officeChat, OFFICE_EVENTS),
  ...know(project, PROJECT_EVENTS),
];

const STREAMS: ReadonlySet<string> = new Set(EVENTS.map(({ stream }) => stream));
const OF_TYPE = Map.groupBy(EVENTS, ({ type }) => type);

/** What is wrong with an entry, in words; undefined when nothing is. */
export function findEventProblem(entry: Entry): string | undefined {
  const { stream, type, data, at } = entry;
  const known = findKnown(stream, type);
  if (known === undefined) {
    const [name = ""] = stream.split("/", 1);
    return STREAMS.has(name) ? "its type is not known" : "its stream is not known";
  }
  if (data === undefined) return "its data is not JSON";
  if (!isRecord(data)) return "its data is not an object";
  if (!Number.isFinite(at)) return "its time is not a number";
  const event = known.read === undefined ? data : known.read(entry);
  if (!isRecord(event)) return "its data is not an object";
  for (const { name, kind, bits } of known.members) {
    // oxlint-disable-next-line atrium/no-name-lookup -- the names are those of our own table
    if ((bits & bitOf(event[name])) === 0) return `${name} is not ${describeKind(kind)}`;
  }
  return undefined;
}

function findKnown(stream: string, type: string): KnownEvent | undefined {
  for (const known of OF_TYPE.get(type) ?? []) {
    const { length } = known.stream;
    if (!stream.startsWith(known.stream)) continue;
    if (stream.length === length || stream.charCodeAt(length) === SLASH) return known;
  }
  return undefined;
}

function know(
  { name: stream, read }: KnownStream,
  shapes: Readonly<Record<string, EventShape>>,
): readonly KnownEvent[] {
  return Object.entries(shapes).map(([type, shape]) => ({
    stream,
    type,
    read: read === readAs ? undefined : read,
    members: Object.entries(shape).map(([name, kind]) => ({ name, kind, bits: bitsOf(kind) })),
  }));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bitsOf(kind: Kind): number {
  switch (kind) {
    case "any":
      return ANY;
    case "string":
    case "number":
    case "boolean":
    case "array":
    case "object":
      return BITS[kind];
    case "string?":
      return BITS.string | NULL;
    case "number?":
      return BITS.number | NULL;
    case "boolean?":
      return BITS.boolean | NULL;
    case "array?":
      return BITS.array | NULL;
    case "object?":
      return BITS.object | NULL;
  }
}

/** A kind that no member has (left out, not a finite number) is the bit that only any has. */
function bitOf(value: unknown): number {
  if (typeof value === "string") return BITS.string;
  if (typeof value === "number") return Number.isFinite(value) ? BITS.number : NO_KIND;
  if (typeof value === "boolean") return BITS.boolean;
  if (value === null) return NULL;
  if (typeof value !== "object") return NO_KIND;
  return Array.isArray(value) ? BITS.array : BITS.object;
}

function describeKind(kind: Kind): string {
  return kind.endsWith("?") ? `${kind.slice(0, -1)} or null` : kind;
}
