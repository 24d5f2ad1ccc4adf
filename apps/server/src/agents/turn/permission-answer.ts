/** An answer to a request for permission, taken apart for runtimes that can pass a reason on, and for those that cannot. */
import type { Permission, PermissionAnswer } from "./agent-runtime.ts";

export interface ReadPermission {
  readonly permission: Permission;
  readonly note: string | undefined;
}

export function readPermission(answer: PermissionAnswer): ReadPermission {
  return typeof answer === "string" ? { permission: answer, note: undefined } : answer;
}
