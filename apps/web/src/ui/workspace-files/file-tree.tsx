/** All files of a moment: folders open one by one, a file shows its text. */
import { useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { FileContentView } from "./file-content.tsx";
import type { At, FileEntry, FilesHttp } from "./files-http.ts";
import { useNewest } from "./use-newest.ts";

export interface FileTreeProps {
  readonly http: FilesHttp;
  readonly folder: string;
  readonly at: At;
  /** Another one: the files may be others. */
  readonly version: string;
}

export function FileTree({ http, folder, at, version }: FileTreeProps): ReactNode {
  const { workshop: words } = useTexts();
  const listing = useNewest(`${folder} ${version}`, () => http.list(folder, at));
  if (listing === undefined) return null;
  if (!listing.ok) return <p className="hint">{words.filesNone}</p>;
  const { entries, has_more: hasMore } = listing.value;
  if (entries.length === 0) return <p className="hint">{words.folderEmpty}</p>;
  return (
    <ul className="file-tree">
      {foldersFirst(entries).map((entry) => (
        <Entry key={entry.name} {...{ http, folder, at, version, entry }} />
      ))}
      {hasMore && <li className="hint">{words.filesMore}</li>}
    </ul>
  );
}

function Entry({ entry, ...tree }: FileTreeProps & { readonly entry: FileEntry }): ReactNode {
  const { workshop: words } = useTexts();
  const { folder, http, at, version } = tree;
  const { name, type } = entry;
  const path = folder === "" ? name : `${folder}/${name}`;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li data-type={type}>
      <button
        type="button"
        className="file-row"
        aria-expanded={isOpen}
        disabled={type === "submodule"}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="file-mark" aria-hidden="true" />
        <span className="file-name" dir="auto">
          {name}
        </span>
        {type !== "file" && <span className="hint">{words.entryTypes[type]}</span>}
      </button>
      {isOpen && type === "folder" && <FileTree {...tree} folder={path} />}
      {isOpen && type !== "folder" && <FileContentView {...{ http, path, entry, at, version }} />}
    </li>
  );
}

function foldersFirst(entries: readonly FileEntry[]): readonly FileEntry[] {
  const folders = entries.filter(({ type }) => type === "folder");
  return [...folders, ...entries.filter(({ type }) => type !== "folder")];
}
