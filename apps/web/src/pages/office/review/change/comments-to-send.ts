/** The drafts of a version as they are sent, in the order of files and lines; and what was sent, sent again. Pure. */
import type { ReviewComment } from "./review-http.ts";
import type { DraftComment, ReviewNotes } from "./review-notes.ts";
import { suggestionIn } from "./suggestion.ts";

export interface SentComment {
  readonly path: string;
  readonly side: "old" | "new";
  readonly line: number;
  readonly end_line: number;
  readonly text: string;
}

export function commentsToSend(
  { comments }: Pick<ReviewNotes, "comments">,
  version: number,
): SentComment[] {
  return comments
    .filter((draft) => draft.version === version && draft.text.trim() !== "")
    .toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
    .map(sentComment);
}

export function sentComment({ path, side, line, endLine, text }: DraftComment): SentComment {
  return { path, side, line, end_line: endLine, text: text.trim() };
}

/** What was suggested before, for where its lines are now; undefined where they are not what they were. */
export function suggestedComment({ text, side, place }: ReviewComment): SentComment | undefined {
  const isThere = place.state === "same" || place.state === "moved";
  if (side !== "new" || !isThere || suggestionIn(text) === undefined) return undefined;
  const { path, line, end_line } = place;
  return { path, side, line, end_line, text };
}
