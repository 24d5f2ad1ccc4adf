/** How a run ended: as its event says, or as the server remembers it when the event was missed. */
import type { ChatMessage } from "@atrium/wire/gateway";
import { ConnectionLost } from "../base/errors.ts";
import type { CallResult, EventPayloads } from "../rpc/catalogue.ts";
import type { RunConnection } from "../rpc/run-connection.ts";
import { textOf } from "./run-text.ts";
import type { RunEnd } from "./run-update.ts";

/** Where a run takes place; without the key only its text can be recovered. */
export interface RunPlace {
  readonly runId: string;
  readonly sessionKey?: string | undefined;
  readonly agentId?: string | undefined;
}

type Chat = EventPayloads["chat"];
type Ending = Exclude<Chat, { readonly state: "status" | "delta" }>;
export type Waited = CallResult<"agent.wait">;

/** Heeded in another run's turn, whose answer is its own. */
const MERGED = "merged";
const RECENT = 50;

export function isMerged(chat: Chat): boolean {
  return chat.state === "final" && chat.stopReason === MERGED;
}

export function endFromEvent(chat: Ending, textSoFar: string): RunEnd {
  const { runId, message } = chat;
  const text = message === undefined ? textSoFar : textOf(message);
  const end = { type: "end", runId, text, message } as const;
  switch (chat.state) {
    case "final":
      return { ...end, how: "completed", stopReason: chat.stopReason, usage: chat.usage };
    case "aborted":
      return { ...end, how: "aborted", reason: chat.errorMessage, stopReason: chat.stopReason };
    case "error":
      return { ...end, how: "failed", reason: chat.errorMessage, usage: chat.usage };
  }
}

export async function recoverEnd(
  line: RunConnection,
  place: RunPlace,
  waited: Waited,
  textSoFar: string,
): Promise<RunEnd> {
  const { runId } = place;
  const message = await findMessage(line, place);
  const text = waited.terminalReply?.text ?? (message === undefined ? textSoFar : textOf(message));
  const end = { type: "end", runId, text, message, usage: message?.usage } as const;
  const { status, error: reason, stopReason } = waited;
  if (status === "ok") return { ...end, how: "completed", stopReason };
  const how = stopReason === undefined ? "failed" : "aborted";
  return { ...end, how, reason, stopReason };
}

/** The run's last words in the transcript. */
async function findMessage(line: RunConnection, place: RunPlace): Promise<ChatMessage | undefined> {
  const { runId, sessionKey, agentId } = place;
  if (sessionKey === undefined) return undefined;
  const where = agentId === undefined ? { sessionKey } : { sessionKey, agentId };
  let messages: CallResult<"chat.history">["messages"];
  try {
    ({ messages } = await line.call("chat.history", { ...where, limit: RECENT }));
  } catch (error) {
    if (error instanceof ConnectionLost) throw error;
    // It would have added the usage; the end is known without it.
    return undefined;
  }
  return messages.findLast(
    ({ role, __openclaw: about, content }) =>
      about?.runId === runId &&
      role === "assistant" &&
      !content.some(({ type }) => type === "toolCall"),
  );
}
