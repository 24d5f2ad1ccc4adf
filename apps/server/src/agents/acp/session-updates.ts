/**
 * What an ACP agent tells of its work, as events of the turn.
 *
 * Messages that are separate there (another id, or a tool between them) are kept apart as paragraphs.
 * Tools are the agent's own; each is told once and answered once, however often it is updated.
 */
import type {
  ContentBlock,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { describeList } from "../turn/describe-call.ts";
import type { ReportedTools } from "../turn/reported-tools.ts";

export type ReadUpdate = (update: SessionUpdate) => readonly TurnEvent[];

export function createUpdateReader(tools: ReportedTools): ReadUpdate {
  const outputs = new Map<string, string>();
  let hasSpoken = false;
  let isApart = false;
  let messageId: string | null | undefined;

  function textEvents(content: ContentBlock, id: string | null | undefined): readonly TurnEvent[] {
    const text = textOf(content);
    if (text === "") return [];
    const isNew = hasSpoken && (isApart || id !== messageId);
    hasSpoken = true;
    isApart = false;
    messageId = id;
    return [{ type: "text", delta: isNew ? `\n\n${text}` : text }];
  }

  function useTool(call: ToolCallUpdate): readonly TurnEvent[] {
    const { toolCallId: id, status } = call;
    isApart = true;
    const events = tools.called(id, call.name ?? call.title ?? "tool", call.rawInput ?? {});
    const output = outputOf(call);
    if (output !== "") outputs.set(id, output);
    if (status !== "completed" && status !== "failed") return events;
    return [...events, ...tools.returned(id, outputs.get(id) ?? "", status === "failed")];
  }

  return (update) => {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return textEvents(update.content, update.messageId);
      case "agent_thought_chunk":
        return [{ type: "thinking", delta: textOf(update.content) }];
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
  };
}

function outputOf({ content, rawOutput }: ToolCallUpdate): string {
  const text = (content ?? []).map(contentText).join("\n");
  if (text !== "" || rawOutput === undefined || rawOutput === null) return text;
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}

function contentText(content: ToolCallContent): string {
  switch (content.type) {
    case "content":
      return textOf(content.content);
    case "diff":
      return `${content.oldText === undefined || content.oldText === null ? "Wrote" : "Changed"} ${content.path}`;
    case "terminal":
      return "";
  }
}

function textOf(content: ContentBlock): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "resource_link":
      return content.uri;
    case "resource":
      return "text" in content.resource ? content.resource.text : content.resource.uri;
    case "image":
    case "audio":
      return `(${content.type}, ${content.mimeType})`;
  }
}
