import type { EventDeclarations } from "../engine/codec.ts";
import type { ProjectEvent } from "./events.ts";

const file = { name: "string", mediaType: "string", bytes: "number", digest: "string" } as const;
const timed = { at: "number" } as const;
const task = { ...timed, taskId: "string" } as const;
const work = { ...task, agentId: "string?" } as const;
const review = { ...task, artifactId: "string", by: "object" } as const;

export const PROJECT_EVENTS: EventDeclarations<ProjectEvent> = {
  "project.request_submitted": {
    version: 1,
    shape: {
      ...timed,
      projectId: "string",
      title: "string",
      text: "string",
      constraints: "object",
      attachments: "array",
      by: "object",
    },
  },
  "project.request_accepted": { version: 1, shape: timed },
  "project.kickoff_started": {
    version: 1,
    shape: { ...timed, poiId: "string", participants: "array" },
  },
  "project.planning_started": { version: 1, shape: { ...timed, runId: "string" } },
  "project.tasks_created": {
    version: 1,
    shape: { ...timed, title: "string?", tasks: "array", artifactId: "string?" },
  },
  "project.plan_drafted": {
    version: 1,
    shape: {
      ...timed,
      title: "string?",
      summary: "string",
      tasks: "array",
      tellAt: "number",
    },
  },
  "project.kickoff_finished": { version: 1, shape: { ...timed, summary: "string" } },
  "project.task_assigned": {
    version: 1,
    shape: { ...task, agentId: "string", previous: "string?", by: "object?" },
  },
  "project.task_started": {
    version: 1,
    shape: { ...task, agentId: "string", runId: "string", attempt: "number" },
  },
  "project.task_progress": {
    version: 1,
    shape: { ...task, agentId: "string", kind: "string", preview: "string" },
  },
  "project.decision_requested": {
    version: 1,
    shape: {
      ...timed,
      decisionId: "string",
      ref: "string",
      kind: "string",
      taskId: "string?",
      agentId: "string?",
      prompt: "string",
      options: "array",
    },
  },
  "project.task_blocked": { version: 1, shape: { ...work, decisionId: "string" } },
  "project.decision_resolved": {
    version: 1,
    shape: {
      ...timed,
      decisionId: "string",
      taskId: "string?",
      choice: "string?",
      note: "string?",
      by: "object?",
    },
  },
  "project.artifact_created": {
    version: 1,
    shape: {
      ...work,
      ...file,
      artifactId: "string",
      version: "number",
      kind: "string",
      runId: "string?",
    },
  },
  "project.work_finished": { version: 1, shape: { ...task, runId: "string", usage: "object" } },
  "project.usage_counted": {
    version: 1,
    shape: { ...timed, taskId: "string?", runId: "string", usage: "object" },
  },
  "project.artifact_delivered": {
    version: 1,
    shape: {
      ...work,
      artifactId: "string",
      version: "number",
      poiId: "string",
    },
  },
  "project.review_requested": { version: 1, shape: { ...task, artifactIds: "array" } },
  "project.review_approved": { version: 1, shape: review },
  "project.review_changes_requested": { version: 1, shape: { ...review, instructions: "string" } },
  "project.review_split": { version: 1, shape: review },
  "project.task_done": { version: 1, shape: task },
  "project.task_failed": { version: 1, shape: { ...work, runId: "string?", reason: "string" } },
  "project.task_cancelled": { version: 1, shape: { ...work, runId: "string?", by: "object" } },
  "project.task_rerun": { version: 1, shape: { ...work, by: "object" } },
  "project.paused": { version: 1, shape: { ...timed, by: "object?", reason: "string" } },
  "project.resumed": { version: 1, shape: { ...timed, by: "object" } },
  "project.failed": { version: 1, shape: { ...timed, reason: "string" } },
  "project.cancelled": { version: 1, shape: { ...timed, by: "object?" } },
  "project.completed": { version: 1, shape: { ...timed, reviewer: "object?" } },
  "project.bd_said": { version: 1, shape: { ...timed, text: "string", actions: "array" } },
};
