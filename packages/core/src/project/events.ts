import type { Attachment } from "../conversation/events.ts";
import type { Usage } from "../conversation/usage.ts";
/**
 * What happens to a project, by the names the world protocol gives it. One entry is one line of the
 * timeline people see; what only we need to know has a name the protocol does not recommend.
 */
import type { Answerer } from "../people/answerer.ts";
import type { DecisionRequest, DraftPlan, ProjectRequest } from "./entities.ts";

export interface PlannedTask {
  readonly taskId: string;
  readonly title: string;
  readonly description: string;
  readonly role: string | null;
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
  (
    | ({ readonly type: "project.request_submitted" } & ProjectRequest)
    | { readonly type: "project.request_accepted" }
    | {
        readonly type: "project.kickoff_started";
        readonly poiId: string;
        readonly participants: readonly string[];
        /** Of the project; earlier versions did not write it down here. */
        readonly title?: string;
      }
    | { readonly type: "project.planning_started"; readonly runId: string }
    | {
        readonly type: "project.tasks_created";
        readonly title: string | null;
        readonly tasks: readonly PlannedTask[];
        /** The artifact they were split from. */
        readonly artifactId: string | null;
      }
    /** The plan is there; it is told when everyone else is too. */
    | ({ readonly type: "project.plan_drafted" } & DraftPlan)
    | { readonly type: "project.kickoff_finished"; readonly summary: string }
    | {
        readonly type: "project.task_assigned";
        readonly taskId: string;
        readonly agentId: string;
        readonly previous: string | null;
        /** Null: chosen by role and load. */
        readonly by: Answerer | null;
      }
    | {
        readonly type: "project.task_started";
        readonly taskId: string;
        readonly agentId: string;
        readonly runId: string;
        readonly attempt: number;
      }
    | {
        readonly type: "project.task_progress";
        readonly taskId: string;
        readonly agentId: string;
        readonly kind: ProgressKind;
        readonly preview: string;
        readonly percent?: number;
      }
    | ({
        readonly type: "project.decision_requested";
        readonly decisionId: string;
      } & DecisionRequest)
    | {
        readonly type: "project.task_blocked";
        readonly taskId: string;
        readonly agentId: string | null;
        readonly decisionId: string;
      }
    | {
        readonly type: "project.decision_resolved";
        readonly decisionId: string;
        readonly taskId: string | null;
        /** Null when nobody answered in time. */
        readonly choice: string | null;
        readonly note: string | null;
        readonly by: Answerer | null;
      }
    | ({
        readonly type: "project.artifact_created";
        readonly artifactId: string;
        readonly taskId: string;
        readonly agentId: string | null;
        readonly version: number;
        readonly kind: string;
        readonly runId: string | null;
      } & Attachment)
    | {
        readonly type: "project.work_finished";
        readonly taskId: string;
        readonly runId: string;
        readonly usage: Usage;
      }
    /** By a run that finished no work: it planned, failed, was stopped, or came too late. */
    | {
        readonly type: "project.usage_counted";
        readonly taskId: string | null;
        readonly runId: string;
        readonly usage: Usage;
      }
    | {
        readonly type: "project.artifact_delivered";
        readonly artifactId: string;
        readonly taskId: string;
        readonly agentId: string | null;
        readonly version: number;
        readonly poiId: string;
      }
    | {
        readonly type: "project.review_requested";
        readonly taskId: string;
        readonly artifactIds: readonly string[];
      }
    | {
        readonly type: "project.review_approved";
        readonly artifactId: string;
        readonly taskId: string;
        readonly by: Answerer;
      }
    | {
        readonly type: "project.review_changes_requested";
        readonly artifactId: string;
        readonly taskId: string;
        readonly instructions: string;
        readonly by: Answerer;
      }
    | {
        readonly type: "project.review_split";
        readonly artifactId: string;
        readonly taskId: string;
        readonly by: Answerer;
      }
    | { readonly type: "project.task_done"; readonly taskId: string }
    | {
        readonly type: "project.task_failed";
        readonly taskId: string;
        readonly agentId: string | null;
        readonly runId: string | null;
        readonly reason: string;
      }
    | {
        readonly type: "project.task_cancelled";
        readonly taskId: string;
        readonly agentId: string | null;
        readonly runId: string | null;
        readonly by: Answerer;
      }
    | {
        readonly type: "project.task_rerun";
        readonly taskId: string;
        readonly agentId: string | null;
        readonly by: Answerer;
      }
    | { readonly type: "project.paused"; readonly by: Answerer | null; readonly reason: string }
    | { readonly type: "project.resumed"; readonly by: Answerer }
    | { readonly type: "project.failed"; readonly reason: string }
    | { readonly type: "project.cancelled"; readonly by: Answerer | null }
    | { readonly type: "project.completed"; readonly reviewer: Answerer | null }
    /** What BD says about it. */
    | {
        readonly type: "project.bd_said";
        readonly text: string;
        readonly actions: readonly SuggestedAction[];
      }
  );

export type ProgressKind = "token" | "tool" | "code";

export type ProjectEventOf<Type extends ProjectEvent["type"]> = Extract<
  ProjectEvent,
  { readonly type: Type }
>;
