/** What differs from where the work started: a row for each file, which opens to what changed in it. */
import { useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { ChangeCount, ChangeMark } from "./change-marks.tsx";
import type { At, ChangedFile, FilesHttp } from "./files-http.ts";
import { PatchView } from "./patch-view.tsx";
import { useNewest } from "./use-newest.ts";

export interface ChangedFilesProps {
  readonly http: FilesHttp;
  readonly files: readonly ChangedFile[];
  readonly at: At;
  readonly version: string;
}

export function ChangedFiles({ files, ...others }: ChangedFilesProps): ReactNode {
  const { workshop: words } = useTexts();
  if (files.length === 0) return <p className="hint">{words.changesNone}</p>;
  return (
    <ul className="file-tree">
      {files.map((file) => (
        <Changed key={file.path} file={file} {...others} />
      ))}
    </ul>
  );
}

type ChangedProps = Omit<ChangedFilesProps, "files"> & { readonly file: ChangedFile };

function Changed({ file, http, at, version }: ChangedProps): ReactNode {
  const { path } = file;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        className="file-row"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChangedFileLabel file={file} />
      </button>
      {isOpen && <Patch {...{ http, path, at, version }} />}
    </li>
  );
}

/** How it changed, its name, and by how many lines. */
export function ChangedFileLabel({ file }: { readonly file: ChangedFile }): ReactNode {
  const { path, from, how } = file;
  return (
    <>
      <ChangeMark how={how} />
      <span className="file-name" dir="auto">
        {from === null ? path : `${from} → ${path}`}
      </span>
      <ChangeCount file={file} />
    </>
  );
}

type PatchProps = Omit<ChangedProps, "file"> & { readonly path: string };

function Patch({ http, path, at, version }: PatchProps): ReactNode {
  const { workshop: words } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  const patch = useNewest(`${path} ${version} ${isWhole}`, () => http.patch(path, at, isWhole));
  if (patch === undefined) return null;
  if (!patch.ok) return <p className="hint files-note">{words.notRead(patch.message)}</p>;
  return <PatchView patch={patch.value} onWhole={() => setIsWhole(true)} />;
}
