/**
 * One entry of the log as the world hears of it: an event, a goal, something said, or nothing. Pure, so
 * that what is replayed, live and read back later is the same text, with the same id.
 */
import {
  approval,
  build,
  conversation,
  joinedSession,
  MAIN_KEY,
  officeChat,
  OFFICE_CHAT,
  project,
  question,
  signalSource,
  idIn,
  owns,
  streamOf,
  workspace,
  type Aggregate,
  type ConversationEvent,
  type Office,
  type OfficeCommand,
  type OfficeEvent,
  type ProjectEvent,
} from "@atrium/core";
import { message, type MessagePayload } from "../messages/message.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import { callOf } from "./translate-calls.ts";
import { encodeOfficeEvent } from "./translate-office.ts";
import { eventOf } from "./translate-project.ts";

export interface WorldEntry {
  readonly seq: number;
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  readonly data: unknown;
}

export type EntryChannel = "events" | "goals" | "chat" | "calls";

export interface EncodedMessage {
  readonly seq: number;
  readonly channel: EntryChannel;
  readonly text: string;
}

export type TranslateEntry = (entry: WorldEntry) => EncodedMessage | undefined;

/** The thread people have with the front desk, and the one where everyone hears everything. */
export const BD_THREAD = "bd_main";
const OFFICE_THREAD = "office";
const HOUSE = "office";

const OFFICE_LINES = streamOf(officeChat, OFFICE_CHAT);
const BD_TALK = streamOf(conversation, MAIN_KEY);

export interface TranslateDeps {
  /** It may change with the crew. */
  readonly frontDeskId: () => string;
  readonly office: Aggregate<Office, OfficeCommand, OfficeEvent>;
  readonly agentIdOf: (handle: string) => string;
}

export function createTranslate({ frontDeskId, office, agentIdOf }: TranslateDeps): TranslateEntry {
  return (entry) => {
    const { stream } = entry;
    const projectId = idIn(project, stream);
    if (projectId !== undefined) return ofProject(entry, projectId, frontDeskId());
    if (stream === OFFICE_LINES) return ofOfficeLine(entry);
    if (owns(office, stream)) return ofOffice(entry, office.read(entry));
    if (stream === BD_TALK) return ofTalk(entry, frontDeskId());
    if (owns(workspace, stream)) return ofWorkspace(entry);
    const call = callOf(entry, agentIdOf);
    return call && happening(entry, "calls", call);
  };
}

/** Tasks and places, and what anyone is doing: runs, what they ask, what others signal. */
const SHOWN: ReadonlySet<string> = new Set([
  project.name,
  officeChat.name,
  conversation.name,
  question.name,
  approval.name,
  build.name,
  signalSource.name,
  joinedSession.name,
]);

/** Whether an entry may change what a snapshot shows. */
export function affectsSnapshot({ stream }: Pick<WorldEntry, "stream">): boolean {
  return stream !== OFFICE_LINES && SHOWN.has(stream.slice(0, stream.indexOf("/")));
}

function ofProject(
  entry: WorldEntry,
  projectId: string,
  frontDeskId: string,
): EncodedMessage | undefined {
  const { seq } = entry;
  const event: ProjectEvent = project.read(entry);
  if (event.type === "project.bd_said") {
    const { text, actions } = event;
    const suggested = actions.map(({ action, label, taskId: task_id, artifactId: artifact_id }) => {
      return { action, label, ...omitEmpty({ task_id, artifact_id }) };
    });
    const line = { seq, thread_id: BD_THREAD, from: frontDeskId, to: "user", text };
    const offered = suggested.length > 0 ? { suggested_actions: suggested } : {};
    return chat(entry, { ...line, project_id: projectId, ...offered });
  }
  const payload = eventOf({ seq, project_id: projectId, at: event.at }, event);
  return payload && happening(entry, "events", payload);
}

const TASK_FILES = new RegExp(`^${streamOf(workspace, "")}(task_([a-z0-9_]+)_\\d+)$`);

/** Builds are told of in their own room. */
function ofWorkspace(entry: WorldEntry): EncodedMessage | undefined {
  const [, task_id, project_id] = TASK_FILES.exec(entry.stream) ?? [];
  const event = workspace.read(entry);
  if (task_id === undefined || event.type !== "workspace.restored") return undefined;
  const { seq, at } = entry;
  const about = { seq, project_id: `proj_${project_id}`, at, task_id };
  const { fromSeq: from_seq, by } = event;
  return happening(entry, "events", { name: "files_restored", ...about, from_seq, by: by.name });
}

function ofOffice({ seq, at }: WorldEntry, event: OfficeEvent): EncodedMessage | undefined {
  const encoded = encodeOfficeEvent({ seq, at }, event);
  if (encoded === undefined) return undefined;
  const text =
    encoded.channel === "goals"
      ? message("agent_goal", { id: `goal_${seq}`, ts: at }, encoded.payload)
      : message("event", { id: `evt_${seq}`, ts: at }, encoded.payload);
  return { seq, channel: encoded.channel, text };
}

function ofOfficeLine(entry: WorldEntry): EncodedMessage {
  const { from, to, text } = officeChat.read(entry);
  return chat(entry, { seq: entry.seq, thread_id: OFFICE_THREAD, from, to, text });
}

const SUBMIT = { action: "submit_request", label: "Make it a project" };

function ofTalk(entry: WorldEntry, frontDeskId: string): EncodedMessage | undefined {
  const event: ConversationEvent = conversation.read(entry);
  const { seq } = entry;
  const chatMessage = (from: string, to: string, text: string): EncodedMessage | undefined =>
    text === "" ? undefined : chat(entry, { seq, thread_id: BD_THREAD, from, to, text });
  switch (event.type) {
    case "run.requested":
      return chatMessage("user", frontDeskId, event.text);
    case "run.completed": {
      const { text, offer } = event;
      if (offer === undefined) return chatMessage(frontDeskId, "user", text);
      const line = { seq, thread_id: BD_THREAD, from: frontDeskId, to: "user", text };
      return chat(entry, { ...line, suggested_actions: [{ ...SUBMIT, text: offer }] });
    }
    case "run.aborted":
    case "message.injected":
      return chatMessage(frontDeskId, "user", event.text);
    case "run.failed":
      return chatMessage(HOUSE, "user", `There is no answer: ${event.reason}`);
    case "run.started":
    case "run.merged":
    case "run.stopping":
    case "run.delivered":
    case "run.compacted":
    case "run.session.named":
    case "run.calls.requested":
    case "run.calls.answered":
    case "run.tool.called":
    case "run.tool.returned":
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
      return undefined;
  }
}

function happening(
  { seq, at }: WorldEntry,
  channel: "events" | "calls",
  payload: MessagePayload<"event">,
): EncodedMessage {
  return { seq, channel, text: message("event", { id: `evt_${seq}`, ts: at }, payload) };
}

function chat({ seq, at }: WorldEntry, payload: MessagePayload<"chat">): EncodedMessage {
  return { seq, channel: "chat", text: message("chat", { id: `chat_${seq}`, ts: at }, payload) };
}
