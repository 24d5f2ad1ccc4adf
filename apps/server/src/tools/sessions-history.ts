import {
  resolveKey,
  type Conversations,
  type CrewMember,
  type Message,
  type ReadTranscript,
} from "@atrium/core";
import { Type } from "@atrium/schema";
import { defineTool, objection, refusedResult, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** What an agent is told of one message; the whole of it would crowd out everything else it knows. */
const MAX_CHARS = 4_000;

export interface SessionsHistoryDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly transcript: ReadTranscript;
}

export function sessionsHistoryTool(deps: SessionsHistoryDeps): Tool {
  return defineTool({
    name: "sessions_history",
    mayQuote: true,
    description: "Returns the newest messages of a conversation, oldest first.",
    input: {
      sessionKey: Type.String({ minLength: 1 }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT })),
      includeTools: Type.Optional(Type.Boolean()),
    },
    async call({ sessionKey, limit = DEFAULT_LIMIT, includeTools = false }) {
      const key = resolveKey(deps.crew, sessionKey);
      if (!key.ok) return refusedResult(key);
      const { text } = key.value;
      if (deps.conversations.get(text) === undefined) {
        return objection(`There is no conversation ${text}.`);
      }
      const { messages, hasMore } = await deps.transcript(text, { limit, offset: 0 });
      const shown = messages.filter(({ kind }) => includeTools || !kind.startsWith("tool-"));
      return textResult({ sessionKey: text, hasMore, messages: shown.map(shorten) });
    },
  });
}

function shorten(message: Message): Readonly<Record<string, unknown>> {
  const { kind, text, at } = message;
  const isLong = text.length > MAX_CHARS;
  return {
    role: kind,
    at: new Date(at).toISOString(),
    ...("name" in message && { tool: message.name }),
    text: isLong ? text.slice(0, MAX_CHARS) : text,
    ...(isLong && { cutOffChars: text.length - MAX_CHARS }),
  };
}
