/** A document under review: as it reads, as it was written, or beside an earlier version. */
import type { WorldArtifact } from "@atrium/wire/world";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useAppearance, useApp, useOffice, useTexts } from "../../../app/app.ts";
import { openFile } from "../../../app/server/open-file.ts";
import { sizeText } from "../../../ui/files/attached-files.ts";
import { PlainText } from "../../../ui/safe-text/plain-text.tsx";
import { SafeMarkdown } from "../../../ui/safe-text/safe-markdown.tsx";
import { useRead } from "../../../ui/use-read.ts";
import { useSee, versionSeen } from "../attention/seen.ts";
import { createReviewHttp } from "./change/review-http.ts";
import type { ReviewNotesStore } from "./change/review-notes.ts";
import { DiffView } from "./diff-view.tsx";
import { RichDiff } from "./files/rich-diff.tsx";
import { ReviewActions, useApprove, type Writing } from "./review-actions.tsx";
import { ReviewFrame } from "./review-frame.tsx";
import { useReviewKeys } from "./review-keys.ts";
import { ReviewSide } from "./review-side.tsx";
import { VersionSelects } from "./version-selects.tsx";

export interface DocumentReviewProps {
  readonly artifact: WorldArtifact;
  readonly notes: ReviewNotesStore;
}

export function DocumentReview({ artifact, notes }: DocumentReviewProps): ReactNode {
  const words = useTexts();
  const { artifact_id: artifactId, name, version, task_id: taskId } = artifact;
  const task = useOffice(({ snapshot }) =>
    snapshot?.tasks.find(({ task_id }) => task_id === taskId),
  );
  const http = useMemo(() => createReviewHttp(artifactId), [artifactId]);
  const [shown, setShown] = useState(version);
  const [against, setAgainst] = useState<number>();
  const [isSource, setIsSource] = useState(false);
  const [writing, setWriting] = useState<Writing>();
  const content = useContent(artifact, shown, against === shown ? undefined : against);
  const approve = useApprove({ artifact, seen: shown, isShown: content.isShown, notes });
  useReviewKeys(
    new Map<string, () => void>([
      ["a", () => approve?.()],
      ["Ctrl+Enter", () => approve?.()],
      ["r", () => setWriting("changes")],
    ]),
  );
  return (
    <ReviewFrame
      artifact={artifact}
      title={name}
      toolbar={
        <>
          <VersionSelects
            newest={version}
            shown={shown}
            against={against}
            none={words.reviewNoCompare}
            onShown={setShown}
            onAgainst={setAgainst}
          />
          {content.isMarkdown && (
            <button
              type="button"
              className="button is-small"
              aria-pressed={isSource}
              onClick={() => setIsSource(!isSource)}
            >
              {words.review.source}
            </button>
          )}
        </>
      }
      files={<DocumentFacts artifact={artifact} shown={shown} />}
      side={
        <ReviewSide
          {...{ artifactId, task, notes, http }}
          version={shown}
          changes={undefined}
          comments={[]}
          checks={[]}
          control={() => null}
        />
      }
      footer={
        <ReviewActions
          {...{ artifact, notes, writing }}
          seen={shown}
          isShown={content.isShown}
          onWriting={setWriting}
          onSee={setShown}
        />
      }
      help={null}
    >
      <div className="review-document">
        <Content {...content} name={name} isSource={isSource} />
      </div>
    </ReviewFrame>
  );
}

interface DocumentFactsProps {
  readonly artifact: WorldArtifact;
  readonly shown: number;
}

function DocumentFacts({ artifact, shown }: DocumentFactsProps): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  const { artifact_id: artifactId, name, version, bytes } = artifact;
  return (
    <div className="stack is-tight">
      <p className="file-name" dir="auto">
        {name}
      </p>
      <p className="hint">
        {words.reviewVersion} {shown}
        {shown === version && ` · ${sizeText(bytes, language)}`}
      </p>
      <p>
        <a
          className="button is-small"
          href={`/api/artifacts/${artifactId}/${shown}`}
          download={name}
          onClick={openFile}
        >
          {words.download}
        </a>
      </p>
    </div>
  );
}

interface DocumentContent {
  /** Undefined while it is on its way, null when it cannot be had. */
  readonly text: string | null | undefined;
  /** What it is held against. */
  readonly other: string | undefined;
  readonly isText: boolean;
  readonly isMarkdown: boolean;
  readonly isShown: boolean;
}

function useContent(
  artifact: WorldArtifact,
  version: number,
  against: number | undefined,
): DocumentContent {
  const { artifact_id: artifactId, media_type: mediaType } = artifact;
  const text = useText(artifactId, version);
  const other = useText(artifactId, against);
  const isText = /^text\/|json|xml|javascript|typescript/.test(mediaType);
  const see = useSee();
  // In front of the person: the text itself, or that there is none to be shown.
  const isShown = !isText || text !== undefined;
  useEffect(() => {
    if (isShown) see(versionSeen(artifactId, version));
  }, [see, isShown, artifactId, version]);
  const isMarkdown = mediaType === "text/markdown";
  return { text, other: other ?? undefined, isText, isMarkdown, isShown };
}

interface ContentProps extends DocumentContent {
  readonly name: string;
  readonly isSource: boolean;
}

function Content({ text, other, isText, isMarkdown, isSource, name }: ContentProps): ReactNode {
  const words = useTexts();
  if (!isText) return <p className="hint">{words.reviewNoText}</p>;
  if (text === undefined) return <p className="hint">{words.reviewLoading}</p>;
  if (text === null) return <p className="hint">{words.reviewNoText}</p>;
  if (other !== undefined) {
    return isMarkdown && !isSource ? (
      <div className="artifact">
        <RichDiff before={other} after={text} />
      </div>
    ) : (
      <DiffView before={other} after={text} />
    );
  }
  return (
    <div className="artifact" dir="auto" tabIndex={0} role="document" aria-label={name}>
      {isMarkdown && !isSource ? (
        <SafeMarkdown text={text} cutNote={words.reviewCut} />
      ) : (
        <PlainText text={text} />
      )}
    </div>
  );
}

function useText(artifactId: string, version: number | undefined): string | null | undefined {
  const { http } = useApp();
  const wanted = version === undefined ? undefined : `${artifactId} ${version}`;
  return useRead(wanted, () => http.readText(artifactId, version ?? 0));
}
