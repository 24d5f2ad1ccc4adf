/**
 * Where work is done: repositories, a worktree for each task, and the files of every moment.
 *
 *   openRepository -> openWorktree -> recordMoment … restoreMoment … -> removeWorktree
 *                                         |
 *                                         `-> listFolder, readFile, compareTrees, readPatch: no checkout
 *
 * The port knows ids, folders and trees, and nothing of projects, runs or peers. It works in stores of
 * its own; the repository a person attached is read, and only a delivery adds to it. What an agent left in a
 * worktree is hostile input. workspaces.contract.ts is what an implementation must do.
 */
import type { Outcome } from "@atrium/core";
import type { Deliveries } from "./delivery.ts";
import type { Landing } from "./landing.ts";
import type { Serving } from "./serving.ts";

export interface RepositorySource {
  /** Letters, digits, dashes, underscores. */
  readonly id: string;
  /** An absolute path: a repository, or any folder. Null: a repository of its own, empty at first. */
  readonly path: string | null;
  /** The branch to start from; what is checked out, where none is named. */
  readonly base?: string | undefined;
}

/** What work starts from. */
export interface RepositoryBase {
  readonly commit: string;
  readonly tree: string;
}

export interface RepositoryFacts extends RepositoryBase {
  /** `folder`: no repository before; the store has the only history. */
  readonly kind: "git" | "folder" | "own";
  /** The store: read-only for whoever works in a worktree. */
  readonly store: string;
}

export interface WorktreeRequest {
  readonly repositoryId: string;
  /** Letters, digits, dashes, underscores. The same id again is the same worktree. */
  readonly workspaceId: string;
  /** To start from a moment instead of the base. */
  readonly fork?: WorktreeFork | undefined;
  /** To start from what has landed on this line; a fork starts from its own tree. */
  readonly lineId?: string | undefined;
  /** Milliseconds since 1970, of whoever asks for it. */
  readonly at: number;
}

export interface WorktreeFork {
  readonly tree: string;
  readonly label: string;
  /** The commit that the tree was made from, which a change is compared with; the base, where none is named. */
  readonly base?: string | undefined;
}

export interface Worktree extends RepositoryBase {
  readonly repositoryId: string;
  readonly workspaceId: string;
  /** Where to work. */
  readonly folder: string;
  /** Its `.git`, a file; read-only for whoever works there, as the store is. */
  readonly gitFile: string;
  readonly store: string;
  /** For what programs keep that work there; it goes with the worktree. Not there until it is used. */
  readonly programs: string;
}

export interface MomentRequest {
  /** One line, for whoever reads the chain: which run, which call. */
  readonly label: string;
  readonly at: number;
  /** Where only these have changed; everything is looked at when none are named. */
  readonly paths?: readonly string[] | undefined;
}

/** What a moment or a change does not contain although it is there. `name`: no tree can have such a path. */
export interface OmittedPath {
  readonly path: string;
  readonly why: "secret" | "large" | "nested" | "unreadable" | "name";
}

export interface TreeMoment {
  readonly tree: string;
  /** The newest of the chain. */
  readonly commit: string;
  /** False: the tree is that of the moment before. */
  readonly isNew: boolean;
  readonly omitted: readonly OmittedPath[];
}

export interface Restoration {
  /** How it was, so that this can be undone. */
  readonly before: TreeMoment;
  readonly after: TreeMoment;
}

export interface TreeEntry {
  readonly name: string;
  readonly type: "file" | "program" | "link" | "folder" | "submodule";
  readonly id: string;
  /** Null for folders and submodules. */
  readonly bytes: number | null;
}

export interface TreeFile {
  readonly type: "file" | "program" | "link";
  readonly id: string;
  readonly bytes: number;
  /** Null when it is larger than was asked for. */
  readonly content: Buffer | null;
}

export interface FileChange {
  readonly path: string;
  /** Its path before, of a file that was renamed. */
  readonly from: string | null;
  readonly how: "added" | "changed" | "removed" | "renamed" | "retyped";
  /** Lines; null for what is not text, or is too large to be counted. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface TreeComparison {
  readonly files: readonly FileChange[];
  /** There are more than were listed. */
  readonly isCut: boolean;
}

export interface PatchRequest {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  /** Also what is too large to be shown unasked. */
  readonly isWhole?: boolean;
}

export type FilePatch =
  | { readonly type: "patch"; readonly text: string }
  | { readonly type: "large"; readonly bytes: number };

export interface Recovery {
  /** Worktrees that were half made or half removed. */
  readonly removed: readonly string[];
  readonly locks: number;
  readonly processes: number;
}

export interface Workspaces extends Landing, Deliveries, Serving, AsyncDisposable {
  /** The version of git, or why nothing of this can be done here. */
  probe(): Promise<Outcome<string>>;
  /** Clears away what an earlier life of the server left. Before anything else is asked for. */
  recover(): Promise<Outcome<Recovery>>;

  openRepository(source: RepositorySource): Promise<Outcome<RepositoryFacts>>;
  /** Reads the repository again; worktrees stay as they are. */
  syncBase(repositoryId: string): Promise<Outcome<RepositoryFacts>>;

  openWorktree(request: WorktreeRequest): Promise<Outcome<Worktree>>;
  findWorktree(workspaceId: string): Promise<Outcome<Worktree>>;
  listWorktrees(): Promise<Outcome<readonly Worktree[]>>;
  /** Its moments stay readable. */
  removeWorktree(workspaceId: string): Promise<Outcome<void>>;

  /** The worktree, its moments, and every object that nothing else needs. Again is as once. */
  forgetMoments(repositoryId: string, workspaceId: string): Promise<Outcome<void>>;

  /** Durable when it returns. */
  recordMoment(workspaceId: string, request: MomentRequest): Promise<Outcome<TreeMoment>>;
  /** Puts the files back as they were, after a moment of how they are. Ignored files stay. */
  restoreMoment(
    workspaceId: string,
    tree: string,
    request: Pick<MomentRequest, "label" | "at">,
  ): Promise<Outcome<Restoration>>;

  // Where a tree is asked for, a commit stands for its files.

  /** "" is the root. */
  listFolder(
    repositoryId: string,
    tree: string,
    path: string,
  ): Promise<Outcome<readonly TreeEntry[]>>;
  readFile(
    repositoryId: string,
    tree: string,
    path: string,
    maxBytes: number,
  ): Promise<Outcome<TreeFile>>;
  compareTrees(repositoryId: string, from: string, to: string): Promise<Outcome<TreeComparison>>;
  readPatch(repositoryId: string, request: PatchRequest): Promise<Outcome<FilePatch>>;
}
