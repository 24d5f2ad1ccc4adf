/** A permission an ACP agent needs, put to people, and their answer among the options it offers. */
import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionOutcome,
} from "@agentclientprotocol/sdk";
import {
  readPermission,
  type Permission,
  type PermissionRequest,
  type TurnHost,
} from "../turn/agent-runtime.ts";
import type { AcpToolServer } from "./acp-tool-server.ts";

const CANCELLED: RequestPermissionOutcome = { outcome: "cancelled" };

export async function decide(
  { toolCall, options }: RequestPermissionRequest,
  host: TurnHost,
  ours: Pick<AcpToolServer, "has">,
  cwd: string,
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
    const answer = await host.requestPermission({ tool, cwd, ...askedIn(toolCall) });
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

type ToolCall = RequestPermissionRequest["toolCall"];

/** All that the agent tells of it. Where it gives the input itself, its title is only what it says of it. */
function askedIn(toolCall: ToolCall): Omit<PermissionRequest, "tool"> {
  const { title, rawInput, toolCallId, content } = toolCall;
  const name = title ?? "";
  const writes = (content ?? []).flatMap((part) =>
    part.type === "diff"
      ? [{ path: part.path, text: diffOf(part.oldText ?? "", part.newText) }]
      : [],
  );
  const shown = writes.length === 0 ? {} : { writes };
  if (rawInput === undefined || rawInput === null || isEmpty(rawInput)) {
    return { input: name === "" ? toolCallId : name, ...shown };
  }
  return { input: rawInput, ...shown, ...(name !== "" && { details: name }) };
}

function isEmpty(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).length === 0;
}

function diffOf(before: string, after: string): string {
  return [marked("-", before), marked("+", after)].filter((part) => part !== "").join("\n");
}

function marked(mark: string, text: string): string {
  return text === "" ? "" : text.replaceAll(/^/gm, `${mark} `);
}
