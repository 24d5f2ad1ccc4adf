/** The heading of a file in a diff: its path, how much changed, and what can be done with it. */
import { useId, type ReactNode } from "react";
import { useTexts } from "../../../../app/app.ts";
import { Chip } from "../../../../ui/controls.tsx";
import { ChangeCount, ChangeMark } from "../../../../ui/workspace-files/change-marks.tsx";
import type { ReviewFile } from "../change/review-http.ts";
import type { FileView } from "../diff/diff-items.ts";
import type { FileViews } from "../diff/file-views.ts";

export interface FileHeadingProps {
  readonly file: ReviewFile;
  readonly views: FileViews;
  readonly isViewed: boolean;
  readonly onViewed: (isViewed: boolean) => void;
}

export function FileHeading({ file, views, isViewed, onViewed }: FileHeadingProps): ReactNode {
  const { review: words } = useTexts();
  const checkbox = useId();
  const { path, from, flag } = file;
  const view = views.viewOf(file);
  const isFolded = view.type === "folded";
  return (
    <div className="file-heading">
      <button
        type="button"
        className="file-fold"
        aria-expanded={!isFolded}
        aria-label={words.foldFile(path)}
        onClick={() => (isFolded ? views.open(file) : views.fold(file))}
      />
      <ChangeMark how={file.how} />
      <span className="file-name" dir="ltr">
        {from === null || from === path ? path : `${from} → ${path}`}
      </span>
      {flag !== undefined && (
        <Chip tone={flag === "lock" ? undefined : "asks"}>{words.flags[flag]}</Chip>
      )}
      <ChangeCount file={file} />
      <Views file={file} view={view} views={views} />
      <label className="file-viewed" htmlFor={checkbox}>
        <input
          id={checkbox}
          type="checkbox"
          checked={isViewed}
          onChange={({ target }) => onViewed(target.checked)}
        />
        {words.viewed}
        <span className="visually-hidden"> {path}</span>
      </label>
    </div>
  );
}

interface ViewsProps {
  readonly file: ReviewFile;
  readonly view: FileView;
  readonly views: FileViews;
}

/** Ways to look at it: what changed, the whole file, and as it reads. */
function Views({ file, view, views }: ViewsProps): ReactNode {
  const { review: words } = useTexts();
  const isMarkdown = /\.(?:md|markdown)$/i.test(file.path);
  const isWhole = view.type === "lines" && view.gaps === "all";
  const isRendered = view.type === "rendered";
  if (file.is_binary || file.how === "removed" || view.type === "folded") return null;
  return (
    <span className="file-views" role="group" aria-label={words.viewsOf(file.path)}>
      {file.how !== "added" && (view.type === "lines" || isRendered) && (
        <button
          type="button"
          aria-pressed={isWhole}
          onClick={() => (isWhole || isRendered ? views.open(file) : views.unfold(file, "all"))}
        >
          {words.wholeFile}
        </button>
      )}
      {isMarkdown && (
        <button
          type="button"
          aria-pressed={isRendered}
          onClick={() => (isRendered ? views.open(file) : views.render(file))}
        >
          {words.asItReads}
        </button>
      )}
    </span>
  );
}
