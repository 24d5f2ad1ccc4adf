/** What a person notes while looking through files: which were looked at, and comments on lines. */
import { useStore } from "zustand";
import { useApp, useTexts } from "../../../app/app.ts";
import type { Comparison, ReviewFile } from "./change/review-http.ts";
import type { DraftComment, ReviewNotesStore } from "./change/review-notes.ts";
import { isCommentable } from "./change/threads.ts";
import type { FileViews } from "./diff/file-views.ts";
import type { LineRange } from "./diff/line-range.ts";

export interface FileMarks {
  readonly drafts: readonly DraftComment[];
  readonly isViewed: (path: string) => boolean;
  /** What was looked at is folded. */
  setViewed(file: ReviewFile, isViewed: boolean): void;
  toggleViewed(file: ReviewFile | undefined): void;
  /** Begins one; undefined where no line is chosen. */
  readonly comment: (range: LineRange | undefined) => void;
}

export function useFileMarks(notes: ReviewNotesStore, of: Comparison, views: FileViews): FileMarks {
  const { comments, viewed } = useStore(notes);
  const { notices } = useApp();
  const { review: words } = useTexts();
  const { version, against } = of;
  const isViewed = (path: string): boolean => viewed.get(path) === version;
  const setViewed = (file: ReviewFile, isSeen: boolean): void => {
    const next = new Map(viewed);
    if (isSeen) next.set(file.path, version);
    else next.delete(file.path);
    notes.setState({ viewed: next });
    if (isSeen) views.fold(file);
    else views.open(file);
  };
  return {
    drafts: comments,
    isViewed,
    setViewed,
    toggleViewed: (file) => file && setViewed(file, !isViewed(file.path)),
    comment(range) {
      if (range === undefined) return;
      if (!isCommentable(range.side, against)) {
        notices.say(words.notCommentable, "refused");
        return;
      }
      const draft = { ...range, id: crypto.randomUUID(), version, text: "" };
      notes.setState({ comments: [...comments, draft] });
    },
  };
}
