/**
 * Permissions: asked for, answered by whoever may, settled once.
 *
 * The log is what is waited on, so it does not matter who answered from where, or whether the one who
 * waits is the one who asked. Every open request has a deadline, also after a restart.
 */
import {
  accept,
  approval,
  parseReply,
  readSize,
  refuse,
  streamOf,
  type AllowHow,
  type AlwaysScope,
  type Answerer,
  type ApprovalCommand,
  type ApprovalRow,
  type Approvals,
  type ApprovalSubject,
  type Clock,
  type Dispatch,
  type Ids,
  type Outcome,
  type NoAnswerReason,
} from "@atrium/core";
import type { Deadlines } from "../reactions/deadlines.ts";
import { isAskedAgain, createApprovalCode, type RandomBelow } from "./approval-code.ts";
import { MAX_OPEN_CHARS, MAX_SPOKEN_CHARS, MAX_OPEN } from "./limits.ts";
import { Waiters, type Notice } from "./waiters.ts";

export interface ApprovalRequestDeps {
  readonly dispatch: Dispatch;
  readonly approvals: Approvals;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: RandomBelow;
  readonly deadlines: Deadlines;
  readonly projectOf: (
    subject: Pick<ApprovalSubject, "runId" | "conversationKey">,
  ) => string | null;
}

export interface NewApproval {
  readonly id?: string;
  readonly subject: ApprovalSubject;
  /** The code whoever asks knows it by already; people are told this one unless it could mean something else. */
  readonly code?: string;
  readonly timeoutMs?: number;
}

export type ApprovalAnswer =
  | {
      readonly type: "allow";
      readonly how: AllowHow;
      readonly scope?: AlwaysScope;
      readonly pattern?: string;
      readonly note?: string;
    }
  | { readonly type: "deny"; readonly note?: string };

export interface ApprovalRequests {
  openApproval(request: NewApproval): Promise<Outcome<ApprovalRow>>;
  resolveApproval(id: string, verdict: ApprovalAnswer, by: Answerer): Promise<Outcome<ApprovalRow>>;
  expireApproval(id: string, why: NoAnswerReason): Promise<Outcome<ApprovalRow>>;
  /** Takes an "always" back, by the id of the permission it was given with. */
  revokeRule(id: string, by: Answerer): Promise<Outcome<unknown>>;
  /** The approval once it is settled; undefined when there is none, or the signal was aborted first. */
  awaitApproval(id: string, signal?: AbortSignal): Promise<ApprovalRow | undefined>;
  /**
   * `yes abxyz` or `no abxyz`: what became of it. Undefined when the text is something else, or names
   * no permission anyone asked for.
   */
  matchReply(text: string, by: Answerer): Promise<Outcome<ApprovalRow>> | undefined;
}

const DEFAULT_TIMEOUT_MS = 30 * 60_000;
const WHERE_TO_READ = "in the office, or with: atrium approvals allow";

export function createApprovalRequests(
  deps: ApprovalRequestDeps,
): ApprovalRequests & Notice<ApprovalRow> {
  const { dispatch, approvals, clock, ids, random, deadlines } = deps;
  const waiters = new Waiters<ApprovalRow>();
  /** Given out, but not yet in the projection. */
  const reserved = new Set<string>();
  const isTaken = (code: string): boolean =>
    reserved.has(code) || approvals.findByCode(code) !== undefined;

  function chooseCode(code: string | undefined, subject: ApprovalSubject): string {
    if (code === undefined || reserved.has(code)) return createApprovalCode(random, isTaken);
    const earlier = approvals.findByCode(code);
    const isFree = earlier === undefined || isAskedAgain(earlier, subject);
    return isFree ? code : createApprovalCode(random, isTaken);
  }

  async function openApproval(request: NewApproval): Promise<Outcome<ApprovalRow>> {
    if (approvals.openCount + reserved.size >= MAX_OPEN) return refuse("asking.crowded");
    if (approvals.openChars >= MAX_OPEN_CHARS) return refuse("asking.crowded");
    const { id = ids.next(), timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    const projectId = deps.projectOf(request.subject);
    const subject = projectId === null ? request.subject : { ...request.subject, projectId };
    const code = chooseCode(request.code, subject);
    const expiresAt = clock.now() + timeoutMs;
    // A client has its own memory of what it was always allowed.
    const standing = subject.askedBy === "agent" ? (approvals.standingFor(subject) ?? null) : null;
    reserved.add(code);
    try {
      return await decide(id, { type: "request", id, code, subject, expiresAt, standing });
    } finally {
      reserved.delete(code);
    }
  }

  async function decide(id: string, command: ApprovalCommand): Promise<Outcome<ApprovalRow>> {
    const done = await dispatch(approval, id, command);
    if (!done.ok) return done;
    const row = approvals.get(id);
    return row === undefined ? refuse("approval.missing", id) : accept(row);
  }

  const resolveApproval: ApprovalRequests["resolveApproval"] = (id, verdict, by) =>
    decide(id, { ...verdict, by });
  const expireApproval: ApprovalRequests["expireApproval"] = (id, why) =>
    decide(id, { type: "expire", why });

  return {
    openApproval,
    resolveApproval,
    expireApproval,
    revokeRule: (id, by) => dispatch(approval, id, { type: "revoke", by }),
    async awaitApproval(id, signal) {
      const row = approvals.get(id);
      return row === undefined || row.settled !== null ? row : waiters.wait(id, signal);
    },
    matchReply(text, by) {
      const reply = parseReply(text);
      if (reply === undefined) return undefined;
      const row = approvals.findByCode(reply.code);
      if (row === undefined) return undefined;
      if (reply.isYes && readSize(row.subject) > MAX_SPOKEN_CHARS) {
        return Promise.resolve(refuse("approval.unread", WHERE_TO_READ));
      }
      return resolveApproval(
        row.id,
        reply.isYes ? { type: "allow", how: reply.isAlways ? "always" : "once" } : { type: "deny" },
        by,
      );
    },
    notice(row) {
      const name = streamOf(approval, row.id);
      if (row.settled === null) {
        deadlines.set(name, row.expiresAt, () => expireApproval(row.id, "timeout"));
      } else {
        deadlines.clear(name);
        waiters.settle(row.id, row);
      }
    },
  };
}
