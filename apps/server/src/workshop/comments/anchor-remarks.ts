/** Remarks of a reviewer on lines of a version, which is the newest where none is named. */
import { accept, type DraftComment, type Outcome } from "@atrium/core";
import type { FindChange } from "../changes/find-change.ts";
import type { AnchorComments, LineRemark } from "./anchor-comments.ts";

export type AnchorRemarks = (
  artifactId: string,
  version: number | undefined,
  remarks: readonly LineRemark[],
) => Promise<Outcome<readonly DraftComment[]>>;

export function createAnchorRemarks(findChange: FindChange, anchor: AnchorComments): AnchorRemarks {
  return async (artifactId, version, remarks) => {
    if (remarks.length === 0) return accept([]);
    const found = findChange(artifactId, version);
    return found.ok ? anchor(found.value, remarks) : found;
  };
}
