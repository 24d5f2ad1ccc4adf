/**
 * How work becomes part of a project: what a worktree holds is sealed into a commit, and the commit lands
 * on the project's line, a branch of the store that only ever grows.
 *
 *   openLine -> openWorktree … -> seal -> land -> landed
 *                    ^                      `-> conflict -> rebaseWorktree -> seal -> land
 *                    `------------ the next task starts from the line
 *
 * The same request gives the same commit, so each may be repeated after a crash. Repeating a landing that
 * happened changes nothing.
 */
import type { ConflictSides, Outcome } from "@atrium/core";
import type { FileChange, OmittedPath, RepositoryBase, TreeMoment } from "./workspaces.ts";

export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

/** The newest commit of a line, its tree, and the commit of the repository that it was built on. */
export interface LineState extends RepositoryBase {
  readonly base: string;
}

/** A document that becomes a file of the change, also where ignore files name it. */
export interface SealedFile {
  readonly path: string;
  readonly content: Buffer;
}

export interface SealRequest {
  /** Subject, body and trailers. */
  readonly message: string;
  readonly author: CommitAuthor;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly delivered?: readonly SealedFile[] | undefined;
}

export interface SealEditsRequest extends SealRequest {
  /** The sealed tree to edit; it must be one of this repository. */
  readonly tree: string;
  /** Files with their new content; null removes one. */
  readonly edits: readonly { readonly path: string; readonly content: Buffer | null }[];
}

export interface SealedChange extends RepositoryBase {
  /** The only parent of the commit. */
  readonly base: string;
  readonly files: readonly FileChange[];
  /** Lines of all files together. */
  readonly added: number;
  readonly removed: number;
  readonly omitted: readonly OmittedPath[];
  /** More files have changed than are listed. */
  readonly isCut: boolean;
  /** Nothing has changed; the commit is the base. */
  readonly isEmpty: boolean;
}

export interface LandRequest {
  /** The sealed commit. Its author is kept. */
  readonly change: string;
  /** Letters, digits, dashes, underscores; the same id again is the same landing. */
  readonly landingId: string;
  readonly message: string;
  readonly at: number;
}

export interface RevertRequest extends Omit<LandRequest, "change"> {
  /** The commit on the line that is taken back. */
  readonly landed: string;
  readonly author: CommitAuthor;
}

export type UpdateRequest = Omit<LandRequest, "change">;

export interface Landed {
  readonly type: "landed";
  /** The line's newest; its first parent is `before`, unless the line took over the repository's own. */
  readonly commit: string;
  readonly before: string;
  readonly tree: string;
}

export interface ConflictedPath {
  readonly path: string;
  /**
   * `delete`: one side removed what the other edited. `rename`: both renamed, or onto the same name.
   * `folder`: a file against a folder. `mode`: a file against a link or the like.
   */
  readonly kind: "content" | "binary" | "delete" | "rename" | "folder" | "mode" | "submodule";
  readonly sides: ConflictSides;
}

export interface Conflict {
  readonly type: "conflict";
  /** The line's newest commit. */
  readonly with: string;
  /** All files merged, with markers where both sides have changed the same lines. */
  readonly tree: string;
  readonly paths: readonly ConflictedPath[];
}

export interface LineUpdate extends Landed {
  /** What the line is built on now. */
  readonly base: string;
}

export interface UpToDate {
  readonly type: "up-to-date";
  readonly base: string;
}

export interface RebaseRequest {
  /** The commit that the worktree is based on from now on. */
  readonly onto: string;
  /** What its files become: a tree with markers. */
  readonly tree: string;
  readonly label: string;
  readonly at: number;
}

/** A folder with the files of one commit and nothing else. It goes when it is disposed of. */
export interface Checkout extends RepositoryBase, AsyncDisposable {
  readonly folder: string;
  readonly gitFile: string;
  readonly store: string;
}

export interface WholePatch {
  readonly text: string;
  /** It was longer. */
  readonly isCut: boolean;
}

export interface Landing {
  /** Made once, at the base as it is then. */
  openLine(repositoryId: string, lineId: string): Promise<Outcome<LineState>>;
  /** Undefined: there is none yet. */
  findLine(repositoryId: string, lineId: string): Promise<Outcome<LineState | undefined>>;

  /** One commit of everything in the worktree, on its base. Durable when it returns. */
  seal(workspaceId: string, request: SealRequest): Promise<Outcome<SealedChange>>;
  /** A sealed tree with files edited, as a change of its own; the files of the worktree follow. */
  sealEdits(workspaceId: string, request: SealEditsRequest): Promise<Outcome<SealedChange>>;
  /** All files of a change as one patch, up to so many bytes. */
  readWholePatch(
    repositoryId: string,
    trees: { readonly from: string; readonly to: string; readonly maxBytes: number },
  ): Promise<Outcome<WholePatch>>;

  /** Puts the change on top of the line; what has landed is landed once, however often it is asked for. */
  land(
    repositoryId: string,
    lineId: string,
    request: LandRequest,
  ): Promise<Outcome<Landed | Conflict>>;
  /** Takes a landed commit back, by one of its own. */
  revertLanded(
    repositoryId: string,
    lineId: string,
    request: RevertRequest,
  ): Promise<Outcome<Landed | Conflict>>;
  /** Reads the repository again and merges what is new in it into the line. */
  updateLine(
    repositoryId: string,
    lineId: string,
    request: UpdateRequest,
  ): Promise<Outcome<LineUpdate | Conflict | UpToDate>>;
  /** Its files become the tree, after a moment of how they are; again is as once. */
  rebaseWorktree(workspaceId: string, request: RebaseRequest): Promise<Outcome<TreeMoment>>;

  /** A clean folder of a commit, for checks. */
  openCheckout(repositoryId: string, commit: string): Promise<Outcome<Checkout>>;
}
