/** What a hook of a joined session tells, read from the program's own JSON. What is not known is as if it were not there. */
import { createHash } from "node:crypto";
import { readInput, type SessionActivity } from "@atrium/core";
import { fieldsOf, textIn, type Fields } from "../agents/turn/json-fields.ts";
import { maskShapes } from "../agents/turn/preview/mask-shapes.ts";
import { cleanText, titleOf } from "../platform/clean-text.ts";
import { programOf, type JoinedProgram } from "./program.ts";

/** What the hook's script adds, because the program does not tell it. */
export interface HookSetting {
  readonly owner: string | null;
  readonly branch: string | null;
  readonly pid: number | null;
  /** Of one permission request, the same when it is sent again. */
  readonly requestId: string | null;
  /** Which program the script was installed for; null: the report itself shows it. */
  readonly programName: string | null;
  /** The programs whose users want to be asked here although that closes the terminal's own dialog. */
  readonly askingHere: ReadonlySet<string>;
}

export interface ReportedTool {
  readonly name: string;
  readonly input: unknown;
}

export interface HookReport extends HookSetting {
  /** Of the joined session: made of letters and digits, whatever the program calls it. */
  readonly id: string;
  readonly program: JoinedProgram;
  /** As Claude Code would call it. */
  readonly event: string;
  /** As the program calls it. */
  readonly hookName: string;
  /** What it asks can be answered here. */
  readonly canAsk: boolean;
  readonly folder: string | null;
  readonly model: string | null;
  readonly tool: ReportedTool | null;
  /** Null: the event does not tell. */
  readonly activity: SessionActivity | null;
  /** Of the work of a sub-agent, which is its own. */
  readonly isOfSubagent: boolean;
}

const MAX_ID_CHARS = 200;
const MAX_NAME_CHARS = 200;
const MAX_FOLDER_CHARS = 1_000;
const ID_DIGITS = 20;
/** A prompt that nobody typed: one program reports it when it goes on after its tools. */
const CONTINUATION = "PromptContinued";

const ACTIVITIES: ReadonlyMap<string, SessionActivity> = new Map([
  ["UserPromptSubmit", "working"],
  [CONTINUATION, "working"],
  ["PreToolUse", "working"],
  ["PostToolUse", "working"],
  ["PostToolUseFailure", "working"],
  ["PermissionRequest", "waiting"],
  ["Stop", "idle"],
  ["StopFailure", "idle"],
]);

/** Undefined where it names no session or no event. */
export function readHookReport(body: unknown, setting: HookSetting): HookReport | undefined {
  const fields = fieldsOf(body);
  // One program tells of its permissions in a shape of its own.
  const sessionId = textIn(fields, "session_id") ?? textIn(fields, "sessionId") ?? "";
  const hookName = hookNameIn(fields);
  if (sessionId === "" || sessionId.length > MAX_ID_CHARS) return undefined;
  if (hookName === undefined) return undefined;
  const program = programOf(fields, setting.programName);
  const event = eventIn(program, hookName, fields);
  const tool = textIn(fields, "tool_name") ?? textIn(fields, "toolName");
  const input = fields["tool_input"] ?? fields["toolInput"];
  const isOfSubagent = textIn(fields, "agent_id") !== undefined;
  const canAsk = canBeAsked(program, setting);
  const activity = activityOf({ program, event, canAsk }, fields);
  return {
    ...setting,
    id: sessionKey(program.id, sessionId),
    program,
    event,
    hookName,
    canAsk,
    folder: lineIn(fields, "cwd", MAX_FOLDER_CHARS),
    model: lineIn(fields, "model", MAX_NAME_CHARS),
    tool: tool === undefined ? null : { name: tool.slice(0, MAX_NAME_CHARS), input },
    activity: isOfSubagent && event !== "PermissionRequest" ? null : activity,
    isOfSubagent,
  };
}

function hookNameIn(fields: Fields): string | undefined {
  const name = textIn(fields, "hook_event_name");
  if (name !== undefined) return name.slice(0, MAX_NAME_CHARS);
  return textIn(fields, "hookName") === "permissionRequest" ? "PermissionRequest" : undefined;
}

function eventIn({ eventNames }: JoinedProgram, hookName: string, fields: Fields): string {
  const event = eventNames?.get(hookName) ?? hookName;
  return event === "UserPromptSubmit" && fields["prompt"] === "" ? CONTINUATION : event;
}

function canBeAsked(
  { id, keepsItsDialog, verdictShape }: JoinedProgram,
  { askingHere }: HookSetting,
): boolean {
  return verdictShape !== null && (keepsItsDialog || askingHere.has(id));
}

function activityOf(
  { program, event, canAsk }: Pick<HookReport, "program" | "event" | "canAsk">,
  fields: Fields,
): SessionActivity | null {
  const notice = textIn(fields, "notification_type");
  if (notice === "idle_prompt") return "idle";
  const { dialogNotice } = program;
  if (dialogNotice !== undefined && notice === dialogNotice) return "waiting";
  // Whether anybody is asked, its notification tells.
  const isUnclear = event === "PermissionRequest" && dialogNotice !== undefined && !canAsk;
  return isUnclear ? null : (ACTIVITIES.get(event) ?? null);
}

/** What a session is called here, however it is known. */
export function sessionKey(program: string, sessionId: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([program, sessionId]))
    .digest("hex");
  return `s${digest.slice(0, ID_DIGITS)}`;
}

function lineIn(fields: Fields, name: string, most: number): string | null {
  const text = cleanText(textIn(fields, name) ?? "").slice(0, most);
  return text === "" ? null : text;
}

/** What it does right now, in a line that everyone may read. `mask` is for what the server keeps secret. */
export function describeTool(
  { name, input }: ReportedTool,
  mask: (value: unknown) => unknown,
): string {
  const { summary } = readInput(input ?? "");
  const line = cleanText(summary === "" ? name : `${name}: ${summary}`);
  // Before it is cut: half a secret is not known as one.
  return titleOf(maskShapes(String(mask(line))));
}
