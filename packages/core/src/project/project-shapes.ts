import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { ProjectEvent } from "./events.ts";

const file = { name: "string", mediaType: "string", bytes: "number", digest: "string" } as const;
const timed = { at: "number" } as const;
const task = { ...timed, taskId: "string" } as const;
const work = { ...task, agentId: "string?" } as const;
const review = { ...task, artifactId: "string", by: "object" } as const;

export const PROJECT_EVENTS: EventDeclarations<ProjectEvent> = {
  "project.request_submitted": v1({
    ...timed,
    projectId: "string",
    title: "string",
    text: "string",
    constraints: "object",
    attachments: "array",
    by: "object",
  }),
  "project.request_accepted": v1(timed),
  "project.kickoff_started": v1({ ...timed, poiId: "string", participants: "array" }),
  "project.planning_started": v1({ ...timed, runId: "string" }),
  "project.tasks_created": v1({
    ...timed,
    title: "string?",
    tasks: "array",
    artifactId: "string?",
  }),
  "project.plan_drafted": v1({
    ...timed,
    title: "string?",
    summary: "string",
    tasks: "array",
    tellAt: "number",
  }),
  "project.kickoff_finished": v1({ ...timed, summary: "string" }),
  "project.task_assigned": v1({ ...task, agentId: "string", previous: "string?", by: "object?" }),
  "project.task_started": v1({ ...task, agentId: "string", runId: "string", attempt: "number" }),
  "project.task_progress": v1({ ...task, agentId: "string", kind: "string", preview: "string" }),
  "project.decision_requested": v1({
    ...timed,
    decisionId: "string",
    ref: "string",
    kind: "string",
    taskId: "string?",
    agentId: "string?",
    prompt: "string",
    options: "array",
  }),
  "project.task_blocked": v1({ ...work, decisionId: "string" }),
  "project.decision_resolved": v1({
    ...timed,
    decisionId: "string",
    taskId: "string?",
    choice: "string?",
    note: "string?",
    by: "object?",
  }),
  "project.artifact_created": v1({
    ...work,
    ...file,
    artifactId: "string",
    version: "number",
    kind: "string",
    runId: "string?",
  }),
  "project.work_finished": v1({ ...task, runId: "string", usage: "object" }),
  "project.usage_counted": v1({ ...timed, taskId: "string?", runId: "string", usage: "object" }),
  "project.artifact_delivered": v1({
    ...work,
    artifactId: "string",
    version: "number",
    poiId: "string",
  }),
  "project.review_requested": v1({ ...task, artifactIds: "array" }),
  "project.review_approved": v1(review),
  "project.review_changes_requested": v1({ ...review, instructions: "string" }),
  "project.review_split": v1(review),
  "project.task_done": v1(task),
  "project.task_failed": v1({ ...work, runId: "string?", reason: "string" }),
  "project.task_cancelled": v1({ ...work, runId: "string?", by: "object" }),
  "project.task_rerun": v1({ ...work, by: "object" }),
  "project.paused": v1({ ...timed, by: "object?", reason: "string" }),
  "project.resumed": v1({ ...timed, by: "object" }),
  "project.failed": v1({ ...timed, reason: "string" }),
  "project.cancelled": v1({ ...timed, by: "object?" }),
  "project.completed": v1({ ...timed, reviewer: "object?" }),
  "project.bd_said": v1({ ...timed, text: "string", actions: "array" }),
};
