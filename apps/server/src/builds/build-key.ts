/** The conversation a build's turns are in: `agent:<handle>:build:<id>`. */
export function buildKey(handle: string, id: string): string {
  return `agent:${handle}:build:${id}`;
}

export function buildIdOfKey(key: string): string | undefined {
  return /^agent:[^:]+:build:([^:]+)$/.exec(key)?.[1];
}

/** Where all of a permission is read that a build waits for. */
export function permissionPath(buildId: string, permissionId: string): string {
  return `/api/builds/${encodeURIComponent(buildId)}/permissions/${encodeURIComponent(permissionId)}`;
}
