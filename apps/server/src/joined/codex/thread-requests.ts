/**
 * What a session of Codex asks, put to people here while its terminal asks too: the first answer counts. Where nobody here
 * decides, or nothing of it can be read here, nothing is answered, and it is left to the terminal.
 */
import type { ApprovalRow } from "@atrium/core";
import type { RequestId } from "../../agents/codex/app-server/connection.ts";
import type { PatchedFile } from "../../agents/codex/turn/file-changes.ts";
import { requestedPermission } from "../../agents/codex/turn/requested-permission.ts";
import { textIn, type Fields } from "../../agents/turn/json-fields.ts";
import type { HeldRequests } from "../held-requests.ts";

export interface ThreadRequestDeps {
  readonly joinedId: string;
  readonly cwd: string;
  readonly held: HeldRequests;
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

export function createThreadRequests(deps: ThreadRequestDeps): ThreadRequests {
  const { joinedId, cwd, held, lost, changesOf } = deps;
  const open = new Map<unknown, AbortController>();
  return {
    async answer(method, params, id) {
      // Its tools of ours are asked about as all others: this session is not one of our turns.
      const context = { cwd, changesOf, isOurs: () => false };
      const permission = requestedPermission(method, params, context);
      // A change of files that was shown before we were away is not shown again, and is the same.
      const verdict = permission?.request === null ? permission.answerAsRead : permission?.answer;
      if (permission === undefined || verdict === undefined) return undefined;
      const settled = new AbortController();
      open.set(id, settled);
      try {
        await deps.afterEarlier();
        // Codex asks again under the same number, as long as its daemon runs.
        const requestId = JSON.stringify([textIn(params, "turnId"), textIn(params, "itemId"), id]);
        const { request } = permission;
        const waited = { joinedId, requestId, request, settled: settled.signal, lost };
        const row = await held.holdPermission(waited);
        const isAllowed = verdictIn(row);
        if (isAllowed === undefined || settled.signal.aborted) return undefined;
        const note = noteIn(row);
        if (note !== undefined) deps.onNote(note);
        return verdict(isAllowed);
      } finally {
        open.delete(id);
      }
    },
    withdraw: (id) => open.get(id)?.abort(),
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
