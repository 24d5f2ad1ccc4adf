/** What can be asked of a project: by people, by the director on their behalf, and by what agents did. */
import type { Attachment } from "../../conversation/events.ts";
import type { Usage } from "../../conversation/usage.ts";
import type { TaggedUnion } from "../../engine/tagged-union.ts";
import type { Answerer } from "../../people/answerer.ts";
import type { ForkOrigin } from "../../workspace/workspace.ts";
import type { ChangeFacts, CheckResult, ConflictPath, DraftComment } from "./change.ts";
import type {
  DecisionRequest,
  DraftTask,
  ProjectRequest,
  ProjectStatus,
  TaskStatus,
} from "./entities.ts";
import type { ProgressKind, SuggestedAction, TaskEdit } from "./events.ts";

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
  readonly change?: ChangeFacts;
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
    "add-task": {
      draft: Omit<DraftTask, "after">;
      after: readonly string[];
      /** The task that it is put in front of; null: the last. */
      before: string | null;
      by: Answerer;
      guards?: Guards;
    };
    "edit-task": { taskId: string; changes: TaskEdit; by: Answerer; guards?: Guards };
    "remove-task": { taskId: string; by: Answerer; guards?: Guards };
    "reorder-tasks": { taskIds: readonly string[]; by: Answerer; guards?: Guards };
    fail: { reason: string };
    assign: {
      taskId: string;
      agentId: string;
      by: Answerer;
      /** The task must have someone already, or must not. */
      isReassignment: boolean;
      guards?: Guards;
    };
    /** A session that nobody assigned it to takes a task that is free. */
    "take-task": { taskId: string; agentId: string };
    /** Whoever has it gives it back, or is gone; what was made so far stays in its folder. */
    "release-task": { taskId: string; agentId: string; reason: string };
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
    "finish-work": {
      taskId: string;
      runId: string;
      usage: Usage;
      poiId: string;
      /** The names of what a change is checked with first; none: it is delivered at once. */
      checks?: readonly string[];
    };
    "count-usage": { taskId: string | null; runId: string; usage: Usage };
    /** What an earlier version left on its way there. */
    deliver: { taskId: string; poiId: string };
    approve: { artifactId: string; by: Answerer; guards?: Guards };
    "request-changes": {
      artifactId: string;
      instructions: string;
      comments?: readonly DraftComment[];
      by: Answerer;
      guards?: Guards;
    };
    /** A person made a new version out of the newest one. */
    "revise-artifact": { artifactId: string; made: DeliveredFile; by: Answerer; guards?: Guards };
    "answer-comment": { taskId: string; runId: string; commentId: string; text: string };
    "resolve-comment": { artifactId: string; commentId: string; by: Answerer };
    /** Of a version that a person made; those of agents start with `finish-work`. */
    "start-checks": { artifactId: string; version: number; names: readonly string[] };
    /** Delivers the change, too, unless it goes back. */
    "finish-checks": {
      artifactId: string;
      version: number;
      results: readonly CheckResult[];
      poiId: string;
    };
    "land-change": { artifactId: string; version: number; commit: string; before: string };
    "conflict-change": {
      artifactId: string;
      version: number;
      with: string;
      paths: readonly ConflictPath[];
    };
    /** Not because of a conflict: it cannot be merged at all. */
    "fail-landing": { artifactId: string; version: number; reason: string };
    "request-revert": { artifactId: string; by: Answerer };
    "revert-change": { artifactId: string; commit: string; before: string };
    "refuse-revert": { artifactId: string; reason: string; paths: readonly ConflictPath[] };
    "request-update": { by: Answerer; guards?: Guards };
    "update-line": { commit: string; before: string; base: string };
    "refuse-update": { reason: string; paths: readonly ConflictPath[] };
    "record-delivery": { how: string; ref: string; commit: string; by: Answerer };
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
