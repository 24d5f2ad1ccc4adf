/** The files of a change in their folders, with how much changed in each and which were looked at. */
import { memo, useState, type ReactNode } from "react";
import { useTexts } from "../../../../app/app.ts";
import { ChangeCount, ChangeMark } from "../../../../ui/workspace-files/change-marks.tsx";
import type { ReviewFile } from "../change/review-http.ts";
import type { TreeFolder } from "./folder-tree.ts";

export interface ChangedTreeProps {
  readonly folder: TreeFolder<ReviewFile>;
  readonly current: string | undefined;
  readonly isViewed: (path: string) => boolean;
  readonly onOpen: (path: string) => void;
}

/** Of a folder with more files the others are shown on demand: a list in the page has its limits. */
const MAX_FILES = 200;

export function ChangedTree({ folder, ...tree }: ChangedTreeProps): ReactNode {
  const { review: words } = useTexts();
  const [most, setMost] = useState(MAX_FILES);
  const { folders, files } = folder;
  const folderCount = Math.min(folders.length, most);
  const left = folders.length + files.length - most;
  return (
    <ul className="file-tree">
      {folders.slice(0, most).map((inner) => (
        <Folder key={inner.path} folder={inner} {...tree} />
      ))}
      {files.slice(0, Math.max(0, most - folderCount)).map((file) => (
        <li key={file.path}>
          <File
            file={file}
            isCurrent={file.path === tree.current}
            isViewed={tree.isViewed(file.path)}
            onOpen={tree.onOpen}
          />
        </li>
      ))}
      {left > 0 && (
        <li>
          <button type="button" className="button is-small" onClick={() => setMost(most * 4)}>
            {words.filesLeft(left)}
          </button>
        </li>
      )}
    </ul>
  );
}

/** With so many in it a folder begins closed. */
const MAX_OPEN = 100;

function Folder({ folder, ...tree }: ChangedTreeProps): ReactNode {
  const [isOpen, setIsOpen] = useState(folder.files.length + folder.folders.length <= MAX_OPEN);
  return (
    <li data-type="folder">
      <button
        type="button"
        className="file-row"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="file-mark" aria-hidden="true" />
        <span className="file-name" dir="ltr">
          {folder.name}
        </span>
      </button>
      {isOpen && <ChangedTree folder={folder} {...tree} />}
    </li>
  );
}

interface FileProps {
  readonly file: ReviewFile;
  readonly isCurrent: boolean;
  readonly isViewed: boolean;
  readonly onOpen: (path: string) => void;
}

const File = memo(({ file, isCurrent, isViewed, onOpen }: FileProps): ReactNode => {
  const { review: words } = useTexts();
  return (
    <button
      type="button"
      className="file-row"
      aria-current={isCurrent || undefined}
      data-viewed={isViewed || undefined}
      onClick={() => onOpen(file.path)}
    >
      <ChangeMark how={file.how} />
      <span className="file-name" dir="ltr">
        {file.path.slice(file.path.lastIndexOf("/") + 1)}
      </span>
      {isViewed ? (
        <span className="file-seen" role="img" aria-label={words.viewed} />
      ) : (
        <ChangeCount file={file} />
      )}
    </button>
  );
});
File.displayName = "File";
