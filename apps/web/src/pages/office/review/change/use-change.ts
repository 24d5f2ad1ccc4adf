/** A change as the server has it: files, comments and checks, read again once something about them is new. */
import type { WorldArtifact } from "@atrium/wire/world";
import type { JsonResponse } from "../../../../app/server/fetch-json.ts";
import { useNewest } from "../../../../ui/workspace-files/use-newest.ts";
import type {
  Comparison,
  ReviewChanges,
  ReviewCheck,
  ReviewComment,
  ReviewHttp,
} from "./review-http.ts";

export interface ChangeFacts {
  /** Undefined while they are on their way. */
  readonly changes: JsonResponse<ReviewChanges> | undefined;
  readonly comments: readonly ReviewComment[];
  readonly checks: readonly ReviewCheck[];
}

const NO_COMMENTS: readonly ReviewComment[] = [];
const NO_CHECKS: readonly ReviewCheck[] = [];

export function useChange(http: ReviewHttp, of: Comparison, artifact: WorldArtifact): ChangeFacts {
  const { version, against } = of;
  const { version: newest, comments, open_comments: open, checks: state } = artifact;
  const changes = useNewest(`${version} ${against}`, () => http.changes(of));
  const remarks = useNewest(`${version} ${newest} ${comments} ${open}`, () =>
    http.comments(version),
  );
  const checks = useNewest(`${version} ${JSON.stringify(state)}`, () => http.checks(version));
  return {
    changes,
    comments: remarks?.ok === true ? remarks.value.comments : NO_COMMENTS,
    checks: checks?.ok === true ? checks.value.checks : NO_CHECKS,
  };
}
