/** Says something in the conversation before the turn is over; the answer at its end comes besides. */
import { conversation, resolveKey, type CrewMember, type Dispatch, type Ids } from "@atrium/core";
import { Type } from "@atrium/schema";
import { defineTool, refusedResult, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface ReplyDeps {
  readonly crew: readonly CrewMember[];
  readonly dispatch: Dispatch;
  readonly ids: Ids;
}

export function replyTool({ crew, dispatch, ids }: ReplyDeps): Tool {
  return defineTool({
    name: "reply",
    description:
      "Sends a message to the people in this conversation at once, before your turn ends. Your final answer reaches them as well, so do not repeat it.",
    input: { text: Type.String({ minLength: 1, maxLength: 100_000 }) },
    async call({ text }, { key: written }) {
      const key = resolveKey(crew, written);
      if (!key.ok) return refusedResult(key);
      const messageId = ids.next();
      const message = {
        type: "inject",
        messageId,
        sessionId: ids.next(),
        text,
        label: null,
      } as const;
      const done = await dispatch(conversation, key.value.text, { ...message, key: key.value });
      return done.ok ? textResult({ said: true, messageId }) : refusedResult(done);
    },
  });
}
