/** The conversation a build's turns are in: `agent:<handle>:build:<id>`. */
export function buildKey(handle: string, id: string): string {
  return `agent:${handle}:build:${id}`;
}

export function buildIdOfKey(key: string): string | undefined {
  return /^agent:[^:]+:build:([^:]+)$/.exec(key)?.[1];
}
