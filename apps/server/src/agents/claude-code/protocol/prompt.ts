/** A turn as a message to Claude Code, which must take it as a message and as nothing else. */
import type { Turn, TurnInbound, TurnMessage } from "../../turn/agent-runtime.ts";
import { asText, isText, notSentNote } from "../../turn/attachments.ts";
import { promptWithContext } from "../../turn/prompt-with-context.ts";
import type { ClaudePrompt } from "./claude-process.ts";
import { isReadable } from "./prompt-content.ts";

export interface PromptOptions {
  readonly isTyped: boolean;
  readonly isHistoryKnown: boolean;
}

/** At the beginning these call a command, run a shell or write a memory; people's words must do none of it. */
const SPECIAL = /^\s*[/!#&]/;

export function asMessage(text: string): string {
  return SPECIAL.test(text) ? `Message: ${text}` : text;
}

export function promptOf(turn: Turn, { isTyped, isHistoryKnown }: PromptOptions): ClaudePrompt {
  const { history, attachments } = turn;
  const prompt = promptWithContext(turn);
  const readable = attachments.filter((attachment) => isReadable(attachment, isTyped));
  const unread = attachments.filter((attachment) => !readable.includes(attachment));
  const parts = [
    ...(isHistoryKnown ? [] : historyOf(history)),
    ...(isTyped ? readable.filter(isText).map(asText) : []),
    ...notSentNote(unread),
    prompt === "" ? "…" : prompt,
  ];
  const text = parts.join("\n\n");
  return {
    text: asMessage(text),
    attachments: isTyped ? [] : readable,
    messages: messagesOf(turn),
    runId: turn.runId,
  };
}

/** As they were sent; or as one, where the prompt says something else than they do. */
function messagesOf({ inbound = [], prompt, runId, attachments }: Turn): readonly TurnInbound[] {
  const [first] = inbound;
  if (inbound.map(({ text }) => text).join("\n\n") === prompt) return inbound;
  const nobody = { sender: { id: "atrium", name: "Atrium" }, channel: "atrium", at: 0 };
  return [{ messageId: runId, ...nobody, ...first, text: prompt, attachments }];
}

function historyOf(history: readonly TurnMessage[]): string[] {
  const lines = history
    .filter(({ text }) => text.trim() !== "")
    .map(({ role, text }) => `${role}: ${text}`);
  if (lines.length === 0) return [];
  return [
    `What was said in this conversation before you joined it:\n\n${lines.join("\n\n")}`,
    "Now:",
  ];
}
