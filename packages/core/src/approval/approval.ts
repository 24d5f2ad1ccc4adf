/**
 * Approval: a permission someone needs before going on, and the one outcome it has.
 *
 *   absent --request--> open --allow / deny / expire--> settled --revoke--> settled, and no longer always
 *
 * Pure: no clock, no ids, no I/O. The code that people type comes from outside; that it is unlike any
 * other open one is the asker's business, what becomes of the request is decided here.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import {
  describeAnswerer,
  type Answerer,
  type Requester,
  type NoAnswerReason,
} from "../people/answerer.ts";
import { APPROVAL_EVENTS } from "./approval-shapes.ts";
import { alwaysScopes, type AlwaysScope } from "./rule.ts";

/** Something that would be written, and how it would look: a text, or what changes in it. */
export interface ApprovalWrite {
  readonly path: string;
  readonly text: string;
}

/** What would be done, and for whom. */
export interface ApprovalSubject {
  readonly tool: string;
  /** What of the input is read first, as it is. */
  readonly summary: string;
  /** The whole of what the tool would be given. Left out where that is the words of the summary. */
  readonly input?: unknown;
  /** What would be written, where the asker tells that beside the input. */
  readonly writes?: readonly ApprovalWrite[];
  /** What else the asker says of it, for reading only. */
  readonly details?: string;
  /** The folder it would be done in. */
  readonly cwd: string | null;
  /** Where it would be done; null: on the server's own machine. */
  readonly host: string | null;
  readonly nodeId: string | null;
  readonly warning: string | null;
  readonly conversationKey: string | null;
  /** The project it is asked for, where there is one. */
  readonly projectId?: string;
  readonly runId: string | null;
  /** The agent's handle. */
  readonly agent: string | null;
  readonly askedBy: Requester;
  /** The joined session that asks, where one does. */
  readonly joinedId?: string;
  /** Whether "always" is an answer that may be given. */
  readonly mayAlways: boolean;
}

export type ApprovalCommand = TaggedUnion<{
  request: {
    id: string;
    code: string;
    subject: ApprovalSubject;
    expiresAt: number;
    /** Whose earlier "always" already covers this, if anyone's does. */
    standing: Answerer | null;
  };
  allow: {
    how: AllowHow;
    /** With "always": how far it reaches; left out, as short as can be. */
    scope?: AlwaysScope | undefined;
    /** With "always": what a client believes it covers, which must be what was read. */
    pattern?: string | undefined;
    by: Answerer;
    note?: string;
  };
  deny: { by: Answerer; note?: string };
  expire: { why: NoAnswerReason };
  /** Takes an "always" back; what was allowed by it stays allowed. */
  revoke: { by: Answerer };
}>;

export type AllowHow = "once" | "always";

export type ApprovalEvent = TaggedUnion<{
  "approval.requested": {
    id: string;
    code: string;
    subject: ApprovalSubject;
    expiresAt: number;
    /** Nobody is asked: an earlier "always" covers it, and is told in the next entry. */
    isCovered?: true;
  };
  "approval.allowed": {
    how: AllowHow;
    /** With "always". Left out by versions that kept patterns, whose rules are void. */
    scope?: AlwaysScope;
    /** Of an earlier version. */
    pattern?: string;
    by: Answerer;
    /** What whoever decided had to say about it. */
    note?: string;
  };
  "approval.denied": { by: Answerer; note?: string };
  "approval.expired": { why: NoAnswerReason };
  "approval.revoked": { by: Answerer };
}>;

export type ApprovalOutcome = Exclude<
  ApprovalEvent,
  { type: "approval.requested" | "approval.revoked" }
>;

export type Approval = TaggedUnion<
  {
    absent: object;
    open: { scopes: readonly AlwaysScope[]; summary: string };
    settled: { outcome: ApprovalOutcome; isRevoked: boolean };
  },
  "state"
>;

type Settling = Exclude<ApprovalCommand, { type: "request" | "revoke" }>;

function decide(approval: Approval, command: ApprovalCommand): Outcome<readonly ApprovalEvent[]> {
  if (command.type === "request") return request(approval, command);
  if (command.type === "revoke") return revoke(approval, command.by);
  switch (approval.state) {
    case "absent":
      return refuse("approval.missing");
    case "settled":
      return isSame(approval.outcome, command)
        ? accept([])
        : refuse("approval.settled", describeOutcome(approval.outcome));
    case "open":
      return settle(approval, command);
  }
}

