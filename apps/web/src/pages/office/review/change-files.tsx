/** The files of a change on the left: how many were looked at, and each by its name. */
import { useCallback, type ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import type { ReviewFile } from "./change/review-http.ts";
import type { DiffControl } from "./diff/diff-cursor.ts";
import { ChangedTree } from "./files/changed-tree.tsx";
import type { TreeFolder } from "./files/folder-tree.ts";
import type { FileMarks } from "./use-file-marks.ts";

export interface ChangeFilesProps {
  readonly tree: TreeFolder<ReviewFile>;
  readonly files: readonly ReviewFile[];
  readonly hasMore: boolean;
  readonly marks: FileMarks;
  /** The one that is in front of the person. */
  readonly file: string | undefined;
  readonly setFile: (path: string) => void;
  readonly control: () => DiffControl | null;
}

export function ChangeFiles(props: ChangeFilesProps): ReactNode {
  const { tree, files, hasMore, marks, file, setFile, control } = props;
  const { review: words } = useTexts();
  const viewed = files.filter(({ path }) => marks.isViewed(path)).length;
  const open = useCallback(
    (path: string) => {
      control()?.goToFile(path);
      setFile(path);
    },
    [setFile],
  );
  return (
    <>
      <p className="label review-files-title">{words.progress(viewed, files.length, hasMore)}</p>
      <ChangedTree tree={tree} current={file} isViewed={marks.isViewed} onOpen={open} />
    </>
  );
}
