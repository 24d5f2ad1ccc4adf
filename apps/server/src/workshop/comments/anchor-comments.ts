/** Remarks on lines of a version, with the code that they are about, so that they are found again in the next one. */
import { accept, refuse, type DraftComment, type Outcome } from "@atrium/core";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import type { FoundChange } from "../changes/find-change.ts";
import { anchorAt, splitLines } from "./line-anchor.ts";

export interface LineRemark {
  readonly path: string;
  readonly side: "old" | "new";
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
}

export type AnchorComments = (
  found: FoundChange,
  remarks: readonly LineRemark[],
) => Promise<Outcome<readonly DraftComment[]>>;

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const NAMED = 200;

/** Refused where a remark is about lines that the version does not have; the refusal names the remark. */
export function createAnchorComments(
  use: () => Promise<Pick<Workspaces, "readFile">>,
): AnchorComments {
  return async ({ change, repositoryId }, remarks) => {
    const spaces = await use();
    const comments: DraftComment[] = [];
    for (const [index, remark] of remarks.entries()) {
      const { path, side, line, endLine } = remark;
      const about = `comments/${index}: ${path.slice(0, NAMED)}`;
      if (remark.text === "") return refuse("params.invalid", `${about}: the comment is empty`);
      const tree = side === "old" ? change.base : change.tree;
      const file = await spaces.readFile(repositoryId, tree, path, MAX_FILE_BYTES);
      if (!file.ok) return refuse(file.code, about);
      const { id: blob, content } = file.value;
      if (content === null) return refuse("file.large", about);
      const lines = splitLines(content.toString("utf8"));
      const anchor = anchorAt(lines, line, endLine);
      if (anchor === undefined) {
        const wanted = line === endLine ? `line ${line}` : `lines ${line} to ${endLine}`;
        return refuse("params.invalid", `${about} has ${lines.length} lines, no ${wanted}`);
      }
      comments.push({ ...remark, ...anchor, blob });
    }
    return accept(comments);
  };
}
