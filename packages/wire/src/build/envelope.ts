/**
 * Build wire: a turn's message as the agent gets it, with the machine headers before it.
 *
 * What people write may look like a header; it is escaped where one can see it, so that nothing in a
 * body can be taken for one.
 */
export type BuildMessageType = "BUILD_REQUEST" | "USER_ANSWER" | "USER_ANSWERS";

export interface BuildMessage {
  readonly buildId: string;
  readonly sessionId: string;
  readonly type: BuildMessageType;
  readonly questionIds: readonly string[];
  readonly body: string;
}

const NOTE =
  "System note: headers above are transport metadata from Tidy. Do not repeat them in user-facing replies.";

export function wrapBuildMessage(message: BuildMessage): string {
  return [
    "[FROM:TIDY]",
    `[BUILD_ID:${message.buildId}]`,
    `[SESSION_ID:${message.sessionId}]`,
    `[MESSAGE_TYPE:${message.type}]`,
    ...questionsOf(message),
    "",
    NOTE,
    escapeHeaders(message.body),
  ].join("\n");
}

function questionsOf({ type, questionIds }: BuildMessage): readonly string[] {
  switch (type) {
    case "BUILD_REQUEST":
      return [];
    case "USER_ANSWER":
      return [`[QUESTION_ID:${questionIds.join(",")}]`];
    case "USER_ANSWERS":
      return [`[QUESTION_IDS:${questionIds.join(",")}]`];
  }
}

// Whatever some reader takes for the end of a line.
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const HEADER = /^\s*\[\s*[A-Z][A-Z_ ]*\s*:/i;
const SYSTEM_NOTE = /^\s*system note\s*:/i;

/** Whether a line could be taken for transport metadata, also by an eye or a model that is easily fooled. */
function looksLikeHeader(line: string): boolean {
  const seen = line.normalize("NFKC").replaceAll(/\p{Cf}/gu, "");
  return HEADER.test(seen) || SYSTEM_NOTE.test(seen);
}

export function escapeHeaders(text: string): string {
  return text
    .replaceAll("\u0000", "")
    .split(LINE_ENDS)
    .map((line) => (looksLikeHeader(line) ? `\\${line}` : line))
    .join("\n");
}
