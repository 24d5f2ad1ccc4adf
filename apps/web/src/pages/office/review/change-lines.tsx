/** The lines of a change in the middle, with what is said about them. */
import { useMemo, type ReactNode, type RefObject } from "react";
import { useTexts } from "../../../app/app.ts";
import type { JsonResponse } from "../../../app/server/fetch-json.ts";
import type {
  Comparison,
  ReviewChanges,
  ReviewComment,
  ReviewFile,
  ReviewHttp,
} from "./change/review-http.ts";
import type { ReviewNotesStore } from "./change/review-notes.ts";
import { threadsOf } from "./change/threads.ts";
import { CommentThread } from "./comment-thread.tsx";
import type { DiffControl } from "./diff/diff-cursor.ts";
import { DiffList } from "./diff/diff-list.tsx";
import type { FileViews } from "./diff/file-views.ts";
import type { Layout } from "./diff/paired-lines.ts";
import { FileBody } from "./files/file-body.tsx";
import { FileHeading } from "./files/file-heading.tsx";
import type { ApplySuggestion } from "./use-apply-suggestion.ts";
import type { FileMarks } from "./use-file-marks.ts";

export interface ChangeLinesProps {
  readonly artifactId: string;
  readonly version: number;
  readonly of: Comparison;
  readonly http: ReviewHttp;
  readonly notes: ReviewNotesStore;
  readonly changes: JsonResponse<ReviewChanges> | undefined;
  readonly comments: readonly ReviewComment[];
  readonly files: readonly ReviewFile[];
  readonly views: FileViews;
  readonly marks: FileMarks;
  readonly layout: Layout;
  readonly control: RefObject<DiffControl | null>;
  readonly setFile: (path: string) => void;
  readonly onApply: ApplySuggestion | undefined;
}

export function ChangeLines(props: ChangeLinesProps): ReactNode {
  const { artifactId, version, of, http, notes, changes, comments } = props;
  const { files, views, marks, layout, control, setFile } = props;
  const words = useTexts();
  const threads = useMemo(
    () => threadsOf(comments, marks.drafts, of),
    [comments, marks.drafts, of],
  );
  if (changes === undefined) return <p className="hint review-note">{words.reviewLoading}</p>;
  if (!changes.ok) {
    return <p className="hint review-note">{words.workshop.notRead(changes.message)}</p>;
  }
  if (files.length === 0) {
    return <p className="hint review-note">{words.review.nothingChanged}</p>;
  }
  return (
    <DiffList
      {...{ files, views, layout, threads, control }}
      onComment={marks.comment}
      onFile={setFile}
      heading={(file) => (
        <FileHeading
          file={file}
          views={views}
          isViewed={marks.isViewed(file.path)}
          onViewed={(isViewed) => marks.setViewed(file, isViewed)}
        />
      )}
      body={(item) => <FileBody {...{ item, views, http, of }} />}
      thread={(thread) => (
        <CommentThread
          {...{ thread, artifactId, version, notes }}
          linesOf={(draft) => control.current?.linesOf(draft) ?? []}
          onApply={props.onApply}
        />
      )}
    />
  );
}
