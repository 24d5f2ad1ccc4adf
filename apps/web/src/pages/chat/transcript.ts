/** What was said, as lines on a page: words, tools with what came back, and how an answer ended. Pure. */
import type { ChatMessage, SessionRow } from "@atrium/wire/gateway";

export type ChatLine =
  | {
      readonly kind: "words";
      readonly id: string;
      readonly who: "person" | "agent";
      /** What the sender is called, if that was told. */
      readonly sender: string | undefined;
      readonly at: number;
      readonly text: string;
      readonly files: readonly SentFile[];
      readonly note: "stopped" | "failed" | undefined;
      /** Why it failed. */
      readonly failure: string | undefined;
      readonly tokens: number | undefined;
    }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      /** Undefined: it has not come back yet. */
      readonly result: { readonly text: string; readonly isError: boolean } | undefined;
    };

/** What is told of a file; its content is with the agent. */
export interface SentFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
}

function messageId(message: ChatMessage): string {
  return message.__openclaw?.id ?? `${message.role}:${message.timestamp}`;
}

/** Both in order; what is in both comes once, as the later list has it. */
export function joinMessages(
  earlier: readonly ChatMessage[],
  later: readonly ChatMessage[],
): readonly ChatMessage[] {
  const fresh = new Set(later.map(messageId));
  return [...earlier.filter((message) => !fresh.has(messageId(message))), ...later];
}

/** `stopped` are runs that were stopped: of those that had no word yet there is no message, and still it is said. */
export function linesOf(
  messages: readonly ChatMessage[],
  stopped: ReadonlySet<string> = new Set(),
): readonly ChatLine[] {
  const answered = answeredRuns(messages);
  const wordless = new Set([...stopped].filter((runId) => !answered.has(runId)));
  const lastOf = new Map(messages.map((message) => [message.__openclaw?.runId, message]));
  const results = new Map(
    messages
      .filter(({ role }) => role === "toolResult")
      .map((message) => [message.toolCallId, message]),
  );
  return messages.flatMap((message) => {
    const runId = message.__openclaw?.runId;
    const isEnd = runId !== undefined && wordless.has(runId) && lastOf.get(runId) === message;
    const end = isEnd ? [stoppedLine(runId, message)] : [];
    if (message.role === "toolResult") return end;
    const words = wordsOf(message);
    const tools = message.content.flatMap((part) => {
      if (part.type !== "toolCall") return [];
      const back = results.get(part.id);
      const result = back && { text: textOf(back), isError: back.isError === true };
      const { id, name, arguments: input } = part;
      return [{ kind: "tool" as const, id, name, input, result }];
    });
    return [...tools, ...(words === undefined ? [] : [words]), ...end];
  });
}

function stoppedLine(runId: string, { timestamp: at }: ChatMessage): ChatLine {
  const nothing = { text: "", files: [], sender: undefined, failure: undefined, tokens: undefined };
  return { kind: "words", id: `stopped ${runId}`, who: "agent", at, ...nothing, note: "stopped" };
}

/** The run that was asked for last, if that is how the conversation ended: all that is known of it after a reload. */
export function stoppedLast(
  messages: readonly ChatMessage[],
  status: SessionRow["status"],
): readonly string[] {
  if (status !== "killed") return [];
  const runId = messages.findLast(({ role }) => role === "user")?.__openclaw?.runId;
  return runId === undefined ? [] : [runId];
}

/** Runs whose answer is there, whole or as far as it came: only that says what it took. */
export function answeredRuns(messages: readonly ChatMessage[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap(({ usage, __openclaw: record }) =>
      usage === undefined || record?.runId === undefined ? [] : [record.runId],
    ),
  );
}

export function textOf({ content }: Pick<ChatMessage, "content">): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function wordsOf(message: ChatMessage): Extract<ChatLine, { kind: "words" }> | undefined {
  const text = textOf(message);
  const files = message.content.flatMap((part) =>
    part.type === "attachment"
      ? [{ name: part.fileName, mediaType: part.mimeType, bytes: part.sizeBytes }]
      : [],
  );
  const note = noteOf(message);
  if (text === "" && files.length === 0 && note === undefined) return undefined;
  return {
    kind: "words",
    id: messageId(message),
    who: message.role === "user" ? "person" : "agent",
    sender: message.senderLabel,
    at: message.timestamp,
    text,
    files,
    note,
    failure: message.errorMessage,
    tokens: message.usage?.totalTokens,
  };
}

function noteOf({ stopReason, openclawAbort }: ChatMessage): "stopped" | "failed" | undefined {
  if (openclawAbort !== undefined || stopReason === "aborted") return "stopped";
  return stopReason === "error" ? "failed" : undefined;
}
