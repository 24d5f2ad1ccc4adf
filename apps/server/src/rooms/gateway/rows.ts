/** Core's words in the gateway's: a conversation as a session row, a message as a chat message. */
import type { ConversationRow, Message } from "@atrium/core";
import type { ChatMessage, SessionRow } from "@atrium/wire/gateway";

export function sessionRow(row: ConversationRow, withPreview: boolean): SessionRow {
  return {
    key: row.key,
    kind: "direct",
    agentId: row.handle,
    isMain: row.isMain,
    chatType: "direct",
    sessionId: row.sessionId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastActivityAt: row.updatedAt,
    archived: false,
    pinned: false,
    totalMessages: row.messages,
    ...(withPreview && { lastMessagePreview: row.preview }),
  };
}

/** `ordinal` counts the conversation's messages from 1. */
export function chatMessage(message: Message, ordinal: number, maxChars = Infinity): ChatMessage {
  return {
    ...spoken(message, maxChars),
    __openclaw: { id: message.id, seq: ordinal, recordTimestampMs: message.at },
  };
}

export function spoken(message: Message, maxChars = Infinity): ChatMessage {
  const isCut = message.text.length > maxChars;
  const text = isCut ? message.text.slice(0, maxChars) : message.text;
  return {
    role: message.role,
    content: [{ type: "text", text }],
    timestamp: message.at,
    ...(isCut && { truncated: true }),
    ...(message.injected && {
      stopReason: "stop",
      provider: "openclaw",
      model: "gateway-injected",
    }),
  };
}
