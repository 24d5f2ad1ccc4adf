/** The files of a task or a build: what was changed in them and all of them, now or at a moment of the past. */
import { useMemo, useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import { ChangedFiles } from "./changed-files.tsx";
import { FileTree } from "./file-tree.tsx";
import { createFilesHttp, type At, type FilesOwner } from "./files-http.ts";
import { useNewest } from "./use-newest.ts";

export interface FilesViewProps {
  readonly owner: FilesOwner;
  readonly at: At;
  /** Another one: something may have been written since. */
  readonly version: string;
}

type Tab = "changes" | "all";
const TABS: readonly Tab[] = ["changes", "all"];

export function FilesView({ owner, at, version: newest }: FilesViewProps): ReactNode {
  const { workshop: words, loading } = useTexts();
  const { path, query } = owner;
  const name = JSON.stringify([path, query]);
  const http = useMemo(
    () => createFilesHttp(owner, { ask: createFetchJson(fetchOwn), fetch: fetchOwn }),
    [name],
  );
  const version = `${name} ${at ?? `now ${newest}`}`;
  const changes = useNewest(version, () => http.changes(at));
  const [tab, setTab] = useState<Tab>("changes");
  if (changes === undefined) return <p className="hint">{loading}</p>;
  if (!changes.ok) {
    const isMissing = /missing/i.test(changes.code);
    return <p className="hint">{isMissing ? words.filesNone : words.notRead(changes.message)}</p>;
  }
  const { files, has_more: hasMore } = changes.value;
  return (
    <div className="stack is-tight">
      <div className="row" role="group" aria-label={words.files}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            className="button is-small files-tab"
            aria-pressed={tab === each}
            onClick={() => setTab(each)}
          >
            {each === "all" ? words.filesAll : words.filesChanged(files.length, hasMore)}
          </button>
        ))}
      </div>
      {tab === "changes" ? (
        <ChangedFiles {...{ http, files, at, version }} />
      ) : (
        <FileTree {...{ http, at, version }} folder="" />
      )}
      {tab === "changes" && hasMore && <p className="hint">{words.filesMore}</p>}
    </div>
  );
}
