/**
 * What a session of Codex asks, put to people here while its terminal asks too: the first answer counts. Where nobody here
 * decides, or nothing of it can be read here, nothing is answered, and it is left to the terminal.
 */
import type { ApprovalRow } from "@atrium/core";
import type { RequestId } from "../../agents/codex/app-server/connection.ts";
import type { PatchedFile } from "../../agents/codex/turn/file-changes.ts";
import { requestedPermission } from "../../agents/codex/turn/requested-permission.ts";
import {
  answersOf,
  isOpenQuestion,
  QUESTIONS,
} from "../../agents/codex/turn/requested-questions.ts";
import { listOf, textIn, type Fields } from "../../agents/turn/json-fields.ts";
import type { HeldRequests } from "../held-requests.ts";
import { readQuestions } from "../question-items.ts";

export interface ThreadRequestDeps {
  readonly joinedId: string;
  readonly cwd: string;
  readonly held: HeldRequests;
  readonly mask: (value: unknown) => unknown;
  /** Aborted when the daemon is out of reach. */
  readonly lost: AbortSignal;
  readonly changesOf: (itemId: string) => readonly PatchedFile[] | undefined;
  /** Settles when what came before is in the log. */
  readonly afterEarlier: () => Promise<unknown>;
  /** A person said why not. */
  readonly onNote: (note: string) => void;
}

export interface ThreadRequests {
  answer(method: string, params: Fields, id: RequestId): Promise<object | undefined>;
  /** It was answered, here or in the terminal. */
  withdraw(id: unknown): void;
}

/** Once it is answered here: what Codex is told. Undefined: it is left to the terminal. */
type Held = (waited: {
  readonly joinedId: string;
  readonly requestId: string;
  readonly settled: AbortSignal;
  readonly lost: AbortSignal;
}) => Promise<object | undefined>;

export function createThreadRequests(deps: ThreadRequestDeps): ThreadRequests {
  const { joinedId, lost } = deps;
  const open = new Map<unknown, AbortController>();
  return {
    async answer(method, params, id) {
      const hold =
        method === QUESTIONS ? questionsIn(params, deps) : permissionIn(method, params, deps);
      if (hold === undefined) return undefined;
      const settled = new AbortController();
      open.set(id, settled);
      try {
        await deps.afterEarlier();
        // Codex asks again under the same number, as long as its daemon runs.
        const requestId = JSON.stringify([textIn(params, "turnId"), textIn(params, "itemId"), id]);
        const answer = await hold({ joinedId, requestId, settled: settled.signal, lost });
        return settled.signal.aborted ? undefined : answer;
      } finally {
        open.delete(id);
      }
    },
    withdraw: (id) => open.get(id)?.abort(),
  };
}

function permissionIn(method: string, params: Fields, deps: ThreadRequestDeps): Held | undefined {
  const { cwd, changesOf, held, onNote } = deps;
  // Its tools of ours are asked about as all others: this session is not one of our turns.
  const permission = requestedPermission(method, params, { cwd, changesOf, isOurs: () => false });
  // A change of files that was shown before we were away is not shown again, and is the same.
  const verdict = permission?.request === null ? permission.answerAsRead : permission?.answer;
  if (permission === undefined || verdict === undefined) return undefined;
  return async (waited) => {
    const row = await held.holdPermission({ ...waited, request: permission.request });
    const isAllowed = verdictIn(row);
    if (isAllowed === undefined || waited.settled.aborted) return undefined;
    const note = noteIn(row);
    if (note !== undefined) onNote(note);
    return verdict(isAllowed);
  };
}

function questionsIn(params: Fields, { held, mask }: ThreadRequestDeps): Held | undefined {
  const fields = listOf(params["questions"]);
  // An answer here is read by everyone who may look.
  if (fields.some(({ isSecret }) => isSecret === true)) return undefined;
  const questions = readQuestions(fields, { allowsOther: isOpenQuestion, mask });
  if (questions === undefined) return undefined;
  return async (waited) => {
    const answers = await held.holdQuestion({ ...waited, items: questions.items });
    return answers && answersOf(fields, questions.choices(answers));
  };
}

/** Undefined: nobody decided. */
function verdictIn(row: ApprovalRow | undefined): boolean | undefined {
  switch (row?.settled?.outcome.type) {
    case "approval.allowed":
      return true;
    case "approval.denied":
      return false;
    case "approval.expired":
    case undefined:
      return undefined;
  }
}

function noteIn(row: ApprovalRow | undefined): string | undefined {
  const outcome = row?.settled?.outcome;
  return outcome?.type === "approval.denied" ? outcome.note : undefined;
}
