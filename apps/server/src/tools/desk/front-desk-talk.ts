/** Which conversations are held at the front desk: all of its agent's, but for those in which it plans, builds or works. */
import { DEFAULT_HANDLE, handleOf, workspaceIdOfKey } from "@atrium/core";

const PLANNING = /^agent:[^:]+:project:[^:]+$/;

export function isFrontDeskTalk(key: string): boolean {
  const isWork = PLANNING.test(key) || workspaceIdOfKey(key) !== undefined;
  return handleOf(key) === DEFAULT_HANDLE && !isWork;
}
