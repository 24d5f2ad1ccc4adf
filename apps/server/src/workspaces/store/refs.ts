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

/** Of a fork: the commit that its tree was made from, before any change of its own. */
export const originRef = (workspaceId: string): string => `refs/atrium/origins/${workspaceId}`;

/** Every change that was sealed in a worktree, each under its commit. */
export const sealedRefs = (workspaceId: string): string => `refs/atrium/sealed/${workspaceId}/`;

/** The newest that has landed. */
export const lineRef = (lineId: string): string => `refs/heads/atrium/${lineId}/line`;

/** What a line is built on. */
export const lineBaseRef = (lineId: string): string => `refs/atrium/lines/${lineId}`;

/** What a landing does to its line; there before it is done. */
export const landingRef = (lineId: string, landingId: string): string =>
  `refs/atrium/landings/${lineId}/${landingId}`;

export const CONFLICTS = "refs/atrium/conflicts/";

/** The files with markers of a landing that was in conflict, after the line and the change. */
export const conflictRef = (lineId: string, landingId: string): string =>
  `${CONFLICTS}${lineId}/${landingId}`;
