/**
 * The timeline: one schema per event name, all with `seq`, `name` and `project_id`. Names beyond the
 * protocol's recommended ones are ours; clients ignore what they do not know.
 */
import { Type, type Static, type TProperties } from "@atrium/schema";
import { AnyObject, Count, Timestamp, closed } from "../scalars.ts";
import { DECISION_KINDS, Spent } from "./entities.ts";
import { AgentId, ArtifactId, DecisionId, PoiId, ProjectId, TaskId } from "./ids.ts";
import { oneOf } from "./one-of.ts";

const Text = Type.String();
const Version = Type.Integer({ minimum: 1 });
const By = Type.Optional(Type.String({ description: "Who; left out when it was no person." }));

const event = <const Name extends string, Members extends TProperties>(
  name: Name,
  members: Members,
) =>
  Type.Object(
    {
      /** Where it stands in the log; left out for what only this connection is told. */
      seq: Type.Optional(Count),
      name: Type.Literal(name),
      project_id: ProjectId,
      at: Type.Optional(Timestamp),
      ...members,
      meta: Type.Optional(AnyObject),
    },
    closed,
  );

const CreatedTask = Type.Object(
  { task_id: TaskId, title: Text, description: Type.Optional(Text), role: Type.Optional(Text) },
  closed,
);

export const WORLD_EVENTS = {
  office_created: event("office_created", { scene_id: Text }),
  request_submitted: event("request_submitted", { title: Text, text: Text, by: By }),
  request_accepted: event("request_accepted", {}),
  kickoff_started: event("kickoff_started", {
    poi_id: PoiId,
    participants: Type.Array(AgentId),
  }),
  kickoff_finished: event("kickoff_finished", { summary: Text }),
  tasks_created: event("tasks_created", {
    tasks: Type.Array(CreatedTask),
    title: Type.Optional(Text),
    artifact_id: Type.Optional(ArtifactId),
  }),
  task_assigned: event("task_assigned", {
    task_id: TaskId,
    agent_id: AgentId,
    previous: Type.Optional(AgentId),
    by: By,
  }),
  task_started: event("task_started", {
    task_id: TaskId,
    agent_id: AgentId,
    run_id: Text,
    attempt: Version,
  }),
  task_progress: event("task_progress", {
    task_id: TaskId,
    agent_id: AgentId,
    kind: oneOf(["token", "tool", "code"]),
    /** Only where it is known; never made up. */
    percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    preview_text: Text,
  }),
  task_blocked: event("task_blocked", {
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    decision_id: DecisionId,
  }),
  decision_requested: event("decision_requested", {
    decision_id: DecisionId,
    kind: oneOf(DECISION_KINDS),
    prompt: Text,
    options: Type.Array(Text),
    task_id: Type.Optional(TaskId),
    agent_id: Type.Optional(AgentId),
  }),
  decision_resolved: event("decision_resolved", {
    decision_id: DecisionId,
    task_id: Type.Optional(TaskId),
    /** Left out when nobody answered in time. */
    choice: Type.Optional(Text),
    note: Type.Optional(Text),
    by: By,
  }),
  artifact_created: event("artifact_created", {
    artifact_id: ArtifactId,
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    version: Version,
    type: Text,
    title: Text,
  }),
  work_finished: event("work_finished", { task_id: TaskId, run_id: Text, ...Spent }),
  artifact_delivered: event("artifact_delivered", {
    artifact_id: ArtifactId,
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    version: Version,
    poi_id: PoiId,
  }),
  review_requested: event("review_requested", {
    task_id: TaskId,
    artifact_ids: Type.Array(ArtifactId),
  }),
  review_approved: event("review_approved", { artifact_id: ArtifactId, task_id: TaskId, by: By }),
  review_changes_requested: event("review_changes_requested", {
    artifact_id: ArtifactId,
    task_id: TaskId,
    instructions: Text,
    by: By,
  }),
  review_split: event("review_split", { artifact_id: ArtifactId, task_id: TaskId, by: By }),
  task_done: event("task_done", { task_id: TaskId }),
  task_failed: event("task_failed", {
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    reason: Text,
  }),
  task_cancelled: event("task_cancelled", {
    task_id: TaskId,
    agent_id: Type.Optional(AgentId),
    by: By,
  }),
  task_rerun: event("task_rerun", { task_id: TaskId, agent_id: Type.Optional(AgentId), by: By }),
  project_paused: event("project_paused", { reason: Text, by: By }),
  project_resumed: event("project_resumed", { by: By }),
  project_failed: event("project_failed", { reason: Text }),
  project_cancelled: event("project_cancelled", { by: By }),
  project_completed: event("project_completed", { by: By }),
  decor_unlocked: event("decor_unlocked", { decor_id: Text, anchor_id: Text }),
  agent_joined: event("agent_joined", { agent_id: AgentId }),
  agent_left: event("agent_left", { agent_id: AgentId }),
  resync_fallback_snapshot: event("resync_fallback_snapshot", {
    reason: Text,
    last_seq: Type.Optional(Count),
  }),
} as const;

export type WorldEventName = keyof typeof WORLD_EVENTS;
export type WorldEvent = {
  [Name in WorldEventName]: Static<(typeof WORLD_EVENTS)[Name]>;
}[WorldEventName];

/** The type of a union is lost when its members come as a list. */
export const WorldEvent = Type.Unsafe<WorldEvent>(Type.Union(Object.values(WORLD_EVENTS)));
