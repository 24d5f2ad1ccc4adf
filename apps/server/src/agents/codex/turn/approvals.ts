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
import { answersOf, QUESTIONS } from "./requested-questions.ts";

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

export function createApprovals(deps: CodexApprovalDeps): CodexApprovals {
  const open = new Map<RequestId, AbortController>();

  async function decide(method: string, params: Fields, signal: AbortSignal): Promise<object> {
    if (method === QUESTIONS) return putQuestions(params, deps, signal);
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

/** One after another; what is left when it is withdrawn is not asked any more. */
async function putQuestions(
  params: Fields,
  { host }: CodexApprovalDeps,
  signal: AbortSignal,
): Promise<object> {
  const questions = listOf(params["questions"]);
  const answers: string[][] = [];
  for (const question of questions) {
    const text = textIn(question, "question") ?? "";
    const options = listOf(question["options"]).map((option) => textIn(option, "label") ?? "");
    const answer = signal.aborted ? null : await host.ask({ text, options }, signal);
    answers.push([answer ?? NO_ANSWER]);
  }
  return answersOf(questions, answers);
}

const NO_ANSWER = "Nobody answered in time. Decide yourself and say what you assumed.";
