/**
 * What happens to a project, by the names the world protocol gives it. One entry is one line of the
 * timeline people see; what only we need to know has a name the protocol does not recommend.
 */
import type { Attachment } from "../../conversation/events.ts";
import type { Usage } from "../../conversation/usage.ts";
import type { TaggedUnion } from "../../engine/tagged-union.ts";
import type { Answerer } from "../../people/answerer.ts";
import type { ForkOrigin } from "../../workspace/workspace.ts";
import type { ChangeFacts, CheckResult, ConflictPath, ReviewComment } from "./change.ts";
import type { DecisionRequest, DraftPlan, ProjectRequest, TaskKind } from "./entities.ts";

export interface PlannedTask {
  readonly taskId: string;
  readonly title: string;
  readonly description: string;
  readonly role: string | null;
  readonly forkedFrom?: ForkOrigin;
  readonly after?: readonly string[];
  readonly accept?: readonly string[];
  readonly verify?: readonly string[];
  readonly kind?: TaskKind;
}

/** What can be changed about a task; what is left out stays as it is. */
export interface TaskEdit {
  readonly title?: string;
  readonly description?: string;
  readonly role?: string | null;
  readonly after?: readonly string[];
  readonly accept?: readonly string[];
  readonly verify?: readonly string[];
  readonly kind?: TaskKind;
}

export interface SuggestedAction {
  readonly action: string;
  readonly label: string;
  /** What it is about, where the project has more than one; earlier versions did not say. */
  readonly taskId?: string;
  readonly artifactId?: string;
}

/** Every event has its time, because a fold may not ask for it. */
interface Timed {
  readonly at: number;
}

export type ProjectEvent = Timed &
  TaggedUnion<{
    "project.request_submitted": ProjectRequest;
    "project.request_accepted": object;
    "project.kickoff_started": {
      poiId: string;
      participants: readonly string[];
      /** Of the project; earlier versions did not write it down here. */
      title?: string;
    };
    "project.planning_started": { runId: string };
    "project.tasks_created": {
      title: string | null;
      tasks: readonly PlannedTask[];
      /** The artifact they were split from. */
      artifactId: string | null;
      /** Who added them to the plan; left out: whoever planned it. */
      by?: Answerer;
    };
    "project.task_edited": { taskId: string; changes: TaskEdit; by: Answerer };
    "project.task_removed": { taskId: string; by: Answerer };
    "project.tasks_reordered": { taskIds: readonly string[]; by: Answerer };
    /** The plan is there; it is told when everyone else is too. */
    "project.plan_drafted": DraftPlan;
    "project.kickoff_finished": { summary: string };
    "project.task_assigned": {
      taskId: string;
      agentId: string;
      previous: string | null;
      /** Null: chosen by role and load. */
      by: Answerer | null;
    };
    "project.task_started": { taskId: string; agentId: string; runId: string; attempt: number };
    "project.task_progress": {
      taskId: string;
      agentId: string;
      kind: ProgressKind;
      preview: string;
      percent?: number;
    };
    "project.decision_requested": { decisionId: string } & DecisionRequest;
    "project.task_blocked": { taskId: string; agentId: string | null; decisionId: string };
    "project.decision_resolved": {
      decisionId: string;
      taskId: string | null;
      /** Null when nobody answered in time. */
      choice: string | null;
      note: string | null;
      by: Answerer | null;
    };
    "project.artifact_created": {
      artifactId: string;
      taskId: string;
      agentId: string | null;
      version: number;
      kind: string;
      runId: string | null;
      change?: ChangeFacts;
      /** A person made this version out of the one before. */
      by?: Answerer;
    } & Attachment;
    "project.checks_started": {
      taskId: string;
      artifactId: string;
      version: number;
      names: readonly string[];
    };
    "project.checks_finished": {
      taskId: string;
      artifactId: string;
      version: number;
      verdict: "passed" | "failed";
      results: readonly CheckResult[];
      /** The agent is to mend it before anyone looks. */
      goesBack: boolean;
    };
    "project.work_finished": { taskId: string; runId: string; usage: Usage };
    /** By a run that finished no work: it planned, failed, was stopped, or came too late. */
    "project.usage_counted": { taskId: string | null; runId: string; usage: Usage };
    "project.artifact_delivered": {
      artifactId: string;
      taskId: string;
      agentId: string | null;
      version: number;
      poiId: string;
    };
    "project.review_requested": { taskId: string; artifactIds: readonly string[] };
    "project.review_approved": { artifactId: string; taskId: string; by: Answerer };
    "project.review_changes_requested": {
      artifactId: string;
      taskId: string;
      instructions: string;
      by: Answerer;
      comments?: readonly ReviewComment[];
    };
    "project.comment_answered": {
      taskId: string;
      artifactId: string;
      commentId: string;
      runId: string;
      text: string;
    };
    "project.comment_resolved": {
      taskId: string;
      artifactId: string;
      commentId: string;
      by: Answerer;
    };
    "project.change_landed": {
      taskId: string;
      artifactId: string;
      version: number;
      commit: string;
      before: string;
    };
    "project.change_conflicted": {
      taskId: string;
      artifactId: string;
      version: number;
      with: string;
      paths: readonly ConflictPath[];
    };
    /** It was approved, cannot be merged, and its task was cancelled or taken up again meanwhile. */
    "project.landing_failed": {
      taskId: string;
      artifactId: string;
      version: number;
      reason: string;
    };
    "project.revert_requested": { taskId: string; artifactId: string; by: Answerer };
    "project.change_reverted": {
      taskId: string;
      artifactId: string;
      commit: string;
      before: string;
    };
    "project.revert_failed": {
      taskId: string;
      artifactId: string;
      reason: string;
      paths: readonly ConflictPath[];
    };
    /** The repository has moved on, and the line is to follow. */
    "project.update_requested": { by: Answerer };
    "project.line_updated": { commit: string; before: string; base: string };
    "project.update_failed": { reason: string; paths: readonly ConflictPath[] };
    "project.delivered": { how: string; ref: string; commit: string; by: Answerer };
    "project.review_split": { artifactId: string; taskId: string; by: Answerer };
    "project.task_done": { taskId: string };
    "project.task_failed": {
      taskId: string;
      agentId: string | null;
      runId: string | null;
      reason: string;
    };
    "project.task_released": { taskId: string; agentId: string; reason: string };
    "project.task_cancelled": {
      taskId: string;
      agentId: string | null;
      runId: string | null;
      by: Answerer;
    };
    "project.task_rerun": { taskId: string; agentId: string | null; by: Answerer };
    "project.paused": { by: Answerer | null; reason: string };
    "project.resumed": { by: Answerer };
    "project.failed": { reason: string };
    "project.cancelled": { by: Answerer | null };
    "project.completed": { reviewer: Answerer | null };
    /** What BD says about it. */
    "project.bd_said": { text: string; actions: readonly SuggestedAction[] };
  }>;

export type ProgressKind = "token" | "tool" | "code";

export type ProjectEventOf<Type extends ProjectEvent["type"]> = Extract<
  ProjectEvent,
  { readonly type: Type }
>;
