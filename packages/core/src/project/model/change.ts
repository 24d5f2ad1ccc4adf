/**
 * A change: what a run has made of the files it was given, as one commit on what it started from. Core knows ids,
 * counts and paths of it; what the ids stand for is in git before anything here says so.
 */
import type { Answerer } from "../../people/answerer.ts";
import type { CheckVerdict } from "../../workspace/workspace.ts";

/** A file that is not in a change although it is there. */
export interface OmittedFile {
  readonly path: string;
  readonly why: string;
}

export interface ChangeFacts {
  readonly commit: string;
  /** The commit it was made on. */
  readonly base: string;
  readonly tree: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly omitted: readonly OmittedFile[];
  /** There are more files, or more of the patch, than were kept here. */
  readonly isCut: boolean;
  /** The run came to a limit before it was finished. */
  readonly isUnfinished?: true;
  /** What the agent says of it. */
  readonly summary?: string;
  /** Files whose edits deserve a second look: checks, continuous integration, lock files. */
  readonly flagged: readonly string[];
  /** The files with conflict marks that it was made from. */
  readonly conflictTree?: string;
}

/** What became of one check of a version. */
export interface CheckResult {
  readonly checkId: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly verdict: CheckVerdict;
  /** Null: it was ended, or never ran. */
  readonly exitCode: number | null;
  readonly ms: number;
}

export interface ArtifactChecks {
  readonly version: number;
  readonly state: "running" | "passed" | "failed";
  readonly names: readonly string[];
  readonly results: readonly CheckResult[];
}

/** A remark on lines of a version, with the code it is about: so it can be found again in the next one. */
export interface DraftComment {
  readonly path: string;
  readonly side: "old" | "new";
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
  readonly code: readonly string[];
  /** The lines around it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The id of the file's content; null: there is no such file. */
  readonly blob: string | null;
}

export interface ReviewComment extends DraftComment {
  readonly commentId: string;
}

export interface ArtifactComment extends ReviewComment {
  /** The version it is about. */
  readonly version: number;
  readonly by: Answerer;
  readonly at: number;
  /** What the agent answered. */
  readonly answer: string | null;
  readonly resolvedBy: Answerer | null;
}

/** What each side has at a path: the id of the content, null for nothing. */
export interface ConflictSides {
  /** What both sides were made of. */
  readonly base: string | null;
  readonly line: string | null;
  readonly change: string | null;
}

export interface ConflictPath {
  readonly path: string;
  readonly kind: string;
  /** Earlier versions did not keep them. */
  readonly sides?: ConflictSides;
}

/** What a change could not be merged with. */
export interface MergeConflict {
  readonly version: number;
  /** The newest commit of the line. */
  readonly with: string;
  readonly paths: readonly ConflictPath[];
}

export interface LandedChange {
  readonly commit: string;
  /** What was newest on the line before. */
  readonly before: string;
  readonly at: number;
}

/** How an approved change gets into the project's line, and perhaps out again. */
export interface ChangeLanding {
  readonly state: "pending" | "landed" | "conflicted" | "reverting" | "reverted";
  readonly landed: LandedChange | null;
  readonly conflict: MergeConflict | null;
  /** The commit that took it back. */
  readonly reverted: string | null;
}

export interface DeliveryRecord {
  readonly how: string;
  /** The branch, file or address it is found at. */
  readonly ref: string;
  readonly commit: string;
  readonly by: Answerer;
  readonly at: number;
}

/** How many times an agent is given a conflict before a person is. */
export const MAX_CONFLICT_ROUNDS = 2;
/** How many times an agent is given the output of a failed check before a person is. */
export const MAX_CHECK_ROUNDS = 1;
