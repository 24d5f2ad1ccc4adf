/** The drafts of a version as they are sent, in the order of files and lines. Pure. */
import type { DraftComment, ReviewNotes } from "./review-notes.ts";

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
