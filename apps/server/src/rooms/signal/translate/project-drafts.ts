/** What happens to a project, as signals: who was given what, and what came of it. */
import type { ProjectEvent, ProjectEventOf } from "@atrium/core";
import { completion, truncate, MAX_SUMMARY_CHARS, type SignalDraft } from "./signal-draft.ts";

interface Moment<Event> {
  readonly event: Event;
  readonly projectId: string;
  readonly frontDesk: string;
}

/** Runs, artifacts and questions are not here: the conversations they happen in tell of them. */
type Drafts = {
  readonly [Type in ProjectEvent["type"]]?: (
    moment: Moment<ProjectEventOf<Type>>,
  ) => readonly SignalDraft[];
};

const DRAFTS: Drafts = {
  "project.request_submitted"({ event, projectId, frontDesk }) {
    const description = truncate(event.title, MAX_SUMMARY_CHARS);
    const payload = { taskId: projectId, from: event.by.name, to: frontDesk, description };
    return [{ type: "task_dispatch", payload }];
  },
  "project.task_assigned"({ event, frontDesk }) {
    const { taskId, agentId: to, by } = event;
    const dispatch = { taskId, from: by?.name ?? frontDesk, to };
    const command = by === null ? [] : [commanded(taskId, "assign", { to })];
    return [...command, { type: "task_dispatch", payload: dispatch }];
  },
  "project.task_edited": ({ event }) => [commanded(event.taskId, "edit")],
  "project.task_removed": ({ event }) => [commanded(event.taskId, "remove")],
  "project.tasks_reordered": ({ projectId }) => [commanded(projectId, "reorder_tasks")],
  "project.review_approved": ({ event }) => [commanded(event.artifactId, "approve")],
  "project.review_changes_requested"({ event }) {
    const instructions = truncate(event.instructions, MAX_SUMMARY_CHARS);
    return [commanded(event.artifactId, "request_changes", { instructions })];
  },
  "project.review_split": ({ event }) => [commanded(event.artifactId, "split")],
  "project.comment_resolved": ({ event }) => [commanded(event.commentId, "resolve")],
  "project.revert_requested": ({ event }) => [commanded(event.artifactId, "revert")],
  "project.update_requested": ({ projectId }) => [commanded(projectId, "update")],
  "project.delivered": ({ event, projectId }) => [
    commanded(projectId, "deliver", { how: event.how }),
  ],
  "project.task_rerun": ({ event }) => [commanded(event.taskId, "rerun")],
  "project.paused": ({ event, projectId }) =>
    event.by === null ? [] : [commanded(projectId, "pause")],
  "project.resumed": ({ projectId }) => [commanded(projectId, "resume")],
  "project.decision_resolved"({ event }) {
    const { decisionId, choice, by } = event;
    return by === null || choice === null ? [] : [commanded(decisionId, "resolve", { choice })];
  },
  "project.task_done": ({ event }) => [completion(event.taskId, true)],
  "project.task_failed"({ event }) {
    const { taskId, reason } = event;
    const agent = event.agentId === null ? {} : { agentId: event.agentId };
    return [
      { type: "error", payload: { message: reason, severity: "error", ...agent } },
      { type: "completion", payload: { taskId, success: false, result: reason, ...agent } },
    ];
  },
  "project.task_cancelled"({ event }) {
    const { taskId, by } = event;
    return [commanded(taskId, "cancel"), completion(taskId, false, `cancelled by ${by.name}`)];
  },
  "project.completed": ({ projectId }) => [completion(projectId, true)],
  "project.failed": ({ event, projectId }) => [completion(projectId, false, event.reason)],
  "project.cancelled": ({ projectId }) => [completion(projectId, false, "cancelled")],
};

export function projectDrafts(
  event: ProjectEvent,
  projectId: string,
  frontDesk: string,
): readonly SignalDraft[] {
  return draftsOf({ event, projectId, frontDesk });
}

function draftsOf<Type extends ProjectEvent["type"]>(
  moment: Moment<ProjectEventOf<Type>>,
): readonly SignalDraft[] {
  const type: Type = moment.event.type;
  return DRAFTS[type]?.(moment) ?? [];
}

function commanded(
  entityId: string,
  action: string,
  params: Readonly<Record<string, unknown>> = {},
): SignalDraft {
  return { type: "user.command", payload: { entityId, action, params } };
}
