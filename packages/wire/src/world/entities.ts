/** What a snapshot shows: who is where, and how the work stands. */
import { Type, type Static } from "@atrium/schema";
import { PermissionSubject } from "../permission.ts";
import { RepositoryId } from "../repository.ts";
import { Count, Timestamp, strictObject } from "../scalars.ts";
import {
  ArtifactCheckState,
  ChangeSummary,
  LandingState,
  PlannedPart,
  ProjectDelivery,
} from "./changes.ts";
import { AgentId, ArtifactId, DecisionId, Point, PoiId, ProjectId, TaskId } from "./ids.ts";
import { oneOf } from "./one-of.ts";

export const AGENT_STATES = [
  "IdleAtHome",
  "WalkingToPOI",
  "WorkingAtPOI",
  "InMeeting",
  "DeliveringArtifact",
  "SeekingUserDecision",
  "WalkingToPlayer",
  "BlockedWaiting",
] as const;

/** `asks`: someone's answer is waited for. `in_review`, `failed`: of its latest work, while it does nothing else. */
const AGENT_STATUSES = ["working", "asks", "in_review", "failed", "idle"] as const;

const PROJECT_STATUSES = [
  "submitted",
  "accepted",
  "kickoff",
  "planned",
  "executing",
  "paused",
  "completed",
  "failed",
  "cancelled",
] as const;

export const TASK_STATUSES = [
  "planned",
  "assigned",
  "in_progress",
  "blocked",
  "in_review",
  "done",
  "failed",
  "cancelled",
] as const;

const ARTIFACT_STATUSES = [
  "created",
  "delivered",
  "approved",
  "changes_requested",
  "split",
  "withdrawn",
] as const;

const DECISION_STATUSES = ["open", "resolved", "expired"] as const;
export const DECISION_KINDS = ["question", "permission", "budget", "plan"] as const;
const GOAL_KINDS = [
  "go_to_poi",
  "go_to_player",
  "wait",
  "deliver_artifact",
  "seek_decision",
] as const;

export const ProjectStatus = oneOf(PROJECT_STATUSES);
export const TaskStatus = oneOf(TASK_STATUSES);
const Text = Type.String();

/** What something took, over all turns that were taken for it. */
export const Spent = {
  tokens: Count,
  cost: Type.Optional(
    Type.Number({ minimum: 0, description: "US dollars, as far as known; left out: not known." }),
  ),
  is_cost_partial: Type.Optional(
    Type.Literal(true, { description: "Part of it has no known cost: it was more than `cost`." }),
  ),
};

export const Goal = strictObject({
  kind: oneOf(GOAL_KINDS),
  poi_id: Type.Optional(PoiId),
  artifact_id: Type.Optional(ArtifactId),
  decision_id: Type.Optional(DecisionId),
});
export type Goal = Static<typeof Goal>;

const DELIVERY_MOMENTS = ["tool-result", "turn-end", "prompt", "at-once", "wake"] as const;

/** What a person has left for a joined session. */
const SessionMessage = strictObject({
  message_id: Text,
  text: Text,
  by: Text,
  at: Timestamp,
  /** Left out: it waits, or what else is said here holds. */
  delivered_at: Type.Optional(Timestamp),
  /** It was sent, and the program has not said yet that it has it. */
  offered_at: Type.Optional(Timestamp),
  /** The program's user has turned it away. */
  is_denied: Type.Optional(Type.Literal(true)),
  /** With what it was handed over. */
  moment: Type.Optional(oneOf(DELIVERY_MOMENTS)),
});

/** A session of an agent program that a person started in a terminal. */
const JoinedSessionInfo = strictObject({
  /** `claude-code`, `codex`, … */
  program: Text,
  model: Type.Optional(Text),
  owner: Type.Optional(Text),
  folder: Type.Optional(Text),
  branch: Type.Optional(Text),
  /** It does not report by itself: all of this is read from the files that its program keeps. */
  source: Type.Optional(Type.Literal("transcript")),
  /** The tool it uses right now, in a line. */
  doing: Type.Optional(Text),
  /** What it asks can be answered here; while it waits: what it asks now. Else in its terminal only. */
  can_ask: Type.Boolean(),
  /** Where that is answered; in both, the first answer counts. */
  answer_places: Type.Optional(Type.Array(oneOf(["office", "terminal"]))),
  /** A person can give it a task; left out: it has no tools for that. */
  takes_tasks: Type.Optional(Type.Literal(true)),
  /** When it takes what is left for it; none: it takes nothing. */
  message_moments: Type.Array(oneOf(DELIVERY_MOMENTS)),
  /** The newest last. */
  messages: Type.Optional(Type.Array(SessionMessage)),
});
export type JoinedSessionInfo = Static<typeof JoinedSessionInfo>;

export const WorldAgent = strictObject({
  agent_id: AgentId,
  name: Text,
  role: Text,
  pos: Point,
  facing: Point,
  state: oneOf(AGENT_STATES),
  /** How things stand with it, whatever it is seen doing. */
  status: Type.Optional(oneOf(AGENT_STATUSES)),
  task_id: Type.Optional(TaskId),
  poi_id: Type.Optional(PoiId),
  goal: Type.Optional(Goal),
  /** The name of the runtime that answers for it. */
  runtime: Type.Optional(Text),
  /** The model that its runtime's settings name. */
  model: Type.Optional(Text),
  /** Only acts: there is no model behind it. */
  is_rehearsal: Type.Optional(Type.Boolean()),
  /** Which of the looks it was given; left out: made of its id. */
  look: Type.Optional(Count),
  /** Came with signals from outside; not of the crew. */
  is_visitor: Type.Optional(Type.Boolean()),
  /** It is a session that a person started in a terminal; not of the crew either. */
  joined: Type.Optional(JoinedSessionInfo),
  /** The project it works for is paused. */
  is_paused: Type.Optional(Type.Boolean()),
  /** When it was last heard of. */
  heard_at: Type.Optional(Timestamp),
  /** What `atrium attach` takes to go on with its session in a terminal; left out: not as it works now. */
  attach: Type.Optional(Text),
  /** The entry behind its pose. */
  because_seq: Type.Optional(Count),
});
export type WorldAgent = Static<typeof WorldAgent>;

