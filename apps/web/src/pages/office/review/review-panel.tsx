/** A result: read, compared with an earlier version, then approved, sent back or split. */
import type { WorldArtifact } from "@atrium/wire/world";
import { useEffect, useState, type ReactNode } from "react";
import { useAppearance, useApp, useOffice, useTexts } from "../../../app/app.ts";
import { openFile } from "../../../app/server/open-file.ts";
import { Chip, DetailTitle } from "../../../ui/controls.tsx";
import { sizeText } from "../../../ui/files/attached-files.ts";
import { PlainText } from "../../../ui/safe-text/plain-text.tsx";
import { SafeMarkdown } from "../../../ui/safe-text/safe-markdown.tsx";
import { useRead } from "../../../ui/use-read.ts";
import { useSee, versionSeen } from "../attention/seen.ts";
import { personIn } from "../text/event-text.ts";
import { DiffView } from "./diff-view.tsx";
import { ReviewActions } from "./review-actions.tsx";

export function ReviewPanel({ artifactId }: { readonly artifactId: string }): ReactNode {
  const words = useTexts();
  const artifact = useOffice(({ snapshot }) =>
    snapshot?.artifacts.find(({ artifact_id }) => artifact_id === artifactId),
  );
  if (artifact === undefined) return <p className="hint">{words.reviewGone}</p>;
  // A new version does not take the place of the one that is being read.
  return <Review artifact={artifact} />;
}

function Review({ artifact }: { readonly artifact: WorldArtifact }): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  const { artifact_id: artifactId, name, status, version, reviewer, bytes } = artifact;
  const [shown, setShown] = useState(version);
  const [against, setAgainst] = useState<number>();
  return (
    <div className="stack">
      <div className="stack is-tight">
        <DetailTitle>{name}</DetailTitle>
        <div className="row">
          <Chip tone={status === "delivered" ? "asks" : status === "approved" ? "good" : undefined}>
            {words.artifactStatuses[status]}
          </Chip>
          {reviewer !== undefined && (
            <span className="hint" dir="auto">
              {words.reviewBy(personIn(reviewer, words) ?? reviewer)}
            </span>
          )}
          <a
            className="hint"
            href={`/api/artifacts/${artifactId}/${shown}`}
            download={name}
            onClick={openFile}
          >
            {words.download}
          </a>
          {shown === version && <span className="hint">{sizeText(bytes, language)}</span>}
        </div>
      </div>
      {version > 1 && (
        <div className="row">
          <VersionSelect
            label={words.reviewVersion}
            last={version}
            value={shown}
            onChange={(next) => setShown(next ?? version)}
          />
          <VersionSelect
            label={words.reviewAgainst}
            last={version}
            value={against}
            none={words.reviewNoCompare}
            onChange={setAgainst}
          />
        </div>
      )}
      <ReviewActions artifact={artifact} seen={shown} onSee={setShown} />
      <Content
        artifact={artifact}
        version={shown}
        against={against === shown ? undefined : against}
      />
    </div>
  );
}

interface VersionSelectProps {
  readonly label: string;
  readonly last: number;
  readonly value: number | undefined;
  readonly none?: string;
  readonly onChange: (version: number | undefined) => void;
}

function VersionSelect({ label, last, value, none, onChange }: VersionSelectProps): ReactNode {
  return (
    <label className="row">
      <span className="label">{label}</span>
      <select
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
      >
        {none !== undefined && <option value="">{none}</option>}
        {Array.from({ length: last }, (_, at) => (
          <option key={at} value={at + 1}>
            {at + 1}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ContentProps {
  readonly artifact: WorldArtifact;
  readonly version: number;
  readonly against: number | undefined;
}

function Content({ artifact, version, against }: ContentProps): ReactNode {
  const words = useTexts();
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
  if (!isText) return <p className="hint">{words.reviewNoText}</p>;
  if (text === undefined) return <p className="hint">{words.reviewLoading}</p>;
  if (text === null) return <p className="hint">{words.reviewNoText}</p>;
  if (against !== undefined && typeof other === "string") {
    return <DiffView before={other} after={text} />;
  }
  return (
    <div className="artifact" dir="auto" tabIndex={0} role="document" aria-label={artifact.name}>
      {mediaType === "text/markdown" ? (
        <SafeMarkdown text={text} cutNote={words.reviewCut} />
      ) : (
        <PlainText text={text} />
      )}
    </div>
  );
}

/** Undefined while it is on its way, null when it cannot be had. */
function useText(artifactId: string, version: number | undefined): string | null | undefined {
  const { http } = useApp();
  const wanted = version === undefined ? undefined : `${artifactId} ${version}`;
  return useRead(wanted, () => http.readText(artifactId, version ?? 0));
}
