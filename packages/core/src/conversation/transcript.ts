/**
 * The transcript: what was said in one conversation, newest last, a page at a time.
 *
 * Read from the log backwards, never held: a thousand long conversations cost nothing while nobody
 * looks at them. It begins where the conversation was last opened or reset.
 */
import type { Log } from "@atrium/log";
import { streamOf } from "../engine/dispatch.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import { conversation } from "./conversation.ts";
import type { Attachment, Author, ConversationEvent, KeptOutput } from "./events.ts";
import type { Usage } from "./usage.ts";

interface Said {
  readonly id: string;
  readonly at: number;
  readonly text: string;
}

export type Message = Said &
  TaggedUnion<
    {
      user: { runId: string; from: Author; attachments: readonly Attachment[] };
      /** Typed into the transcript by an operator or a program, not said by a model. */
      injected: object;
      assistant: {
        runId: string;
        usage: Usage;
        /** "stop" when the turn came to its end; else what ended it. */
        stopReason: string;
        isAborted: boolean;
        /** Why the turn failed. */
        failure: string | null;
      };
      /** Something that was made. */
      artifact: { runId: string; artifact: Attachment };
      "tool-call": { runId: string; callId: string; name: string; input: unknown };
      "tool-result": {
        runId: string;
        callId: string;
        name: string;
        isError: boolean;
        output?: KeptOutput;
      };
    },
    "kind"
  >;

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
      const event = conversation.read(entry);
      if (isBeginning(event)) break;
      const message = messageOf(event, entry.at);
      if (message === undefined || passed++ < offset) continue;
      if (newestFirst.length === limit) {
        return { messages: newestFirst.toReversed(), hasMore: true };
      }
      newestFirst.push(message);
    }
    return { messages: newestFirst.toReversed(), hasMore: false };
  };
}

/** Whether the conversation as it is now begins here. */
export function isBeginning({ type }: ConversationEvent): boolean {
  return (
    type === "conversation.opened" ||
    type === "conversation.reset" ||
    type === "conversation.deleted"
  );
}

/** The message an event of a conversation stands for, if it is one. */
export function messageOf(event: ConversationEvent, at: number): Message | undefined {
  switch (event.type) {
    case "message.injected": {
      const text = event.label === null ? event.text : `[${event.label}]\n\n${event.text}`;
      return { kind: "injected", id: event.messageId, at, text };
    }
    case "run.requested": {
      const { messageId: id, text, runId, from, attachments } = event;
      return { kind: "user", id, at, text, runId, from, attachments };
    }
    case "run.tool.called": {
      const { messageId: id, runId, callId, name, input } = event;
      return { kind: "tool-call", id, at, text: "", runId, callId, name, input };
    }
    case "run.tool.returned": {
      const { messageId: id, text, runId, callId, name, isError, output } = event;
      const whole = output === undefined ? {} : { output };
      return { kind: "tool-result", id, at, text, runId, callId, name, isError, ...whole };
    }
    case "run.delivered": {
      const { artifactId: id, runId, name, mediaType, bytes, digest } = event;
      const artifact = { name, mediaType, bytes, digest };
      return { kind: "artifact", id, at, text: "", runId, artifact };
    }
    case "run.completed":
      return answerMessage(event, at, event.stopReason);
    case "run.failed":
      return answerMessage(event, at, "error");
    case "run.aborted":
      return event.text === "" ? undefined : answerMessage(event, at, "aborted");
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
    case "run.started":
    case "run.stopping":
    case "run.compacted":
    case "run.session.named":
    case "run.calls.requested":
    case "run.calls.answered":
    case "run.merged":
      return undefined;
  }
}

function answerMessage(
  event: ConversationEvent & { readonly type: "run.completed" | "run.failed" | "run.aborted" },
  at: number,
  stopReason: string,
): Message {
  const { messageId: id, text, runId, usage, type } = event;
  const isAborted = type === "run.aborted";
  const failure = type === "run.failed" ? event.reason : null;
  return { kind: "assistant", id, at, text, runId, usage, stopReason, isAborted, failure };
}
