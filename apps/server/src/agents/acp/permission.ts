/** A permission an ACP agent needs, put to people, and their answer among the options it offers. */
import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionOutcome,
} from "@agentclientprotocol/sdk";
import type { Permission, TurnHost } from "../agent-runtime.ts";
import { readPermission } from "../permission-answer.ts";
import type { ToolBelt } from "./tool-belt.ts";

const CANCELLED: RequestPermissionOutcome = { outcome: "cancelled" };

export async function decide(
  { toolCall, options }: RequestPermissionRequest,
  host: TurnHost,
  ours: Pick<ToolBelt, "has">,
): Promise<RequestPermissionOutcome> {
  // Whether one of our own tools may be used is decided where it is used, not twice.
  const isOurs = toolCall.name !== undefined && toolCall.name !== null && ours.has(toolCall.name);
  const once = isOurs ? choose(options, "allowed") : undefined;
  if (once !== undefined) return { outcome: "selected", optionId: once.optionId };
  const tool = toolCall.name ?? toolCall.kind ?? "tool";
  let permission: Permission;
  try {
    host.signal.throwIfAborted();
    // The protocol has no place for a reason; what was said is with the decision, for people.
    const answer = await host.requestPermission({ tool, summary: summaryOf(toolCall) });
    ({ permission } = readPermission(answer));
  } catch {
    // The turn was stopped, or nobody can be asked: either way it was not allowed.
    return CANCELLED;
  }
  const option = choose(options, permission);
  return option === undefined ? CANCELLED : { outcome: "selected", optionId: option.optionId };
}

/** People decide about this once: what would be allowed for ever is not chosen for them. */
function choose(
  options: readonly PermissionOption[],
  permission: Permission,
): PermissionOption | undefined {
  const first = (wanted: PermissionOption["kind"]): PermissionOption | undefined =>
    options.find(({ kind }) => kind === wanted);
  switch (permission) {
    case "allowed":
      return first("allow_once");
    case "denied":
    case "expired":
      return first("reject_once") ?? first("reject_always");
  }
}

function summaryOf({ title, rawInput, toolCallId }: RequestPermissionRequest["toolCall"]): string {
  const input = rawInput === undefined || rawInput === null ? "" : JSON.stringify(rawInput);
  const parts = [title ?? "", input === "{}" ? "" : input].filter((part) => part !== "");
  return parts.length === 0 ? toolCallId : parts.join(" ");
}
