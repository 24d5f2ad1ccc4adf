/**
 * What Codex asks of its client within a turn, put to people: permissions for commands, changes of files and tools, and
 * its questions. Each is answered once; what is still open when the turn ends, or when Codex says that it is settled,
 * is withdrawn.
 */
import { readPermission, type PermissionRequest, type TurnHost } from "../../turn/agent-runtime.ts";
import { listOf, textIn, type Fields } from "../../turn/json-fields.ts";
import { AppServerRefusal, METHOD_NOT_FOUND, type RequestId } from "../app-server/connection.ts";
import type { PatchedFile } from "./file-changes.ts";
import { requestedPermission, type PermissionContext } from "./requested-permission.ts";

export interface CodexApprovalDeps extends PermissionContext {
  readonly host: TurnHost;
  /** People are not asked about it. */
  readonly isAllowedAnyway: (
    request: PermissionRequest,
    changes: readonly PatchedFile[] | undefined,
  ) => Promise<boolean>;
  /** A person said why not. */
  readonly onNote: (note: string) => void;
}

export interface CodexApprovals {
  answer(method: string, params: Fields, id: RequestId): Promise<object>;
  /** Somebody else has answered it. */
  withdraw(id: RequestId): void;
  withdrawAll(): void;
}

const QUESTIONS = "item/tool/requestUserInput";

export function createApprovals(deps: CodexApprovalDeps): CodexApprovals {
  const open = new Map<RequestId, AbortController>();

  async function decide(method: string, params: Fields, signal: AbortSignal): Promise<object> {
    if (method === QUESTIONS) return putQuestions(params, deps);
    const permission = requestedPermission(method, params, deps);
    if (permission === undefined) {
      throw new AppServerRefusal(METHOD_NOT_FOUND, `Atrium does not serve ${method}.`);
    }
    if (permission.request === null) return permission.answer;
    const { request, changes, answer } = permission;
    if (await deps.isAllowedAnyway(request, changes)) return answer(true);
    return answer(await isAllowed(request, deps, signal));
  }

  return {
    async answer(method, params, id) {
      const withdrawal = new AbortController();
      open.set(id, withdrawal);
      try {
        return await decide(method, params, withdrawal.signal);
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

/** A turn that was stopped, or nobody to ask: either way it was not allowed. */
async function isAllowed(
  request: PermissionRequest,
  { host, onNote }: CodexApprovalDeps,
  signal: AbortSignal,
): Promise<boolean> {
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

async function putQuestions(params: Fields, { host }: CodexApprovalDeps): Promise<object> {
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
