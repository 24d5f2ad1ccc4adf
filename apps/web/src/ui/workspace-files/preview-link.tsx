/** A site that agents made, seen in a window of its own; nothing where there is none to see. */
import { useMemo, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import { useNewest } from "./use-newest.ts";

export interface PreviewLinkProps {
  /** Of the build or project: its HTTP door. */
  readonly owner: string;
  /** Another one: something may have been written since. */
  readonly version: string;
}

export function PreviewLink({ owner, version }: PreviewLinkProps): ReactNode {
  const { workshop: words } = useTexts();
  const ask = useMemo(() => createFetchJson(fetchOwn), []);
  const preview = useNewest(`${owner} ${version}`, () =>
    ask<{ readonly url: string }>("GET", `${owner}/preview`),
  );
  if (preview?.ok !== true || !/^https?:\/\//.test(preview.value.url)) return null;
  return (
    <a
      className="button is-small"
      href={preview.value.url}
      target="_blank"
      rel="noopener noreferrer"
    >
      {words.preview}
    </a>
  );
}
