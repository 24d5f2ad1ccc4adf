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
} from "../../turn/agent-runtime.ts";
import { wholeDiff } from "./file-diff.ts";
import { isTelling, type KnownCall } from "./session-updates.ts";
import { textOf } from "./tool-output.ts";

export interface DecidedOption {
  readonly permission: Permission;
  readonly outcome: RequestPermissionOutcome;
}

const CANCELLED: RequestPermissionOutcome = { outcome: "cancelled" };

export async function decide(
  { toolCall, options }: RequestPermissionRequest,
  known: KnownCall,
  host: TurnHost,
  cwd: string,
): Promise<DecidedOption> {
  const tool = known.name ?? toolCall.kind ?? "tool";
  let permission: Permission;
  try {
    host.signal.throwIfAborted();
    // The protocol has no place for a reason; what was said is with the decision, for people.
    const answer = await host.requestPermission({ tool, cwd, ...askedIn(toolCall, known) });
    ({ permission } = readPermission(answer));
  } catch {
    // The turn was stopped, or nobody can be asked: either way it was not allowed.
    return { permission: "denied", outcome: CANCELLED };
  }
  const outcome = outcomeOf(options, permission);
  return { permission: outcome === CANCELLED ? "denied" : permission, outcome };
}

/** Undefined where it offers no such option: then people are asked. */
export function allowUnasked({ options }: RequestPermissionRequest): DecidedOption | undefined {
  const outcome = outcomeOf(options, "allowed");
  return outcome === CANCELLED ? undefined : { permission: "allowed", outcome };
}

/** People decide about this once: what would be allowed for ever is not chosen for them. */
function outcomeOf(
  options: readonly PermissionOption[],
  permission: Permission,
): RequestPermissionOutcome {
  const first = (wanted: PermissionOption["kind"]): PermissionOption | undefined =>
    options.find(({ kind }) => kind === wanted);
  const option =
    permission === "allowed"
      ? first("allow_once")
      : (first("reject_once") ?? first("reject_always"));
  return option === undefined ? CANCELLED : { outcome: "selected", optionId: option.optionId };
}

type ToolCall = RequestPermissionRequest["toolCall"];

/** All that the agent tells of it. Where it gives the input itself, its words are only what it says of it. */
function askedIn(toolCall: ToolCall, known: KnownCall): Omit<PermissionRequest, "tool"> {
  const { title, toolCallId, content } = toolCall;
  const writes = (content ?? []).flatMap((part) =>
    part.type === "diff" ? [{ path: part.path, text: wholeDiff(part) }] : [],
  );
  const shown = writes.length === 0 ? {} : { writes };
  const notes = (content ?? []).map((part) =>
    part.type === "content" ? textOf(part.content) : "",
  );
  const words = [title ?? "", ...notes].filter((text) => text !== "");
  if (isTelling(known.input)) {
    const details = words.join("\n");
    return { input: known.input, ...shown, ...(details !== "" && { details }) };
  }
  // Its title may be shorter than what it would do.
  const [first = toolCallId, ...rest] = words;
  const details = rest.join("\n");
  return { input: first, ...shown, ...(details !== "" && { details }), mayAlways: false };
}
