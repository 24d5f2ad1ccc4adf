/**
 * What an ACP agent tells of its work, as events of the turn.
 *
 * Messages that are separate there (another id, or a tool between them) are kept apart as paragraphs. Tools are the
 * agent's own; each is told once and answered once, however often it is updated. A call is told when it is known what
 * it would do: some announce it before that. A call that people have denied is answered for when the agent goes on
 * without a word about it.
 */
import type { ContentBlock, SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { TurnEvent } from "../../turn/agent-runtime.ts";
import { fieldsOf, textIn } from "../../turn/json-fields.ts";
import { describeList } from "../../turn/preview/describe-call.ts";
import type { ReportedTools } from "../../turn/reported-tools.ts";
import { outputOf, textOf } from "./tool-output.ts";

export interface UpdateReader {
  readonly read: (update: SessionUpdate) => readonly TurnEvent[];
  /** The agent asks whether it may do this. */
  readonly asked: (call: ToolCallUpdate) => readonly TurnEvent[];
  readonly denied: (callId: string) => void;
  /** What it tells from here on answers another prompt. */
  readonly part: () => void;
  /** What is known of a call, with what it was asked for with. */
  readonly known: (call: ToolCallUpdate) => KnownCall;
}

export interface KnownCall {
  readonly name: string | undefined;
  /** What it is called before anything else is known of it; often the name of its tool. */
  readonly title: string | undefined;
  readonly input: unknown;
}

const DENIED = "This was not allowed, and it was not done.";
/** More than any turn makes; what an agent invents beyond is not kept. */
const MAX_CALLS = 10_000;

export function createUpdateReader(
  tools: ReportedTools,
  /** Our name of a tool that the agent calls so, when it is ours. */
  ownName: (seen: string | undefined) => string | undefined = () => undefined,
): UpdateReader {
  const calls = new Map<string, KnownCall>();
  const outputs = new Map<string, string>();
  const denials = new Set<string>();
  const paragraphs = createParagraphs();

  function textEvents(content: ContentBlock, id: string | null | undefined): readonly TurnEvent[] {
    const text = textOf(content);
    if (text === "") return [];
    return [...settleDenials(), { type: "text", delta: paragraphs.join(text, id) }];
  }

  function settleDenials(except?: string): readonly TurnEvent[] {
    const left = [...denials].filter((id) => id !== except);
    for (const id of left) denials.delete(id);
    return left.flatMap((id) => tools.returned(id, DENIED, true));
  }

  function known(call: ToolCallUpdate): KnownCall {
    const before = calls.get(call.toolCallId);
    const name = call.name ?? textIn(fieldsOf(call._meta), "toolName") ?? before?.name;
    const title = before?.title ?? call.title ?? undefined;
    const input = isTelling(call.rawInput) ? call.rawInput : (before?.input ?? call.rawInput);
    const now = { name, title, input };
    if (calls.size < MAX_CALLS || before !== undefined) calls.set(call.toolCallId, now);
    return now;
  }

  function tell(call: ToolCallUpdate): readonly TurnEvent[] {
    const { name, title, input } = known(call);
    const shown = ownName(name ?? title) ?? name ?? title ?? "tool";
    return tools.called(call.toolCallId, shown, input ?? {});
  }

  function useTool(call: ToolCallUpdate): readonly TurnEvent[] {
    const { toolCallId: id, status } = call;
    paragraphs.part();
    const isEarly = (status ?? "pending") === "pending" && !isTelling(known(call).input);
    if (isEarly) return settleDenials(id);
    const events = [...settleDenials(id), ...tell(call)];
    const output = outputOf(call);
    if (output !== "") outputs.set(id, output);
    if (status !== "completed" && status !== "failed") return events;
    const text = outputs.get(id) ?? (denials.has(id) ? DENIED : "");
    denials.delete(id);
    outputs.delete(id);
    return [...events, ...tools.returned(id, text, status === "failed")];
  }

  return {
    known,
    asked: (call) => [...settleDenials(call.toolCallId), ...tell(call)],
    denied: (callId) => void denials.add(callId),
    part: () => paragraphs.part(),
    read(update) {
      switch (update.sessionUpdate) {
        case "agent_message_chunk":
          return textEvents(update.content, update.messageId);
        case "agent_thought_chunk":
          return [...settleDenials(), { type: "thinking", delta: textOf(update.content) }];
        case "tool_call":
        case "tool_call_update":
          return useTool(update);
        case "plan": {
          const described = describeList(update.entries);
          return described === undefined ? [] : [{ type: "progress", ...described }];
        }
        // What it offers is its own affair; what it has spent is read elsewhere.
        case "usage_update":
        case "notice":
        case "user_message_chunk":
        case "available_commands_update":
        case "current_mode_update":
        case "config_option_update":
        case "session_info_update":
        case "compaction_update":
        case "compaction_summary_chunk":
          return [];
      }
    },
  };
}

interface Paragraphs {
  /** What follows is apart from what was said. */
  part(): void;
  join(text: string, messageId: string | null | undefined): string;
}

function createParagraphs(): Paragraphs {
  let hasSpoken = false;
  let isApart = false;
  let last: string | null | undefined;
  return {
    part: () => void (isApart = true),
    join(text, messageId) {
      const isNew = hasSpoken && (isApart || messageId !== last);
      hasSpoken = true;
      isApart = false;
      last = messageId;
      return isNew ? `\n\n${text}` : text;
    },
  };
}

/** Whether an input says what would be done; the folder it would be done in does not. */
export function isTelling(input: unknown): boolean {
  if (typeof input !== "object" || input === null) return input !== undefined && input !== null;
  return Object.keys(input).some((name) => name !== "cwd");
}
