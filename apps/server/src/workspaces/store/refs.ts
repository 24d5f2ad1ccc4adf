/** The names under which a store keeps commits. Those that people chose are not among them. */

/** What work starts from. */
export const BASE_REF = "refs/atrium/base";

/** What one worktree started from; it stays when the base moves on. */
export const startRef = (workspaceId: string): string => `refs/atrium/starts/${workspaceId}`;

/** The newest of its moments; the others are its ancestors. */
export const momentsRef = (workspaceId: string): string => `refs/atrium/moments/${workspaceId}`;

/** All that worktrees have checked out. */
export const BRANCHES = "refs/heads/workspace/";

export const branchRef = (workspaceId: string): string => `${BRANCHES}${workspaceId}`;
