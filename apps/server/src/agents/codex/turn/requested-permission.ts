/**
 * What Codex asks its client to allow, as it is put to people, and how it is told what they say. Pure.
 *
 * An allowance is for this one time (`accept`). What people allow for longer is a standing permission of Atrium's; Codex
 * is never told to remember anything.
 */
import { own } from "@atrium/wire";
import type { PermissionRequest } from "../../turn/agent-runtime.ts";
import { fieldsOf, isFields, textIn, type Fields } from "../../turn/json-fields.ts";
import { patchSummary, writesOf, type PatchedFile } from "./file-changes.ts";

export interface PermissionContext {
  /** Where it works, for requests that do not say. */
  readonly cwd: string;
  /** Whether this MCP server is ours: whether its tools may be used is decided where they are used, not twice. */
  readonly isOurs: (server: string) => boolean;
  readonly changesOf: (itemId: string) => readonly PatchedFile[] | undefined;
}

export type RequestedPermission =
  | {
      readonly request: PermissionRequest;
      /** What would be changed, where it is files. */
      readonly changes?: readonly PatchedFile[];
      readonly answer: (isAllowed: boolean) => object;
    }
  /** There is nothing to ask people: nothing of it can be read, or it is decided elsewhere. */
  | {
      readonly request: null;
      readonly answer: object;
      /** For those who have read it before. */
      readonly answerAsRead?: (isAllowed: boolean) => object;
    };

type Reader = (params: Fields, context: PermissionContext) => RequestedPermission;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["item/commandExecution/requestApproval", readCommand],
  ["item/fileChange/requestApproval", readChange],
  ["item/permissions/requestApproval", readMore],
  ["mcpServer/elicitation/request", readToolUse],
]);

/** Undefined where the request is for something else. */
export function requestedPermission(
  method: string,
  params: Fields,
  context: PermissionContext,
): RequestedPermission | undefined {
  return READERS.get(method)?.(params, context);
}

const decisionOf = (isAllowed: boolean): object => ({
  decision: isAllowed ? "accept" : "decline",
});

const UNREADABLE = { request: null, answer: decisionOf(false) } as const;

const COMMAND = "command";
/** What a command would get besides, and what therefore is asked for with it. */
const BESIDES = ["networkApprovalContext", "additionalPermissions"];

function readCommand(params: Fields, context: PermissionContext): RequestedPermission {
  const command = textIn(params, "command");
  const besides = BESIDES.flatMap((name) => {
    const value = own(params, name);
    return isFields(value) ? [[name, value] as const] : [];
  });
  if (command === undefined && besides.length === 0) return UNREADABLE;
  const kind = textIn(params, "kind") ?? COMMAND;
  const input = {
    ...(command !== undefined && { command }),
    // Such as words that are typed into a command which is running.
    ...(kind !== COMMAND && { kind }),
    ...Object.fromEntries(besides),
  };
  return { request: { tool: "shell", input, ...aboutIn(params, context) }, answer: decisionOf };
}

function readChange(params: Fields, context: PermissionContext): RequestedPermission {
  const changes = context.changesOf(textIn(params, "itemId") ?? "");
  if (changes === undefined || changes.length === 0) {
    return { ...UNREADABLE, answerAsRead: decisionOf };
  }
  const root = textIn(params, "grantRoot");
  const request: PermissionRequest = {
    tool: "apply_patch",
    input: { ...patchSummary(changes), ...(root !== undefined && { grantRoot: root }) },
    writes: writesOf(changes),
    ...aboutIn(params, context),
    ...(root !== undefined && {
      mayAlways: false,
      warning: `Codex asks to write anything below ${root} from now on.`,
    }),
  };
  return { request, changes, answer: decisionOf };
}

/** More rights for the rest of the turn. */
function readMore(params: Fields, context: PermissionContext): RequestedPermission {
  const wanted = fieldsOf(params["permissions"]);
  const request: PermissionRequest = {
    tool: "request_permissions",
    input: wanted,
    ...aboutIn(params, context),
    mayAlways: false,
    warning: "This holds for everything Codex does in the rest of its turn.",
  };
  const answer = (isAllowed: boolean): object => ({
    permissions: isAllowed ? wanted : {},
    scope: "turn",
  });
  return { request, answer };
}

const TOOL_CALL = "mcp_tool_call";
const ACCEPTED = { action: "accept", content: {}, _meta: null };
const DECLINED = { action: "decline", content: null, _meta: null };

/** Whether a tool of an MCP server may be called. Forms and pages that such a server wants filled in are declined. */
function readToolUse(params: Fields, { isOurs, cwd }: PermissionContext): RequestedPermission {
  const meta = fieldsOf(params["_meta"]);
  const server = textIn(params, "serverName") ?? "";
  if (meta["codex_approval_kind"] !== TOOL_CALL) return { request: null, answer: DECLINED };
  if (isOurs(server)) return { request: null, answer: ACCEPTED };
  const name = textIn(meta, "tool_name") ?? textIn(meta, "tool_title") ?? "tool";
  const message = textIn(params, "message");
  const request: PermissionRequest = {
    tool: `mcp__${server}__${name}`,
    input: own(meta, "tool_params") ?? {},
    cwd,
    ...(message !== undefined && { details: message }),
  };
  return { request, answer: (isAllowed) => (isAllowed ? ACCEPTED : DECLINED) };
}

function aboutIn(params: Fields, { cwd }: PermissionContext): { cwd: string; details?: string } {
  const reason = textIn(params, "reason");
  const details = reason === undefined || reason === "" ? {} : { details: reason };
  return { cwd: textIn(params, "cwd") ?? cwd, ...details };
}
