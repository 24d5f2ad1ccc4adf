/** A page of a conversation as chat messages, each numbered by its place in the conversation. */
import type { ConversationRow, ReadTranscript } from "@atrium/core";
import { chatMessage, type ModelOf } from "./conversation-rows.ts";

export interface ChatPageDeps {
  readonly transcript: ReadTranscript;
  readonly modelOf: ModelOf;
}

/** `offset` is how many newer messages are skipped. */
export type PageRange = Parameters<ReadTranscript>[1];

export interface ChatPage {
  readonly messages: ReturnType<typeof chatMessage>[];
  /** The number of its oldest message. */
  readonly first: number;
  readonly hasMore: boolean;
}

export async function readChatPage(
  { transcript, modelOf }: ChatPageDeps,
  row: ConversationRow,
  range: PageRange,
  maxChars?: number,
): Promise<ChatPage> {
  const page = await transcript(row.key, range);
  const first = row.messages - range.offset - page.messages.length + 1;
  const model = modelOf(row.handle);
  const messages = page.messages.map((message, index) =>
    chatMessage(message, model, first + index, maxChars),
  );
  return { messages, first, hasMore: page.hasMore };
}
