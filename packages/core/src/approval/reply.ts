/**
 * Answering an approval in plain words, wherever people talk: `yes abxyz`, `no abxyz`, `yes abxyz always`.
 *
 * A code has five letters without `l`, which looks like too many other things.
 */
export const CODE_LETTERS = "abcdefghijkmnopqrstuvwxyz";
export const CODE_LENGTH = 5;

export interface ApprovalReply {
  readonly isYes: boolean;
  /** And the same again without asking. */
  readonly isAlways: boolean;
  readonly code: string;
}

// Around the words: spaces, punctuation, and the marks people quote with.
const REPLY =
  /^[\s\p{P}\p{S}]*(?<verdict>yes|no)[\s\p{P}\p{S}]+(?<code>[a-km-z]{5})(?:[\s\p{P}\p{S}]+(?<always>always))?[\s\p{P}\p{S}]*$/iu;
// Longer than any reply, and short enough that looking costs nothing.
const MAX_LENGTH = 64;

/** What the text answers, if it is an answer and nothing else. */
export function parseReply(text: string): ApprovalReply | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { verdict, code, always } = REPLY.exec(text)?.groups ?? {};
  if (verdict === undefined || code === undefined) return undefined;
  const isYes = verdict.toLowerCase() === "yes";
  return { isYes, isAlways: isYes && always !== undefined, code: code.toLowerCase() };
}
