/** Comments and drafts, gathered by the line under which they stand in what is shown. Pure. */
import type { Comparison, ReviewComment, Side } from "./review-http.ts";
import type { DraftComment } from "./review-notes.ts";

/** Said about lines up to this one. */
export interface Thread {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly key: string;
  readonly comments: readonly ReviewComment[];
  readonly drafts: readonly DraftComment[];
}

/** By file. What is outdated stands in no file, only in the list of threads. */
export function threadsOf(
  comments: readonly ReviewComment[],
  drafts: readonly DraftComment[],
  { version, against }: Comparison,
): ReadonlyMap<string, readonly Thread[]> {
  const places = new Map<string, Thread>();
  const threadAt = (path: string, side: "old" | "new", line: number): Thread => {
    const key = `${side}${line}`;
    const name = `${path}\n${key}`;
    const known = places.get(name) ?? { path, side, line, key, comments: [], drafts: [] };
    places.set(name, known);
    return known;
  };
  const add = (thread: Thread, more: Partial<Pick<Thread, "comments" | "drafts">>): void => {
    places.set(`${thread.path}\n${thread.key}`, { ...thread, ...more });
  };
  for (const comment of comments) {
    const { place, side } = comment;
    if (place.state === "outdated" || !isCommentable(side, against)) continue;
    const thread = threadAt(place.path, side, place.end_line);
    add(thread, { comments: [...thread.comments, comment] });
  }
  for (const draft of drafts) {
    if (draft.version !== version || !isCommentable(draft.side, against)) continue;
    const thread = threadAt(draft.path, draft.side, draft.endLine);
    add(thread, { drafts: [...thread.drafts, draft] });
  }
  return Map.groupBy(places.values(), ({ path }) => path);
}

/** Of two versions held against each other, the old side is not what the change started from. */
export function isCommentable(side: Side, against: Comparison["against"]): boolean {
  return side === "new" || against === "base";
}

/** What became of a comment in the version that is shown. */
export type CommentState = "resolved" | "addressed" | "untouched" | "outdated" | "new";

/** An answer is the agent's word that it did something; without one the code itself says whether it changed. */
export function stateOf(comment: ReviewComment, version: number): CommentState {
  if (comment.resolved_by !== undefined) return "resolved";
  if (comment.version >= version) return "new";
  if (comment.place.state === "outdated") return "outdated";
  return comment.answer !== undefined || comment.place.state === "changed"
    ? "addressed"
    : "untouched";
}