function request(
  approval: Approval,
  { id, code, subject, expiresAt, standing }: ApprovalCommand & { type: "request" },
): Outcome<readonly ApprovalEvent[]> {
  if (approval.state !== "absent") return refuse("approval.taken", id);
  const requested = { type: "approval.requested", id, code, subject, expiresAt } as const;
  if (standing === null) return accept([requested]);
  return accept([
    { ...requested, isCovered: true },
    { type: "approval.allowed", how: "once", by: standing },
  ]);
}

function revoke(approval: Approval, by: Answerer): Outcome<readonly ApprovalEvent[]> {
  const isRule =
    approval.state === "settled" &&
    approval.outcome.type === "approval.allowed" &&
    approval.outcome.how === "always";
  if (!isRule) return refuse("rule.missing");
  return accept(approval.isRevoked ? [] : [{ type: "approval.revoked", by }]);
}

function settle(
  { scopes, summary }: Approval & { readonly state: "open" },
  command: Settling,
): Outcome<readonly ApprovalEvent[]> {
  switch (command.type) {
    case "allow": {
      const { how, pattern, scope = scopes[0] } = command;
      const record = recordOf(command);
      if (how === "once") return accept([{ type: "approval.allowed", how, ...record }]);
      if (scope === undefined || !scopes.includes(scope)) return refuse("approval.limited", scope);
      // Whoever writes a pattern has meant something else than what was read.
      if (pattern !== undefined && pattern !== summary) {
        return refuse("approval.unfitting", pattern);
      }
      return accept([{ type: "approval.allowed", how, scope, ...record }]);
    }
    case "deny":
      return accept([{ type: "approval.denied", ...recordOf(command) }]);
    case "expire":
      return accept([{ type: "approval.expired", why: command.why }]);
  }
}

function recordOf({ by, note }: { readonly by: Answerer; readonly note?: string }): {
  readonly by: Answerer;
  readonly note?: string;
} {
  return note === undefined ? { by } : { by, note };
}

/** The same answer from the same one is a retry; from anyone else it comes too late. */
function isSame(outcome: ApprovalOutcome, command: Settling): boolean {
  switch (command.type) {
    case "allow":
      return (
        outcome.type === "approval.allowed" &&
        outcome.how === command.how &&
        (command.scope === undefined || outcome.scope === command.scope) &&
        outcome.by.id === command.by.id
      );
    case "deny":
      return outcome.type === "approval.denied" && outcome.by.id === command.by.id;
    case "expire":
      return outcome.type === "approval.expired";
  }
}

/** For people to read: what was decided, and by whom. */
export function describeOutcome(outcome: ApprovalOutcome): string {
  switch (outcome.type) {
    case "approval.allowed":
      return `allowed ${describeHow(outcome)} by ${describeAnswerer(outcome.by)}`;
    case "approval.denied":
      return `denied by ${describeAnswerer(outcome.by)}`;
    case "approval.expired":
      return `expired (${outcome.why})`;
  }
}

const REACH: Readonly<Record<AlwaysScope, string>> = {
  conversation: "always in its conversation",
  project: "always for its project",
  everywhere: "always and everywhere",
};

function describeHow({ how, scope }: ApprovalOutcome & { type: "approval.allowed" }): string {
  return scope === undefined ? how : REACH[scope];
}

function evolve(approval: Approval, event: ApprovalEvent): Approval {
  switch (event.type) {
    case "approval.requested":
      return {
        state: "open",
        scopes: alwaysScopes(event.subject),
        summary: event.subject.summary,
      };
    case "approval.allowed":
    case "approval.denied":
    case "approval.expired":
      return { state: "settled", outcome: event, isRevoked: false };
    case "approval.revoked":
      return approval.state === "settled" ? { ...approval, isRevoked: true } : approval;
  }
}

export const approval: Aggregate<Approval, ApprovalCommand, ApprovalEvent> = {
  name: "approval",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<ApprovalEvent>(APPROVAL_EVENTS),
  // Nobody decided: what may have been decided cannot be read.
  distrust: () => ({
    state: "settled",
    outcome: { type: "approval.expired", why: "restart" },
    isRevoked: true,
  }),
};
