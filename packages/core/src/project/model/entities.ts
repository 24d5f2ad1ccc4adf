/**
 * What a project is made of: tasks, the artifacts they yield, and the decisions people are asked for.
 *
 * Statuses are the world protocol's words. Which move is possible from which status is one total table
 * per entity; whatever is not in it is refused with what would be possible.
 */
import type { Attachment } from "../../conversation/events.ts";
import type { Usage } from "../../conversation/usage.ts";
import type { Answerer } from "../../people/answerer.ts";
import type { ForkOrigin } from "../../workspace/workspace.ts";
import type {
  ArtifactChecks,
  ArtifactComment,
  ChangeFacts,
  DeliveryRecord,
  ChangeLanding,
} from "./change.ts";

export type ProjectStatus =
  | "submitted"
  | "accepted"
  | "kickoff"
  | "planned"
  | "executing"
  | "paused"
  | "completed"
  | "failed"
  | "cancelled";

export type TaskStatus =
  | "planned"
  | "assigned"
  | "in_progress"
  | "blocked"
  | "in_review"
  | "done"
  | "failed"
  | "cancelled";

export type ArtifactStatus =
  | "created"
  | "delivered"
  | "approved"
  | "changes_requested"
  | "split"
  | "withdrawn";

export type DecisionStatus = "open" | "resolved" | "expired";

/** What is asked: something to choose, leave to do something, or whether to spend more. */
export type DecisionKind = "question" | "permission" | "budget" | "plan";

/** What a task yields: changed files, or something to read. */
export type TaskKind = "change" | "document";

export interface Task {
  readonly taskId: string;
  readonly title: string;
  readonly description: string;
  /** Which kind of agent it is for, in the planner's words. */
  readonly role: string | null;
  readonly status: TaskStatus;
  readonly assignee: string | null;
  /** The run that works on it, or did last. */
  readonly runId: string | null;
  /** How many runs have worked on it. */
  readonly attempts: number;
  /** Its agent has finished and is on the way to the shelf. */
  readonly isCarrying: boolean;
  /** By all its runs that have ended. */
  readonly used: Usage;
  /** The newest of them. */
  readonly countedRunId: string | null;
  /** Why it failed, waits, or what was wished for last. */
  readonly note: string | null;
  /** The moment of another task that it starts from. */
  readonly forkedFrom: ForkOrigin | null;
  /** How much of it is done, of the run that works on it; null where nobody tells. */
  readonly percent: number | null;
  /** Tasks that are to be done before. */
  readonly after: readonly string[];
  /** What a good result is, a sentence each. */
  readonly accept: readonly string[];
  /** Commands that tell whether it is good. */
  readonly verify: readonly string[];
  readonly kind: TaskKind;
  /** What it has made is being checked. */
  readonly isChecking: boolean;
  /** How often it went back to its agent because a check failed, or because of a conflict. */
  readonly checkRounds: number;
  readonly conflictRounds: number;
}

/** One state of an artifact's content, kept outside the log. */
export interface ArtifactVersion extends Attachment {
  readonly version: number;
  readonly runId: string | null;
  readonly at: number;
  /** Of a change: which files, on top of what. */
  readonly change?: ChangeFacts;
}

export interface Artifact {
  readonly artifactId: string;
  readonly taskId: string;
  readonly name: string;
  readonly kind: string;
  readonly status: ArtifactStatus;
  readonly version: number;
  readonly versions: readonly ArtifactVersion[];
  readonly poiId: string | null;
  readonly reviewer: Answerer | null;
  readonly instructions: string | null;
  /** Of the newest version that was checked. */
  readonly checks: ArtifactChecks | null;
  readonly comments: readonly ArtifactComment[];
  /** Null: not approved yet, or nothing that could be merged. */
  readonly landing: ChangeLanding | null;
}

/** What is to be decided. */
export interface DecisionRequest {
  /** The question or approval behind it. */
  readonly ref: string;
  readonly kind: DecisionKind;
  readonly taskId: string | null;
  readonly agentId: string | null;
  readonly prompt: string;
  readonly options: readonly string[];
  /** Own words answer it too, beside the options. */
  readonly allowsOther?: true;
}

