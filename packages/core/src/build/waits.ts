/**
 * What a build's agent waits for in the middle of its turn: a permission, or an answer to something it asked by a
 * tool. Unlike a question that is an event of the build, the answer goes on in the same turn; the permission and the
 * question have lives of their own, and the build tells of them.
 */
import type { ApprovalSubject } from "../approval/approval.ts";
import type { QuestionSet, BuildAnswer } from "./events.ts";

export interface PermissionWait {
  readonly kind: "permission";
  /** The permission's own. */
  readonly id: string;
  readonly code: string;
  readonly expiresAt: number;
  /** Where it is too long to be told, its beginning. */
  readonly subject: ApprovalSubject;
  readonly isWhole: boolean;
  /** Characters of all of it. */
  readonly size: number;
}

export interface QuestionWait {
  readonly kind: "question";
  readonly id: string;
  readonly expiresAt: number;
  readonly asked: QuestionSet;
}

export type BuildWait = PermissionWait | QuestionWait;

export type WaitOutcome =
  | { readonly how: "allowed" | "denied"; readonly by: string; readonly note: string | null }
  | { readonly how: "answered"; readonly by: string; readonly answers: readonly BuildAnswer[] }
  | { readonly how: "expired" };
