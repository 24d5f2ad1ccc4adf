/**
 * A permission as every room shows it: all of what is asked, with nothing in it that cannot be seen. What is too long to
 * be sent with everything else says so, and is read by itself; whoever has read it can show that.
 */
import { createHash } from "node:crypto";
import {
  alwaysScopes,
  canonicalInput,
  readSize,
  wholeText,
  writesOf,
  type ApprovalSubject,
} from "@atrium/core";
import { visibleText, type PermissionSubject } from "@atrium/wire";

/** Of one permission, in what is sent to everyone. */
const MAX_SHOWN_CHARS = 16_384;

export interface PermissionOnWire {
  readonly permission: PermissionSubject;
  /** Known only to who was given the whole. */
  readonly seen: string;
}

export function wholePermission(subject: ApprovalSubject, agentId?: string): PermissionOnWire {
  const writes = writesOf(subject).map(({ path, text }) => ({
    path: visibleText(path),
    text: visibleText(text),
  }));
  const details = visibleText(subject.details ?? "");
  const permission = {
    ...aboutIt(subject, agentId),
    input: visibleText(wholeText(subject)),
    ...(details !== "" && { details }),
    ...(writes.length > 0 && { writes }),
    is_whole: true,
    size: readSize(subject),
  };
  const seen = createHash("sha256").update(canonicalInput(subject)).digest("base64url");
  return { permission, seen };
}

export function permissionOnWire(
  subject: ApprovalSubject,
  readAt: string,
  agentId?: string,
): PermissionSubject {
  const size = readSize(subject);
  if (size <= MAX_SHOWN_CHARS) return wholePermission(subject, agentId).permission;
  const beginning = wholeText(subject).slice(0, MAX_SHOWN_CHARS);
  const input = visibleText(beginning.replace(/[\uD800-\uDBFF]$/, ""));
  return { ...aboutIt(subject, agentId), input, is_whole: false, size, read_at: readAt };
}

/** Whether all of it was sent to whoever looks, or they show that they have read it. */
export function wasRead(subject: ApprovalSubject, seen: string | undefined): boolean {
  return readSize(subject) <= MAX_SHOWN_CHARS || seen === wholePermission(subject).seen;
}

type About = Omit<PermissionSubject, "input" | "details" | "writes" | "is_whole" | "size">;

function aboutIt(subject: ApprovalSubject, agentId: string | undefined): About {
  const { tool, cwd, host, nodeId, warning, mayAlways } = subject;
  return {
    tool: visibleText(tool),
    ...(cwd !== null && { cwd: visibleText(cwd) }),
    ...(host !== null && { host: visibleText(host) }),
    ...(nodeId !== null && { node_id: visibleText(nodeId) }),
    ...(agentId !== undefined && { agent_id: agentId }),
    ...(warning !== null && { warning: visibleText(warning) }),
    may_always: mayAlways,
    always_scopes: [...alwaysScopes(subject)],
  };
}
