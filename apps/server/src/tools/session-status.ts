import {
  resolveKey,
  type ConversationRow,
  type Conversations,
  type CrewMember,
} from "@atrium/core";
import { Type } from "@atrium/schema";
import { defineTool, objection, refusedResult, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface SessionStatusDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
}

export function sessionStatusTool({ crew, conversations }: SessionStatusDeps): Tool {
  return defineTool({
    name: "session_status",
    mayQuote: true,
    description:
      "Returns the state of a conversation: its active run, how many messages wait, what it has used. Without a key: this conversation.",
    input: { sessionKey: Type.Optional(Type.String({ minLength: 1 })) },
    call({ sessionKey }, context) {
      const key = resolveKey(crew, sessionKey ?? context.key);
      if (!key.ok) return refusedResult(key);
      const row = conversations.get(key.value.text);
      if (row === undefined) return objection(`There is no conversation ${key.value.text}.`);
      return textResult(rowOf(row));
    },
  });
}

export function rowOf(row: ConversationRow): Readonly<Record<string, unknown>> {
  const { runs, settings, usage } = row;
  return {
    key: row.key,
    agentId: row.handle,
    ...(settings.label !== null && { label: settings.label }),
    title: row.title,
    messages: row.messages,
    updatedAt: new Date(row.updatedAt).toISOString(),
    status: runs.active === null ? "idle" : runs.active.stage,
    ...(runs.active !== null && { activeRunId: runs.active.runId }),
    waiting: runs.queue.length,
    lastRun: row.lastRun,
    ...usage,
  };
}
