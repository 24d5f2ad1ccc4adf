/** The codes people type to answer a permission: five letters, unlike any that is in use. */
import { CODE_LENGTH, CODE_LETTERS, type ApprovalRow, type ApprovalSubject } from "@atrium/core";

/** A whole number from 0 up to, not including, that many. */
export type RandomBelow = (count: number) => number;

export function createApprovalCode(
  random: RandomBelow,
  isTaken: (code: string) => boolean,
): string {
  for (;;) {
    const letters = Array.from(
      { length: CODE_LENGTH },
      () => CODE_LETTERS[random(CODE_LETTERS.length)],
    );
    const code = letters.join("");
    if (!isTaken(code)) return code;
  }
}

/**
 * Whether this is what was asked for before and nobody answered, word for word: only then may it have the same code.
 * Else someone who answers the earlier request a moment too late would allow what they have not read.
 */
export function isAskedAgain(earlier: ApprovalRow, subject: ApprovalSubject): boolean {
  if (earlier.settled?.outcome.type !== "approval.expired") return false;
  return wordsOf(earlier.subject) === wordsOf(subject);
}

function wordsOf(subject: ApprovalSubject): string {
  return JSON.stringify({ ...subject, runId: null });
}
