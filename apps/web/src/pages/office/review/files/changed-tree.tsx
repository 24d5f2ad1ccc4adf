/** The files of a change in their folders, with how much changed in each and which were looked at; of many only those in sight. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTexts } from "../../../../app/app.ts";
import { ChangeCount, ChangeMark } from "../../../../ui/workspace-files/change-marks.tsx";
import type { ReviewFile } from "../change/review-http.ts";
import { treeRows, type TreeFolder } from "./folder-tree.ts";

export interface ChangedTreeProps {
  readonly tree: TreeFolder<ReviewFile>;
  readonly current: string | undefined;
  readonly isViewed: (path: string) => boolean;
  readonly onOpen: (path: string) => void;
}

/** As in review.css. */
const ROW_PIXELS = 30;
const INDENT_PIXELS = 12;

export function ChangedTree({ tree, current, isViewed, onOpen }: ChangedTreeProps): ReactNode {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => treeRows(tree, closed), [tree, closed]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 8,
  });
  const at = rows.findIndex((row) => row.type === "file" && row.file.path === current);
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at, { align: "auto" });
  }, [at]);
  const toggle = (path: string): void => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  return (
    <div className="changed-tree" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { depth } = row;
          return (
            <li
              key={row.type === "folder" ? `${row.folder.path}/` : row.file.path}
              data-type={row.type}
              style={{ transform: `translateY(${start}px)`, paddingLeft: depth * INDENT_PIXELS }}
            >
              {row.type === "folder" ? (
                <Folder
                  name={row.folder.name}
                  isOpen={!closed.has(row.folder.path)}
                  onToggle={() => toggle(row.folder.path)}
                />
              ) : (
                <File
                  file={row.file}
                  isCurrent={index === at}
                  isViewed={isViewed(row.file.path)}
                  onOpen={onOpen}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface FolderProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Folder({ name, isOpen, onToggle }: FolderProps): ReactNode {
  return (
    <button
      type="button"
      className="file-row"
      aria-expanded={isOpen}
      title={name}
      onClick={onToggle}
    >
      <span className="file-mark" aria-hidden="true" />
      <span className="file-name" dir="ltr">
        {name}
      </span>
    </button>
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
      title={file.path}
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