export interface Decision extends DecisionRequest {
  readonly decisionId: string;
  readonly status: DecisionStatus;
  readonly askedAt: number;
  readonly choice: string | null;
  readonly note: string | null;
  readonly by: Answerer | null;
}

/** What someone asked for. */
export interface ProjectRequest {
  readonly projectId: string;
  readonly title: string;
  readonly text: string;
  readonly constraints: Readonly<Record<string, unknown>>;
  readonly attachments: readonly Attachment[];
  readonly by: Answerer;
  /** The id of the repository it is about; left out: one of its own. */
  readonly repository?: string;
}

export interface DraftTask {
  readonly title: string;
  readonly description: string;
  readonly role: string | null;
  /** Numbers of tasks of the same plan, counted from 1. */
  readonly after?: readonly number[];
  readonly accept?: readonly string[];
  readonly verify?: readonly string[];
  readonly kind?: TaskKind;
}

/** A plan that was made and is not told yet: those who are to hear it are still on their way. */
export interface DraftPlan {
  readonly title: string | null;
  readonly summary: string;
  readonly tasks: readonly DraftTask[];
  readonly tellAt: number;
}

export interface Project extends Omit<ProjectRequest, "repository"> {
  /** The id of the repository it is about; null: one of its own. */
  readonly repository: string | null;
  readonly status: ProjectStatus;
  /** What it was before it was paused. */
  readonly pausedFrom: ProjectStatus | null;
  /** Why it failed; null when it did not, or goes on. */
  readonly failure: string | null;
  readonly participants: readonly string[];
  readonly summary: string | null;
  /** How often a plan has been asked for. */
  readonly planAttempts: number;
  readonly planRunId: string | null;
  readonly draft: DraftPlan | null;
  /** By all runs, those that planned it too. */
  readonly used: Usage;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly tasks: readonly Task[];
  /** How many tasks there ever were, those that were removed too. */
  readonly taskCount: number;
  readonly artifacts: readonly Artifact[];
  readonly decisions: readonly Decision[];
  /** The newest commit of what was approved; null: nothing was merged yet. */
  readonly line: string | null;
  /** Someone has asked for the newest state of the repository. */
  readonly isUpdating: boolean;
  readonly deliveries: readonly DeliveryRecord[];
}

export type TaskMove =
  | "assign"
  | "start"
  | "block"
  | "unblock"
  | "deliver"
  | "review"
  | "rework"
  | "fail"
  | "cancel"
  | "release"
  | "rerun"
  | "edit"
  | "remove";

/** Total: from every status, what can be done with a task. */
export const TASK_MOVES: Readonly<Record<TaskStatus, readonly TaskMove[]>> = {
  planned: ["assign", "cancel", "edit", "remove"],
  assigned: ["assign", "start", "cancel", "release", "edit", "remove"],
  in_progress: ["assign", "start", "block", "deliver", "fail", "cancel", "release", "edit"],
  blocked: ["assign", "block", "unblock", "fail", "cancel", "release", "edit"],
  in_review: ["review", "rework", "rerun", "cancel", "edit"],
  done: [],
  failed: ["assign", "rerun", "cancel", "edit"],
  cancelled: ["rerun"],
};

export type ArtifactMove = "revise" | "deliver" | "approve" | "change" | "split" | "withdraw";

export const ARTIFACT_MOVES: Readonly<Record<ArtifactStatus, readonly ArtifactMove[]>> = {
  created: ["revise", "deliver", "withdraw"],
  delivered: ["revise", "approve", "change", "split", "withdraw"],
  changes_requested: ["revise", "withdraw"],
  approved: [],
  split: [],
  withdrawn: ["revise"],
};

export type ProjectMove =
  | "accept"
  | "kickoff"
  | "plan"
  | "work"
  | "pause"
  | "resume"
  | "fail"
  | "cancel";

export const PROJECT_MOVES: Readonly<Record<ProjectStatus, readonly ProjectMove[]>> = {
  submitted: ["accept", "cancel"],
  accepted: ["kickoff", "pause", "cancel"],
  kickoff: ["plan", "pause", "fail", "cancel"],
  planned: ["work", "pause", "cancel"],
  executing: ["work", "pause", "cancel"],
  paused: ["resume", "cancel"],
  completed: [],
  failed: ["kickoff", "cancel"],
  cancelled: [],
};
