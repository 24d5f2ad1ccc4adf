/** The frame of a review: the office small in the corner, files on the left, what is read in the middle, facts on the right. */
import type { WorldArtifact } from "@atrium/wire/world";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useMedia, useTexts } from "../../../app/app.ts";
import { Chip, IconButton, type ChipTone } from "../../../ui/controls.tsx";
import { personIn } from "../text/event-text.ts";
import { useOpen } from "../view/camera-control.ts";
import { useEscape } from "../view/use-escape.ts";

export interface ReviewFrameProps {
  readonly artifact: WorldArtifact;
  readonly title: string;
  /** What is compared, and how it is shown. */
  readonly toolbar: ReactNode;
  readonly files: ReactNode;
  readonly side: ReactNode;
  readonly footer: ReactNode;
  readonly help: ReactNode;
  readonly children: ReactNode;
}

const TONES: Partial<Record<WorldArtifact["status"], ChipTone>> = {
  delivered: "asks",
  approved: "good",
};

export function ReviewFrame(props: ReviewFrameProps): ReactNode {
  const { artifact, title, toolbar, files, side, footer, help, children } = props;
  const words = useTexts();
  const open = useOpen();
  const isWide = useMedia("(width >= 1100px)");
  const heading = useRef<HTMLHeadingElement>(null);
  const [isSideOpen, setIsSideOpen] = useState(isWide);
  const [areFilesOpen, setAreFilesOpen] = useState(false);
  const { artifact_id: artifactId } = artifact;
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [artifactId]);
  const close = (): void => {
    open(undefined);
    document.getElementById("content")?.focus();
  };
  useEscape(close);
  return (
    <section
      className="panel review"
      data-panel="artifact"
      data-side={isSideOpen}
      data-files={areFilesOpen}
      aria-labelledby="panel-title"
    >
      <button type="button" className="review-back" onClick={close}>
        <span>
          {words.review.back} <kbd>Esc</kbd>
        </span>
      </button>
      <nav className="review-files" aria-label={words.workshop.files}>
        {files}
      </nav>
      <div className="review-body">
        <header className="review-head">
          <div className="review-title">
            <h2 id="panel-title" ref={heading} tabIndex={-1}>
              <span className="visually-hidden">{words.reviewTitle}: </span>
              <span dir="auto">{title}</span>
            </h2>
            <Verdict artifact={artifact} />
          </div>
          <div className="review-tools">
            {toolbar}
            <button
              type="button"
              className="button is-small review-files-toggle"
              aria-expanded={areFilesOpen}
              onClick={() => setAreFilesOpen(!areFilesOpen)}
            >
              {words.workshop.files}
            </button>
            <button
              type="button"
              className="button is-small"
              aria-expanded={isSideOpen}
              onClick={() => setIsSideOpen(!isSideOpen)}
            >
              {words.review.details}
            </button>
            <IconButton label={words.close} onClick={close}>
              <span aria-hidden="true">×</span>
            </IconButton>
          </div>
        </header>
        <div className="review-centre">{children}</div>
        {isSideOpen && (
          <aside className="review-side" aria-label={words.review.details}>
            {side}
          </aside>
        )}
        <footer className="review-foot">{footer}</footer>
      </div>
      {help}
    </section>
  );
}

/** How it stands with it, and who said so. */
function Verdict({ artifact }: Pick<ReviewFrameProps, "artifact">): ReactNode {
  const words = useTexts();
  const { status, reviewer } = artifact;
  return (
    <>
      <Chip tone={TONES[status]}>{words.artifactStatuses[status]}</Chip>
      {reviewer !== undefined && (
        <span className="hint" dir="auto">
          {words.reviewBy(personIn(reviewer, words) ?? reviewer)}
        </span>
      )}
    </>
  );
}
