import {
  accept,
  conversation,
  resolveKey,
  type Conversations,
  type CrewMember,
  type Dispatch,
  type Ids,
  type ReadTranscript,
} from "@atrium/core";
import { chatHistory, chatInject } from "@atrium/wire/gateway";
import { on, type Method } from "../../room.ts";
import { chatMessage, sessionRow } from "../rows.ts";

export interface ChatDeps {
  readonly dispatch: Dispatch;
  readonly ids: Ids;
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly transcript: ReadTranscript;
}

const DEFAULT_LIMIT = 200;

export function chatMethods(deps: ChatDeps): readonly Method[] {
  const { dispatch, ids, crew, conversations, transcript } = deps;
  return [
    on(chatInject, async ({ sessionKey, agentId, message, label }, { key: once }) => {
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      const done = await dispatch(
        conversation,
        key.value.text,
        {
          type: "inject",
          key: key.value,
          messageId: ids.next(),
          sessionId: ids.next(),
          text: message,
          label: label ?? null,
        },
        once,
      );
      if (!done.ok) return done;
      const { position, events } = done.value;
      const injected = events.find((event) => event.type === "message.injected");
      return accept({ ok: true, messageId: injected?.messageId ?? "", position });
    }),

    on(
      chatHistory,
      async ({ sessionKey, agentId, limit = DEFAULT_LIMIT, offset = 0, maxChars }) => {
        const key = resolveKey(crew, sessionKey, agentId);
        if (!key.ok) return key;
        const row = conversations.get(key.value.text);
        const empty = { sessionKey, messages: [], pendingInputs: { items: [], total: 0 } };
        if (row === undefined) return accept({ ...empty, hasMore: false, totalMessages: 0 });
        const { messages, hasMore } = await transcript(row.key, { limit, offset });
        const first = row.messages - offset - messages.length + 1;
        return accept({
          ...empty,
          sessionId: row.sessionId,
          messages: messages.map((message, index) => chatMessage(message, first + index, maxChars)),
          hasMore,
          ...(hasMore && { nextOffset: offset + messages.length }),
          totalMessages: row.messages,
          sessionInfo: sessionRow(row, false),
        });
      },
    ),
  ];
}
