/** What projects ask of the workshop: that the files an agent has changed become something to review, and part of the whole. */
import {
  accept,
  refuse,
  type Attachment,
  type ChangeFacts,
  type ConflictPath,
  type Outcome,
} from "@atrium/core";

/** A run of a task that ended well. */
export interface FinishedRun {
  readonly projectId: string;
  readonly taskId: string;
  readonly agentId: string;
  readonly runId: string;
  /** Of the conversation it was in. */
  readonly key: string;
  /** Of the task. */
  readonly title: string;
  /** What the agent said at the end. */
  readonly text: string;
  /** It came to a limit before that. */
  readonly isUnfinished: boolean;
  /** When it ended, and under which key that is told. */
  readonly at: number;
  readonly seq: number;
}

export interface SealedWork {
  readonly change: ChangeFacts;
  /** The patch. */
  readonly content: Attachment;
}

/** A command that tells whether a change is good. */
export interface ChangeCheck {
  readonly name: string;
  /** As people read it. */
  readonly command: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** When it fails, the change goes back. */
  readonly isRequired: boolean;
}

/** A version of a change that is to get onto the project's line, or off it. */
export interface ApprovedChange {
  readonly projectId: string;
  readonly taskId: string;
  readonly artifactId: string;
  readonly version: number;
  /** The sealed one; of one that is taken back, the one on the line. */
  readonly commit: string;
  readonly runId: string | null;
  readonly title: string;
  /** Who approved it, or wants it back. */
  readonly by: string;
  readonly at: number;
  readonly seq: number;
}

export type LandingEnd =
  | { readonly type: "landed"; readonly commit: string; readonly before: string }
  | {
      readonly type: "conflict";
      /** The line's newest commit. */
      readonly with: string;
      readonly paths: readonly ConflictPath[];
    };

export type UpdateEnd =
  | {
      readonly type: "landed";
      readonly commit: string;
      readonly before: string;
      readonly base: string;
    }
  | Extract<LandingEnd, { type: "conflict" }>
  /** There was nothing new. */
  | { readonly type: "current"; readonly base: string };

export interface Changes {
  /** Whether what its runs deliver becomes part of a change. */
  hasFiles(taskId: string): boolean;
  /** All that is in its folder, as one change; undefined: nothing has changed, or it works on no files. */
  seal(run: FinishedRun): Promise<Outcome<SealedWork | undefined>>;
  /** Those of its repository, and its own. */
  checksOf(taskId: string): readonly ChangeCheck[];
  /** A conflict leaves the task's folder on the line, with marks where both sides changed the same. */
  land(change: ApprovedChange): Promise<Outcome<LandingEnd>>;
  revert(change: ApprovedChange): Promise<Outcome<LandingEnd>>;
  update(request: {
    readonly projectId: string;
    readonly at: number;
    readonly seq: number;
  }): Promise<Outcome<UpdateEnd>>;
}

/** The checks of what a task has made, in the background. */
export interface ChangeChecks {
  /** Those that the project says are running; again is as once. */
  start(projectId: string, taskId: string): void;
  stop(taskId: string): void;
}

/** Where nobody works on files. */
export const NO_CHANGES: Changes = {
  hasFiles: () => false,
  seal: async () => accept(undefined),
  checksOf: () => [],
  land: async () => refuse("workspace.missing"),
  revert: async () => refuse("workspace.missing"),
  update: async () => refuse("workspace.missing"),
};

export const NO_CHECKS: ChangeChecks = { start: () => undefined, stop: () => undefined };
