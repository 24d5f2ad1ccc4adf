/**
 * What an "always" covers: exactly what was read. The same agent may use the same tool with the same whole input, in the
 * same folder on the same machine again, in this conversation, for this project, or everywhere, as the person chose.
 *
 * Rules of earlier versions were patterns over a part of the input and covered more than anyone had read. They are void:
 * kept to be seen, and covering nothing.
 */
import type { Answerer } from "../people/answerer.ts";
import type { ApprovalSubject } from "./approval.ts";
import { canonicalInput } from "./reading.ts";

export type AlwaysScope = "conversation" | "project" | "everywhere";

export interface ApprovalRule {
  /** Of the permission it was given with. */
  readonly id: string;
  /** Null: void. */
  readonly scope: AlwaysScope | null;
  /** What was read. */
  readonly subject: ApprovalSubject;
  readonly by: Answerer;
  readonly at: number;
  /** Of a void one: what it used to cover. */
  readonly pattern?: string;
}

/** How far an "always" to this may reach, narrowest first. */
export function alwaysScopes(subject: ApprovalSubject): readonly AlwaysScope[] {
  if (!subject.mayAlways) return [];
  return [
    ...(subject.conversationKey === null ? [] : (["conversation"] as const)),
    ...(subject.projectId === undefined ? [] : (["project"] as const)),
    "everywhere",
  ];
}

export function isCovered(rule: ApprovalRule, subject: ApprovalSubject): boolean {
  const read = rule.subject;
  return (
    isWithin(rule, subject) &&
    read.agent === subject.agent &&
    read.tool === subject.tool &&
    read.cwd === subject.cwd &&
    read.host === subject.host &&
    read.nodeId === subject.nodeId &&
    canonicalInput(read) === canonicalInput(subject)
  );
}

function isWithin({ scope, subject: read }: ApprovalRule, subject: ApprovalSubject): boolean {
  switch (scope) {
    case "conversation":
      return read.conversationKey !== null && read.conversationKey === subject.conversationKey;
    case "project":
      return read.projectId !== undefined && read.projectId === subject.projectId;
    case "everywhere":
      return true;
    case null:
      return false;
  }
}