export const WorldProject = strictObject({
  project_id: ProjectId,
  status: ProjectStatus,
  title: Text,
  summary: Type.Optional(Text),
  /** What it works on; left out: a repository of its own. */
  repository: Type.Optional(RepositoryId),
  ...Spent,
  created_at: Timestamp,
  ended_at: Type.Optional(Timestamp),
  /** Why it failed. */
  reason: Type.Optional(Text),
  /** What was asked for, while it has failed: so that it can be asked for again in other words. */
  request: Type.Optional(strictObject({ text: Text, rules: Type.Array(Text), attachments: Count })),
  /** The newest commit of what was approved; left out: nothing was merged yet. */
  line: Type.Optional(Text),
  /** It is being brought up to date with its repository. */
  is_updating: Type.Optional(Type.Literal(true)),
  /** What people have taken of it, the newest last. */
  deliveries: Type.Optional(Type.Array(ProjectDelivery)),
});
export type WorldProject = Static<typeof WorldProject>;

/** The moment of another task that it starts from. */
export const ForkedFrom = strictObject({ task_id: TaskId, seq: Count });

export const WorldTask = strictObject({
  task_id: TaskId,
  project_id: ProjectId,
  title: Text,
  description: Type.Optional(Text),
  status: TaskStatus,
  assignee: Type.Optional(AgentId),
  run_id: Type.Optional(Text),
  attempts: Count,
  ...Spent,
  /** What it does right now, why it failed, or what is to change. */
  note: Type.Optional(Text),
  /** How much of it is done; only where the agent tells. */
  percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  forked_from: Type.Optional(ForkedFrom),
  /** Which kind of agent it is for, in the planner's words. */
  role: Type.Optional(Text),
  ...PlannedPart,
  /** Of those it comes after, the ones that are not done. */
  waiting_for: Type.Optional(Type.Array(TaskId)),
  is_checking: Type.Optional(Type.Literal(true)),
});
export type WorldTask = Static<typeof WorldTask>;

export const WorldArtifact = strictObject({
  artifact_id: ArtifactId,
  project_id: ProjectId,
  task_id: TaskId,
  type: Text,
  name: Text,
  version: Type.Integer({ minimum: 1 }),
  status: oneOf(ARTIFACT_STATUSES),
  media_type: Text,
  bytes: Count,
  poi_id: Type.Optional(PoiId),
  reviewer: Type.Optional(Text),
  /** Of the newest version, where it is a change of files. */
  change: Type.Optional(ChangeSummary),
  checks: Type.Optional(ArtifactCheckState),
  landing: Type.Optional(LandingState),
  /** What the newest commit of the line had changed too. */
  conflicts: Type.Optional(Type.Array(Text)),
  /** Comments on lines, and how many of them nobody has resolved. */
  comments: Type.Optional(Count),
  open_comments: Type.Optional(Count),
});
export type WorldArtifact = Static<typeof WorldArtifact>;

/** Options are closed unless it is there: another choice is refused. Without options any text is an answer. */
export const AllowsOther = Type.Optional(
  Type.Literal(true, { description: "Own words are an answer too, beside the options." }),
);

/** One of several that are asked together; each is answered by itself. */
const DecisionQuestion = strictObject({
  question_id: Text,
  prompt: Text,
  options: Type.Array(Text),
  allows_other: AllowsOther,
  allows_several: Type.Optional(Type.Literal(true)),
  is_optional: Type.Optional(Type.Literal(true)),
});
export type DecisionQuestion = Static<typeof DecisionQuestion>;

export const WorldDecision = strictObject({
  decision_id: DecisionId,
  project_id: ProjectId,
  status: oneOf(DECISION_STATUSES),
  kind: oneOf(DECISION_KINDS),
  prompt: Text,
  options: Type.Array(Text),
  allows_other: AllowsOther,
  /** Only where several are asked together: they are answered together, each with its own, by `answers`. */
  questions: Type.Optional(Type.Array(DecisionQuestion)),
  task_id: Type.Optional(TaskId),
  agent_id: Type.Optional(AgentId),
  /** The build that asks, at whose page several questions are answered together. */
  build_id: Type.Optional(Text),
  /** The conversation at the gateway in which it is asked. */
  session_key: Type.Optional(Text),
  asked_at: Timestamp,
  /** With kind "permission": what it is asked for, for as long as it is open. */
  permission: Type.Optional(PermissionSubject),
  choice: Type.Optional(Text),
  note: Type.Optional(Text),
  by: Type.Optional(Text),
  /** By what they came in: `token`, `browser 1f3c…`, `device 9b2e…`, `local`. */
  by_credential: Type.Optional(Text),
  /** The address it was decided from. */
  by_from: Type.Optional(Text),
});
export type WorldDecision = Static<typeof WorldDecision>;

/** Someone who looks at the office, where they stand in it. */
export const WorldViewer = strictObject({ viewer_id: Text, name: Text, pos: Point, facing: Point });
export type WorldViewer = Static<typeof WorldViewer>;

export const WorldDecor = strictObject({
  decor_id: Text,
  anchor_id: Text,
  unlocked_by_project_id: ProjectId,
});
export type WorldDecor = Static<typeof WorldDecor>;
