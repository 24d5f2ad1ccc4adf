/** What can be asked of a project: by people, by the director on their behalf, and by what agents did. */
import type { Attachment } from "../conversation/events.ts";
import type { Usage } from "../conversation/usage.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Answerer } from "../people/answerer.ts";
import type { ForkOrigin } from "../workspace/workspace.ts";
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
  TaggedUnion<{
    submit: ProjectRequest;
    accept: object;
    "start-kickoff": { participants: readonly string[]; poiId: string; guards?: Guards };
    "start-planning": { runId: string };
    plan: {
      runId: string | null;
      title: string | null;
      summary: string;
      tasks: readonly DraftTask[];
      /** When everyone is there to hear it; left out: now. */
      tellAt?: number;
    };
    /** Tells the plan that was drafted. */
    "tell-plan": object;
    fail: { reason: string };
    assign: {
      taskId: string;
      agentId: string;
      by: Answerer;
      /** The task must have someone already, or must not. */
      isReassignment: boolean;
      guards?: Guards;
    };
    "auto-assign": { candidates: readonly Candidate[]; guards?: Guards };
    "start-task": { taskId: string; runId: string };
    progress: {
      taskId: string;
      runId: string;
      kind: ProgressKind;
      preview: string;
      /** How much of the task is done, where the agent tells. */
      percent?: number;
    };
    "request-decision": DecisionRequest;
    "settle-decision": {
      ref: string;
      choice: string | null;
      note: string | null;
      by: Answerer | null;
    };
    "create-artifact": { taskId: string; runId: string; made: DeliveredFile };
    /** Delivers what was made, too: at that point of interest. */
    "finish-work": { taskId: string; runId: string; usage: Usage; poiId: string };
    "count-usage": { taskId: string | null; runId: string; usage: Usage };
    /** What an earlier version left on its way there. */
    deliver: { taskId: string; poiId: string };
    approve: { artifactId: string; by: Answerer; guards?: Guards };
    "request-changes": { artifactId: string; instructions: string; by: Answerer; guards?: Guards };
    split: { artifactId: string; titles: readonly string[]; by: Answerer; guards?: Guards };
    "fail-task": { taskId: string; runId: string; reason: string };
    "cancel-task": { taskId: string; by: Answerer; guards?: Guards };
    "rerun-task": { taskId: string; by: Answerer; guards?: Guards };
    /** A task beside it, which starts from a moment of it. */
    "fork-task": {
      taskId: string;
      from: ForkOrigin;
      /** What is to be done otherwise; null: the same again. */
      instructions: string | null;
      by: Answerer;
      guards?: Guards;
    };
    pause: { by: Answerer | null; reason: string; guards?: Guards };
    resume: { by: Answerer; guards?: Guards };
    /** All of it: what is under way ends, and nothing of it waits for anyone any more. */
    cancel: { by: Answerer; guards?: Guards };
    say: { text: string; actions: readonly SuggestedAction[] };
  }>;

export type ProjectCommandOf<Type extends ProjectCommand["type"]> = Extract<
  ProjectCommand,
  { readonly type: Type }
>;
