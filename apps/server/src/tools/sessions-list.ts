import type { Conversations } from "@atrium/core";
import { Type } from "@atrium/schema";
import { defineTool, textResult } from "./define-tool.ts";
import { rowOf } from "./session-status.ts";
import type { Tool } from "./toolbox.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export interface SessionsListDeps {
  readonly conversations: Pick<Conversations, "list">;
}

export function sessionsListTool({ conversations }: SessionsListDeps): Tool {
  return defineTool({
    name: "sessions_list",
    mayQuote: true,
    description: "Lists conversations, the latest first.",
    input: {
      agentId: Type.Optional(
        Type.String({ minLength: 1, description: "Only conversations of this agent." }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT })),
    },
    call({ agentId, limit = DEFAULT_LIMIT }) {
      const found = conversations
        .list()
        .filter(({ handle }) => agentId === undefined || handle === agentId);
      const sessions = found.slice(0, limit).map(rowOf);
      return textResult({ count: sessions.length, total: found.length, sessions });
    },
  });
}
