/** Makes the folder of a task or build: from its project's line, the repository's base, or a moment of another. */
import { isOwnRepository, refuse, type ForkOrigin, type Outcome } from "@atrium/core";
import type { RepositoryCatalog } from "../repositories/repository-catalog.ts";
import type {
  RepositoryFacts,
  RepositorySource,
  Workspaces,
  Worktree,
  WorktreeFork,
} from "../workspaces/port/workspaces.ts";

export interface WantedWorktree {
  readonly workspaceId: string;
  readonly repositoryId: string;
  readonly forkedFrom: ForkOrigin | null;
  /** What has landed there is what it starts from; null: from the repository's base. */
  readonly lineId: string | null;
}

export type MakeWorktree = (wanted: WantedWorktree) => Promise<Outcome<Worktree>>;

export interface MakeWorktreeDeps {
  readonly workspaces: () => Promise<Workspaces>;
  /** The commit that a workspace stood on at a position of the log. */
  readonly baseAt: (workspaceId: string, seq: number) => Promise<string | undefined>;
  readonly repositories: Pick<RepositoryCatalog, "find">;
  readonly now: () => number;
}

export function createMakeWorktree(deps: MakeWorktreeDeps): MakeWorktree {
  const { workspaces, baseAt, repositories, now } = deps;

  function sourceOf(id: string): RepositorySource | undefined {
    if (isOwnRepository(id)) return { id, path: null };
    const found = repositories.find(id);
    return found && { id, path: found.path, base: found.base };
  }

  /** With what is committed now, not what was when the repository was first used. */
  async function openRepository(
    spaces: Workspaces,
    repositoryId: string,
  ): Promise<Outcome<RepositoryFacts>> {
    const source = sourceOf(repositoryId);
    if (source === undefined) return refuse("repository.missing", repositoryId);
    const opened = await spaces.openRepository(source);
    return !opened.ok || source.path === null ? opened : spaces.syncBase(source.id);
  }

  /** On what the other stood on then: what was merged since is not taken for something that it undid. */
  async function forkOf(from: ForkOrigin | null): Promise<WorktreeFork | undefined> {
    if (from === null) return undefined;
    const { workspaceId, seq, tree } = from;
    const label = `Forked from ${workspaceId} at ${seq}`;
    return { tree, label, base: await baseAt(workspaceId, seq) };
  }

  /** One that is there is used as it is, whatever has become of the repository. */
  return async ({ workspaceId, repositoryId, forkedFrom, lineId }) => {
    const spaces = await workspaces();
    const line = lineId === null ? {} : { lineId };
    const fork = await forkOf(forkedFrom);
    const request = { repositoryId, workspaceId, fork, ...line, at: now() };
    const known = await spaces.findWorktree(workspaceId);
    if (known.ok) return spaces.openWorktree(request);
    const opened = await openRepository(spaces, repositoryId);
    if (!opened.ok) return opened;
    const started = lineId === null ? opened : await spaces.openLine(repositoryId, lineId);
    return started.ok ? spaces.openWorktree(request) : started;
  };
}
