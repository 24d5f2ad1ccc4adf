import type { Attachment } from "../conversation/events.ts";
import type { Usage } from "../conversation/usage.ts";
/** What can be asked of a project: by people, by the director on their behalf, and by what agents did. */
import type { Answerer } from "../people/answerer.ts";
import type {
  DecisionRequest,
  DraftTask,
  ProjectRequest,
  ProjectStatus,
  TaskStatus,
} from "./entities.ts";
import type { ProgressKind, SuggestedAction } from "./events.ts";

/** What whoever asks believes to be so; when it is not, nothing happens. */
export interface Guards {
  readonly expectedTaskStatus?: TaskStatus | undefined;
  readonly expectedProjectStatus?: ProjectStatus | undefined;
  /** The version of the artifact that was looked at. */
  readonly expectedVersion?: number | undefined;
}

/** Someone a task can be given to. */
export interface Candidate {
  readonly agentId: string;
  readonly role: string;
  /** How many tasks it has, over all projects. */
  readonly load: number;
}

export interface DeliveredFile {
  readonly name: string;
  readonly kind: string;
  readonly content: Attachment;
}

interface Timed {
  readonly at: number;
}

export type ProjectCommand = Timed &
  (
    | ({ readonly type: "submit" } & ProjectRequest)
    | { readonly type: "accept" }
    | {
        readonly type: "start-kickoff";
        readonly participants: readonly string[];
        readonly poiId: string;
        readonly guards?: Guards;
      }
    | { readonly type: "start-planning"; readonly runId: string }
    | {
        readonly type: "plan";
        readonly runId: string | null;
        readonly title: string | null;
        readonly summary: string;
        readonly tasks: readonly DraftTask[];
        /** When everyone is there to hear it; left out: now. */
        readonly tellAt?: number;
      }
    /** Tells the plan that was drafted. */
    | { readonly type: "tell-plan" }
    | { readonly type: "fail"; readonly reason: string }
    | {
        readonly type: "assign";
        readonly taskId: string;
        readonly agentId: string;
        readonly by: Answerer;
        /** The task must have someone already, or must not. */
        readonly isReassignment: boolean;
        readonly guards?: Guards;
      }
    | {
        readonly type: "auto-assign";
        readonly candidates: readonly Candidate[];
        readonly guards?: Guards;
      }
    | { readonly type: "start-task"; readonly taskId: string; readonly runId: string }
    | {
        readonly type: "progress";
        readonly taskId: string;
        readonly runId: string;
        readonly kind: ProgressKind;
        readonly preview: string;
        /** How much of the task is done, where the agent tells. */
        readonly percent?: number;
      }
    | ({ readonly type: "request-decision" } & DecisionRequest)
    | {
        readonly type: "settle-decision";
        readonly ref: string;
        readonly choice: string | null;
        readonly note: string | null;
        readonly by: Answerer | null;
      }
    | {
        readonly type: "create-artifact";
        readonly taskId: string;
        readonly runId: string;
        readonly made: DeliveredFile;
      }
    | {
        readonly type: "finish-work";
        readonly taskId: string;
        readonly runId: string;
        readonly usage: Usage;
      }
    | {
        readonly type: "count-usage";
        readonly taskId: string | null;
        readonly runId: string;
        readonly usage: Usage;
      }
    | { readonly type: "deliver"; readonly taskId: string; readonly poiId: string }
    | {
        readonly type: "approve";
        readonly artifactId: string;
        readonly by: Answerer;
        readonly guards?: Guards;
      }
    | {
        readonly type: "request-changes";
        readonly artifactId: string;
        readonly instructions: string;
        readonly by: Answerer;
        readonly guards?: Guards;
      }
    | {
        readonly type: "split";
        readonly artifactId: string;
        readonly titles: readonly string[];
        readonly by: Answerer;
        readonly guards?: Guards;
      }
    | {
        readonly type: "fail-task";
        readonly taskId: string;
        readonly runId: string;
        readonly reason: string;
      }
    | {
        readonly type: "cancel-task";
        readonly taskId: string;
        readonly by: Answerer;
        readonly guards?: Guards;
      }
    | {
        readonly type: "rerun-task";
        readonly taskId: string;
        readonly by: Answerer;
        readonly guards?: Guards;
      }
    | {
        readonly type: "pause";
        readonly by: Answerer | null;
        readonly reason: string;
        readonly guards?: Guards;
      }
    | { readonly type: "resume"; readonly by: Answerer; readonly guards?: Guards }
    /** All of it: what is under way ends, and nothing of it waits for anyone any more. */
    | { readonly type: "cancel"; readonly by: Answerer; readonly guards?: Guards }
    | {
        readonly type: "say";
        readonly text: string;
        readonly actions: readonly SuggestedAction[];
      }
  );

export type ProjectCommandOf<Type extends ProjectCommand["type"]> = Extract<
  ProjectCommand,
  { readonly type: Type }
>;
