/** What was said about a change and what checks found of it or of a build, for whoever reviews it. */
import {
  refuse,
  type Artifact,
  type CheckResult,
  type WorkspaceCheck,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Endpoint } from "../../../http/api.ts";
import { untrustedContent, untrustedText, type ReadBlob } from "../../../http/untrusted-content.ts";
import type { FindChange, FoundChange } from "../../../workshop/changes/find-change.ts";
import type { PlaceComments, PlacedComment } from "../../../workshop/comments/place-comments.ts";
import type { FindHandover } from "../../../workshop/find-handover.ts";
import { changeIn } from "./change-endpoints.ts";
import { answering, taggedByContent } from "./file-answers.ts";

export interface ReviewEndpointDeps {
  readonly findChange: FindChange;
  readonly findHandover: Pick<FindHandover, "ofBuild">;
  readonly placeComments: PlaceComments;
  readonly workspaces: Pick<WorkspacesProjection, "get" | "ofCheck">;
  readonly blobs: { readonly get: ReadBlob };
  /** The end of what a check has put out so far; undefined when it is not under way. */
  readonly liveOutputOf: (checkId: string) => string | undefined;
}

export type ReviewEndpoints = Readonly<
  Record<"comments" | "checks" | "buildChecks" | "output", Endpoint>
>;

export function createReviewEndpoints(deps: ReviewEndpointDeps): ReviewEndpoints {
  const { findChange, findHandover, placeComments, workspaces, blobs, liveOutputOf } = deps;
  return {
    comments: answering(async (request) => {
      const found = changeIn(request, findChange);
      if (!found.ok) return found;
      const placed = await placeComments(found.value);
      if (!placed.ok) return placed;
      const comments = placed.value.map(viewComment);
      return taggedByContent(request, { ...viewVersion(found.value), comments });
    }),
    checks: answering(async (request) => {
      const found = changeIn(request, findChange);
      if (!found.ok) return found;
      const checks = checksOf(found.value, workspaces);
      return taggedByContent(request, { ...viewVersion(found.value), checks });
    }),
    buildChecks: answering(async (request) => {
      const { id = "" } = request.path;
      const made = await findHandover.ofBuild(id);
      if (!made.ok) return made;
      const kept = workspaces.get(id)?.checks ?? [];
      const ofTree = kept.filter(({ checkedTree }) => checkedTree === made.value.tree);
      return taggedByContent(request, { build: id, checks: ofTree.map(viewCheck) });
    }),
    output: answering(async (request) => {
      const { id = "" } = request.path;
      const live = liveOutputOf(id);
      if (live !== undefined) return untrustedText(live);
      const found = workspaces.ofCheck(id);
      if (found === undefined) return refuse("check.missing", id.slice(0, 200));
      const { name, end } = found;
      if (end === null || end.output === null) return untrustedText("");
      const { digest } = end.output;
      return untrustedContent(request, { name: `${name}.txt`, digest }, blobs.get);
    }),
  };
}

function viewVersion({ artifact, version }: FoundChange): object {
  return { artifact: artifact.artifactId, version };
}

function viewComment({ comment, place }: PlacedComment): object {
  const { commentId, path, side, line, endLine, text, code, by, at, version } = comment;
  const { answer, resolvedBy } = comment;
  return {
    comment_id: commentId,
    path,
    side,
    line,
    end_line: endLine,
    text,
    code,
    by: by.name,
    at,
    version,
    place: { path: place.path, line: place.line, end_line: place.endLine, state: place.state },
    ...(answer !== null && { answer }),
    ...(resolvedBy !== null && { resolved_by: resolvedBy.name }),
  };
}

/** Those of the same files, whichever version they were run for; those that are kept no more by their results alone. */
function checksOf(
  { artifact, version, change }: FoundChange,
  workspaces: Pick<WorkspacesProjection, "get">,
): readonly object[] {
  const kept = workspaces.get(artifact.taskId)?.checks ?? [];
  const ofTree = kept.filter(({ checkedTree }) => checkedTree === change.tree);
  const known = new Set(ofTree.map(({ checkId }) => checkId));
  const rest = resultsOf(artifact, version).filter(({ checkId }) => !known.has(checkId));
  return [...ofTree.map(viewCheck), ...rest.map(viewResult)];
}

function resultsOf({ checks }: Artifact, version: number): readonly CheckResult[] {
  return checks?.version === version ? checks.results : [];
}

function viewCheck({ checkId, name, command, isRequired, end }: WorkspaceCheck): object {
  return {
    check_id: checkId,
    name,
    command,
    required: isRequired,
    state: end?.verdict ?? "running",
    exit_code: end?.exitCode ?? null,
    ms: end?.ms ?? null,
    output_bytes: end?.output?.bytes ?? 0,
  };
}

function viewResult({ checkId, name, isRequired, verdict, exitCode, ms }: CheckResult): object {
  const about = { check_id: checkId, name, required: isRequired };
  return { ...about, state: verdict, exit_code: exitCode, ms, output_bytes: 0 };
}
