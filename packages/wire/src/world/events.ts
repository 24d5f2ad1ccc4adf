/**
 * The timeline: one schema per event name, all with `seq`, `name` and `project_id`. Names beyond the
 * protocol's recommended ones are ours; clients ignore what they do not know.
 */
import { Type, type Static } from "@atrium/schema";
import { Count, strictObject } from "../scalars.ts";
import { ChangeSummary, CheckOutcome, ConflictPath, PlannedPart } from "./changes.ts";
import { AllowsOther, DECISION_KINDS, ForkedFrom, Spent } from "./entities.ts";
import { AgentId, ArtifactId, DecisionId, PoiId, TaskId } from "./ids.ts";
import { oneOf } from "./one-of.ts";
import { timelineEvent } from "./timeline-event.ts";

const Text = Type.String();
const Version = Type.Integer({ minimum: 1 });
const By = Type.Optional(Type.String({ description: "Who; left out when it was no person." }));

const CreatedTask = strictObject({
  task_id: TaskId,
  title: Text,
  description: Type.Optional(Text),
  role: Type.Optional(Text),
  forked_from: Type.Optional(ForkedFrom),
  ...PlannedPart,
});

const ofChange = { artifact_id: ArtifactId, task_id: TaskId };
const CommentId = Text;

export const WORLD_EVENTS = {
  office_created: timelineEvent("office_created", { scene_id: Text }),
  request_submitted: timelineEvent("request_submitted", { title: Text, text: Text, by: By }),
  request_accepted: timelineEvent("request_accepted", {}),
  kickoff_started: timelineEvent("kickoff_started", {
    poi_id: PoiId,
    participants: Type.Array(AgentId),
  }),
  kickoff_finished: timelineEvent("kickoff_finished", { summary: Text }),
  tasks_created: timelineEvent("tasks_created", {
    tasks: Type.Array(CreatedTask),
    title: Type.Optional(Text),
    artifact_id: Type.Optional(ArtifactId),
    by: By,
  }),
  task_edited: timelineEvent("task_edited", {
    task_id: TaskId,
    title: Type.Optional(Text),
    description: Type.Optional(Text),
    role: Type.Optional(Text),
    ...PlannedPart,
    by: By,
  }),
  task_removed: timelineEvent("task_removed", { task_id: TaskId, by: By }),
  tasks_reordered: timelineEvent("tasks_reordered", { task_ids: Type.Array(TaskId), by: By }),
  task_assigned: timelineEvent("task_assigned", {
    task_id: TaskId,
    agent_id: AgentId,
    previous: Type.Optional(AgentId),
    by: By,
  }),
  task_started: timelineEvent("task_started", {
    task_id: TaskId,
    agent_id: AgentId,
    run_id: Text,
    attempt: Version,
  }),
  task_progress: timelineEvent("task_progress", {
    task_id: TaskId,
    agent_id: AgentId,
    kind: oneOf(["token", "tool", "code"]),
    /** Only where it is known; never made up. */
    percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    preview_text: Text,
  }),
  task_blocked: timelineEvent("task_blocked", {
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    decision_id: DecisionId,
  }),
  decision_requested: timelineEvent("decision_requested", {
    decision_id: DecisionId,
    kind: oneOf(DECISION_KINDS),
    prompt: Text,
    options: Type.Array(Text),
    allows_other: AllowsOther,
    task_id: Type.Optional(TaskId),
    agent_id: Type.Optional(AgentId),
  }),
  decision_resolved: timelineEvent("decision_resolved", {
    decision_id: DecisionId,
    task_id: Type.Optional(TaskId),
    /** Left out when nobody answered in time. */
    choice: Type.Optional(Text),
    note: Type.Optional(Text),
    by: By,
  }),
  artifact_created: timelineEvent("artifact_created", {
    artifact_id: ArtifactId,
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    version: Version,
    type: Text,
    title: Text,
    change: Type.Optional(ChangeSummary),
    by: By,
  }),
  checks_started: timelineEvent("checks_started", {
    ...ofChange,
    version: Version,
    names: Type.Array(Text),
  }),
  checks_finished: timelineEvent("checks_finished", {
    ...ofChange,
    version: Version,
    verdict: oneOf(["passed", "failed"]),
    results: Type.Array(CheckOutcome),
    /** The agent mends it before people are asked. */
    goes_back: Type.Optional(Type.Literal(true)),
  }),
  work_finished: timelineEvent("work_finished", { task_id: TaskId, run_id: Text, ...Spent }),
  artifact_delivered: timelineEvent("artifact_delivered", {
    artifact_id: ArtifactId,
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    version: Version,
    poi_id: PoiId,
  }),
  review_requested: timelineEvent("review_requested", {
    task_id: TaskId,
    artifact_ids: Type.Array(ArtifactId),
  }),
  review_approved: timelineEvent("review_approved", {
    artifact_id: ArtifactId,
    task_id: TaskId,
    by: By,
  }),
  review_changes_requested: timelineEvent("review_changes_requested", {
    artifact_id: ArtifactId,
    task_id: TaskId,
    instructions: Text,
    by: By,
    /** How many lines were commented on. */
    comments: Type.Optional(Count),
  }),
  comment_answered: timelineEvent("comment_answered", {
    ...ofChange,
    comment_id: CommentId,
    text: Text,
  }),
  comment_resolved: timelineEvent("comment_resolved", {
    ...ofChange,
    comment_id: CommentId,
    by: By,
  }),
  /** Merged into the project's line. */
  change_landed: timelineEvent("change_landed", { ...ofChange, version: Version, commit: Text }),
  change_conflicted: timelineEvent("change_conflicted", {
    ...ofChange,
    version: Version,
    paths: Type.Array(ConflictPath),
  }),
  /** Approved, and git could not merge it; its task was cancelled or taken up again meanwhile. */
  landing_failed: timelineEvent("landing_failed", { ...ofChange, version: Version, reason: Text }),
  revert_requested: timelineEvent("revert_requested", { ...ofChange, by: By }),
  change_reverted: timelineEvent("change_reverted", { ...ofChange, commit: Text }),
  revert_failed: timelineEvent("revert_failed", {
    ...ofChange,
    reason: Text,
    paths: Type.Array(ConflictPath),
  }),
  update_requested: timelineEvent("update_requested", { by: By }),
  /** The line has everything that its repository has. */
  line_updated: timelineEvent("line_updated", { commit: Text, base: Text }),
  update_failed: timelineEvent("update_failed", {
    reason: Text,
    paths: Type.Array(ConflictPath),
  }),
  project_delivered: timelineEvent("project_delivered", {
    how: Text,
    ref: Text,
    commit: Text,
    by: By,
  }),
  review_split: timelineEvent("review_split", { artifact_id: ArtifactId, task_id: TaskId, by: By }),
  task_done: timelineEvent("task_done", { task_id: TaskId }),
  task_failed: timelineEvent("task_failed", {
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    reason: Text,
  }),
  /** Whoever had it gave it back, or is gone; it is open again. */
  task_released: timelineEvent("task_released", {
    task_id: TaskId,
    agent_id: AgentId,
    reason: Text,
  }),
  task_cancelled: timelineEvent("task_cancelled", {
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    by: By,
  }),
  task_rerun: timelineEvent("task_rerun", {
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    by: By,
  }),
  /** The files of the task are as they were at that position. */
  files_restored: timelineEvent("files_restored", { task_id: TaskId, from_seq: Count, by: By }),
  project_paused: timelineEvent("project_paused", { reason: Text, by: By }),
  project_resumed: timelineEvent("project_resumed", { by: By }),
  project_failed: timelineEvent("project_failed", { reason: Text }),
  project_cancelled: timelineEvent("project_cancelled", { by: By }),
  project_completed: timelineEvent("project_completed", { by: By }),
  decor_unlocked: timelineEvent("decor_unlocked", { decor_id: Text, anchor_id: Text }),
  agent_joined: timelineEvent("agent_joined", { agent_id: AgentId }),
  agent_left: timelineEvent("agent_left", { agent_id: AgentId }),
  resync_fallback_snapshot: timelineEvent("resync_fallback_snapshot", {
    reason: Text,
    last_seq: Type.Optional(Count),
  }),
} as const;

export type WorldEventName = keyof typeof WORLD_EVENTS;
export type WorldEvent = {
  [Name in WorldEventName]: Static<(typeof WORLD_EVENTS)[Name]>;
}[WorldEventName];
