/** What a build has made, as one commit: how much it is, a preview where it is a site, and the ways to take it along. */
import { useEffect, useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { openFile } from "../../app/server/open-file.ts";
import { CopyBlock } from "../../ui/copy-block.tsx";
import { PreviewLink } from "../../ui/workspace-files/preview-link.tsx";
import { useNewest } from "../../ui/workspace-files/use-newest.ts";
import type { BuildsHttp } from "./builds-http.ts";

export interface BuildHandoverProps {
  readonly id: string;
  readonly http: BuildsHttp;
  /** How far the build is; more may be there when it changes. */
  readonly version: string;
}

/** It is handed over a moment after its end is told. */
const TRIES = 8;
const RETRY_MS = 700;

export function BuildHandover({ id, http, version }: BuildHandoverProps): ReactNode {
  const words = useTexts().builds;
  const [tries, setTries] = useState(0);
  const handover = useNewest(`${id} ${version} ${tries}`, () => http.handover(id));
  useEffect(() => setTries(0), [version]);
  useEffect(() => {
    if (handover?.ok !== false || tries >= TRIES) return undefined;
    const timer = setTimeout(() => setTries(tries + 1), RETRY_MS);
    return () => clearTimeout(timer);
  }, [handover, tries]);
  if (handover?.ok !== true) return null;
  const { files, added, removed, has_more: hasMore, commit, clone, archive } = handover.value;
  return (
    <section className="build-files stack is-tight">
      <h2>{words.handover}</h2>
      <p>
        {words.handoverFiles(files, hasMore)}{" "}
        <span className="change-count">
          <span data-type="added">+{added}</span> <span data-type="removed">−{removed}</span>
        </span>{" "}
        <code className="hint" dir="ltr">
          {commit.slice(0, 10)}
        </code>
      </p>
      <div className="row">
        <PreviewLink owner={`/api/builds/${encodeURIComponent(id)}`} version={version} />
        {archive !== undefined && (
          <a className="button is-small" href={archive} download onClick={openFile}>
            {words.handoverZip}
          </a>
        )}
      </div>
      <span className="label">{words.handoverClone}</span>
      <CopyBlock label={words.handoverClone} text={`git clone ${location.origin}${clone}`} />
      <p className="hint">{words.handoverPassword}</p>
    </section>
  );
}
