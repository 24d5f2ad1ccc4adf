/**
 * What Codex asks of its client within a turn, put to people: permissions for commands, changes of files and tools, and
 * its questions. Each is answered once; what is still open when the turn ends, or when Codex says that it is settled,
 * is withdrawn.
 *
 * An allowance is for this one time (`accept`). What people allow for longer is a standing permission of Atrium's, which
 * answers the next request without asking; Codex is never told to remember anything.
 */
import { own } from "@atrium/wire";
import { readPermission, type PermissionRequest, type TurnHost } from "../../turn/agent-runtime.ts";
import { fieldsOf, isFields, listOf, textIn, type Fields } from "../../turn/json-fields.ts";
import { AppServerRefusal, METHOD_NOT_FOUND, type RequestId } from "../app-server/connection.ts";
import { patchSummary, writesOf, type PatchedFile } from "./file-changes.ts";

export interface CodexApprovalDeps {
  readonly host: TurnHost;
  /** Where it works, for requests that do not say. */
  readonly cwd: string;
  /** Whether this MCP server is ours: whether its tools may be used is decided where they are used, not twice. */
  readonly isOurs: (server: string) => boolean;
  readonly changesOf: (itemId: string) => readonly PatchedFile[] | undefined;
  /** A person said why not. */
  readonly onNote: (note: string) => void;
}

export interface CodexApprovals {
  answer(method: string, params: Fields, id: RequestId): Promise<object>;
  /** Somebody else has answered it. */
  withdraw(id: RequestId): void;
  withdrawAll(): void;
}

export function createApprovals(deps: CodexApprovalDeps): CodexApprovals {
  const open = new Map<RequestId, AbortController>();
  return {
    async answer(method, params, id) {
      const answerer = ANSWERERS.get(method);
      if (answerer === undefined) {
        throw new AppServerRefusal(METHOD_NOT_FOUND, `Atrium does not serve ${method}.`);
      }
      const withdrawal = new AbortController();
      open.set(id, withdrawal);
      try {
        return await answerer(params, { ...deps, signal: withdrawal.signal });
      } finally {
        open.delete(id);
      }
    },
    withdraw: (id) => open.get(id)?.abort(),
    withdrawAll() {
      for (const withdrawal of open.values()) withdrawal.abort();
    },
  };
}

interface Asking extends CodexApprovalDeps {
  readonly signal: AbortSignal;
}

type Answerer = (params: Fields, asking: Asking) => Promise<object>;

const ANSWERERS: ReadonlyMap<string, Answerer> = new Map<string, Answerer>([
  ["item/commandExecution/requestApproval", decideCommand],
  ["item/fileChange/requestApproval", decideChange],
  ["item/permissions/requestApproval", decideMore],
  ["mcpServer/elicitation/request", decideTool],
  ["item/tool/requestUserInput", putQuestions],
]);

/** A turn that was stopped, or nobody to ask: either way it was not allowed. */
async function isAllowed(request: PermissionRequest, asking: Asking): Promise<boolean> {
  const { host, signal, onNote } = asking;
  try {
    host.signal.throwIfAborted();
    signal.throwIfAborted();
    const { permission, note } = readPermission(await host.requestPermission(request, signal));
    if (note !== undefined) onNote(note);
    return permission === "allowed";
  } catch {
    return false;
  }
}

const decisionOf = (isYes: boolean): object => ({ decision: isYes ? "accept" : "decline" });

const COMMAND = "command";
/** What a command would get besides, and what therefore is asked for with it. */
const BESIDES = ["networkApprovalContext", "additionalPermissions"];

async function decideCommand(params: Fields, asking: Asking): Promise<object> {
  const command = textIn(params, "command");
  const besides = BESIDES.flatMap((name) => {
    const value = own(params, name);
    return isFields(value) ? [[name, value] as const] : [];
  });
  // Nothing can be read, so nothing can be allowed.
  if (command === undefined && besides.length === 0) return decisionOf(false);
  const kind = textIn(params, "kind") ?? COMMAND;
  const input = {
    ...(command !== undefined && { command }),
    // Such as words that are typed into a command which is running.
    ...(kind !== COMMAND && { kind }),
    ...Object.fromEntries(besides),
  };
  const request = { tool: "shell", input, ...aboutIn(params, asking) };
  return decisionOf(await isAllowed(request, asking));
}

async function decideChange(params: Fields, asking: Asking): Promise<object> {
  const changes = asking.changesOf(textIn(params, "itemId") ?? "");
  if (changes === undefined || changes.length === 0) return decisionOf(false);
  const root = textIn(params, "grantRoot");
  const request: PermissionRequest = {
    tool: "apply_patch",
    input: { ...patchSummary(changes), ...(root !== undefined && { grantRoot: root }) },
    writes: writesOf(changes),
    ...aboutIn(params, asking),
    ...(root !== undefined && {
      mayAlways: false,
      warning: `Codex asks to write anything below ${root} from now on.`,
    }),
  };
  return decisionOf(await isAllowed(request, asking));
}

/** More rights for the rest of the turn. */
async function decideMore(params: Fields, asking: Asking): Promise<object> {
  const wanted = fieldsOf(params["permissions"]);
  const request: PermissionRequest = {
    tool: "request_permissions",
    input: wanted,
    ...aboutIn(params, asking),
    mayAlways: false,
    warning: "This holds for everything Codex does in the rest of its turn.",
  };
  return { permissions: (await isAllowed(request, asking)) ? wanted : {}, scope: "turn" };
}

const TOOL_CALL = "mcp_tool_call";
const DECLINED = { action: "decline", content: null, _meta: null };

/** Whether a tool of an MCP server may be called. Forms and pages that such a server wants filled in are declined. */
async function decideTool(params: Fields, asking: Asking): Promise<object> {
  const meta = fieldsOf(params["_meta"]);
  const server = textIn(params, "serverName") ?? "";
  if (meta["codex_approval_kind"] !== TOOL_CALL) return DECLINED;
  const accepted = { action: "accept", content: {}, _meta: null };
  if (asking.isOurs(server)) return accepted;
  const name = textIn(meta, "tool_name") ?? textIn(meta, "tool_title") ?? "tool";
  const message = textIn(params, "message");
  const request: PermissionRequest = {
    tool: `mcp__${server}__${name}`,
    input: own(meta, "tool_params") ?? {},
    cwd: asking.cwd,
    ...(message !== undefined && { details: message }),
  };
  return (await isAllowed(request, asking)) ? accepted : DECLINED;
}

async function putQuestions(params: Fields, { host }: Asking): Promise<object> {
  const answers = new Map<string, object>();
  for (const question of listOf(params["questions"])) {
    const text = textIn(question, "question") ?? "";
    const options = listOf(question["options"]).map((option) => textIn(option, "label") ?? "");
    const answer = await host.ask({ text, options });
    answers.set(textIn(question, "id") ?? "", { answers: [answer ?? NO_ANSWER] });
  }
  return { answers: Object.fromEntries(answers) };
}

const NO_ANSWER = "Nobody answered in time. Decide yourself and say what you assumed.";

function aboutIn(params: Fields, { cwd }: Asking): { cwd: string; details?: string } {
  const reason = textIn(params, "reason");
  const details = reason === undefined || reason === "" ? {} : { details: reason };
  return { cwd: textIn(params, "cwd") ?? cwd, ...details };
}
