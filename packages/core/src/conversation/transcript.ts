/**
 * The transcript: what was said in one conversation, newest last, a page at a time.
 *
 * Read from the log backwards, never held: a thousand long conversations cost nothing while nobody
 * looks at them.
 */
import type { Entry, Log } from "@atrium/log";
import { streamOf } from "../dispatch.ts";
import { conversation } from "./conversation.ts";

export interface Message {
  readonly id: string;
  readonly at: number;
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
  /** Where it came from: typed into the transcript by an operator, not said by a model. */
  readonly injected: boolean;
}

export interface TranscriptPage {
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
}

export type ReadTranscript = (
  key: string,
  page: { readonly limit: number; readonly offset: number },
) => Promise<TranscriptPage>;

export function createTranscript(log: Pick<Log, "read">): ReadTranscript {
  return async (key, { limit, offset }) => {
    const newestFirst: Message[] = [];
    let passed = 0;
    for await (const entry of log.read({ stream: streamOf(conversation, key), backwards: true })) {
      const message = readMessage(entry);
      if (message === undefined || passed++ < offset) continue;
      if (newestFirst.length === limit) {
        return { messages: newestFirst.toReversed(), hasMore: true };
      }
      newestFirst.push(message);
    }
    return { messages: newestFirst.toReversed(), hasMore: false };
  };
}

/** The message an entry of a conversation stands for, if it is one. */
export function readMessage(entry: Entry): Message | undefined {
  const event = conversation.read(entry);
  switch (event.type) {
    case "message.injected": {
      const text = event.label === null ? event.text : `[${event.label}]\n\n${event.text}`;
      return { id: event.messageId, at: entry.at, role: "assistant", text, injected: true };
    }
    case "conversation.opened":
      return undefined;
  }
}
