/**
 * Approval: a permission someone needs before going on, and the one outcome it has.
 *
 *   absent --request--> open --allow / deny / expire--> settled
 *
 * Pure: no clock, no ids, no I/O. The code that people type comes from outside; that it is unlike any
 * other open one is the asker's business, what becomes of the request is decided here.
 */
import { describeAnswerer, type Answerer, type AskedBy, type Unanswered } from "../answerer.ts";
import { readAs } from "../codec.ts";
import type { Aggregate } from "../dispatch.ts";
import { accept, refuse, type Outcome } from "../refusal.ts";
import { fits } from "./rule.ts";

/** What would be done, and for whom. */
export interface ApprovalSubject {
  readonly tool: string;
  /** What exactly would be done, for a person to read. An "always" is about these words. */
  readonly summary: string;
  /** What else the asker says of it, for reading only. */
  readonly details?: string;
  readonly cwd: string | null;
  readonly host: string | null;
  readonly nodeId: string | null;
  readonly warning: string | null;
  readonly conversationKey: string | null;
  readonly runId: string | null;
  /** The agent's handle. */
  readonly agent: string | null;
  readonly askedBy: AskedBy;
  /** Whether "always" is an answer that may be given. */
  readonly mayAlways: boolean;
}

export type ApprovalCommand =
  | {
      readonly type: "request";
      readonly id: string;
      readonly code: string;
      readonly subject: ApprovalSubject;
      readonly expiresAt: number;
      /** Whose earlier "always" already covers this, if anyone's does. */
      readonly standing: Answerer | null;
    }
  | {
      readonly type: "allow";
      readonly how: AllowHow;
      /** With "always": what else it covers; none covers exactly the same words. */
      readonly pattern?: string;
      readonly by: Answerer;
      readonly note?: string;
    }
  | { readonly type: "deny"; readonly by: Answerer; readonly note?: string }
  | { readonly type: "expire"; readonly why: Unanswered };

export type AllowHow = "once" | "always";

export type ApprovalEvent =
  | {
      readonly type: "approval.requested";
      readonly id: string;
      readonly code: string;
      readonly subject: ApprovalSubject;
      readonly expiresAt: number;
      /** Nobody is asked: an earlier "always" covers it, and is told in the next entry. */
      readonly isCovered?: true;
    }
  | {
      readonly type: "approval.allowed";
      readonly how: AllowHow;
      readonly pattern?: string;
      readonly by: Answerer;
      /** What whoever decided had to say about it. */
      readonly note?: string;
    }
  | { readonly type: "approval.denied"; readonly by: Answerer; readonly note?: string }
  | { readonly type: "approval.expired"; readonly why: Unanswered };

export type ApprovalOutcome = Exclude<ApprovalEvent, { type: "approval.requested" }>;

export type Approval =
  | { readonly state: "absent" }
  | { readonly state: "open"; readonly mayAlways: boolean; readonly summary: string }
  | { readonly state: "settled"; readonly outcome: ApprovalOutcome };

function decide(approval: Approval, command: ApprovalCommand): Outcome<readonly ApprovalEvent[]> {
  if (command.type === "request") return request(approval, command);
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

function settle(
  { mayAlways, summary }: Approval & { readonly state: "open" },
  command: Exclude<ApprovalCommand, { type: "request" }>,
): Outcome<readonly ApprovalEvent[]> {
  switch (command.type) {
    case "allow": {
      const { how, pattern } = command;
      const said = whoSaidWhat(command);
      if (how === "once") return accept([{ type: "approval.allowed", how, ...said }]);
      if (!mayAlways) return refuse("approval.limited");
      if (pattern === undefined) return accept([{ type: "approval.allowed", how, ...said }]);
      // Whoever writes a pattern that does not fit what is asked has meant something else.
      if (!fits(pattern, summary)) return refuse("approval.unfitting", pattern);
      return accept([{ type: "approval.allowed", how, pattern, ...said }]);
    }
    case "deny":
      return accept([{ type: "approval.denied", ...whoSaidWhat(command) }]);
    case "expire":
      return accept([{ type: "approval.expired", why: command.why }]);
  }
}

function whoSaidWhat({ by, note }: { readonly by: Answerer; readonly note?: string }): {
  readonly by: Answerer;
  readonly note?: string;
} {
  return note === undefined ? { by } : { by, note };
}

/** The same answer from the same one is a retry; from anyone else it comes too late. */
function isSame(
  outcome: ApprovalOutcome,
  command: Exclude<ApprovalCommand, { type: "request" }>,
): boolean {
  switch (command.type) {
    case "allow":
      return (
        outcome.type === "approval.allowed" &&
        outcome.how === command.how &&
        outcome.pattern === command.pattern &&
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
      return `allowed ${outcome.how}${outcome.pattern === undefined ? "" : ` (${outcome.pattern})`} by ${describeAnswerer(outcome.by)}`;
    case "approval.denied":
      return `denied by ${describeAnswerer(outcome.by)}`;
    case "approval.expired":
      return `expired (${outcome.why})`;
  }
}

function evolve(_approval: Approval, event: ApprovalEvent): Approval {
  switch (event.type) {
    case "approval.requested":
      return {
        state: "open",
        mayAlways: event.subject.mayAlways,
        summary: event.subject.summary,
      };
    case "approval.allowed":
    case "approval.denied":
    case "approval.expired":
      return { state: "settled", outcome: event };
  }
}

export const approval: Aggregate<Approval, ApprovalCommand, ApprovalEvent> = {
  name: "approval",
  initial: { state: "absent" },
  decide,
  evolve,
  read: readAs<ApprovalEvent>,
};
