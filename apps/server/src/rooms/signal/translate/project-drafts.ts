/** What happens to a project, as signals: who was given what, and what came of it. */
import type { ProjectEvent } from "@atrium/core";
import { completion, truncate, MAX_SUMMARY_CHARS, type SignalDraft } from "./signal-draft.ts";

export function projectDrafts(
  event: ProjectEvent,
  projectId: string,
  frontDesk: string,
): readonly SignalDraft[] {
  switch (event.type) {
    case "project.request_submitted": {
      const description = truncate(event.title, MAX_SUMMARY_CHARS);
      const payload = { taskId: projectId, from: event.by.name, to: frontDesk, description };
      return [{ type: "task_dispatch", payload }];
    }
    case "project.task_assigned": {
      const { taskId, agentId: to, by } = event;
      const dispatch = { taskId, from: by?.name ?? frontDesk, to };
      const command = by === null ? [] : [commanded(taskId, "assign", { to })];
      return [...command, { type: "task_dispatch", payload: dispatch }];
    }
    case "project.review_approved":
      return [commanded(event.artifactId, "approve")];
    case "project.review_changes_requested": {
      const instructions = truncate(event.instructions, MAX_SUMMARY_CHARS);
      return [commanded(event.artifactId, "request_changes", { instructions })];
    }
    case "project.review_split":
      return [commanded(event.artifactId, "split")];
    case "project.task_rerun":
      return [commanded(event.taskId, "rerun")];
    case "project.task_edited":
      return [commanded(event.taskId, "edit")];
    case "project.task_removed":
      return [commanded(event.taskId, "remove")];
    case "project.tasks_reordered":
      return [commanded(projectId, "reorder_tasks")];
    case "project.comment_resolved":
      return [commanded(event.commentId, "resolve")];
    case "project.revert_requested":
      return [commanded(event.artifactId, "revert")];
    case "project.update_requested":
      return [commanded(projectId, "update")];
    case "project.delivered":
      return [commanded(projectId, "deliver", { how: event.how })];
    case "project.paused":
      return event.by === null ? [] : [commanded(projectId, "pause")];
    case "project.resumed":
      return [commanded(projectId, "resume")];
    case "project.decision_resolved": {
      const { decisionId, choice, by } = event;
      return by === null || choice === null ? [] : [commanded(decisionId, "resolve", { choice })];
    }
    case "project.task_done":
      return [completion(event.taskId, true)];
    case "project.task_failed": {
      const { taskId, reason } = event;
      const agent = event.agentId === null ? {} : { agentId: event.agentId };
      return [
        { type: "error", payload: { message: reason, severity: "error", ...agent } },
        { type: "completion", payload: { taskId, success: false, result: reason, ...agent } },
      ];
    }
    case "project.task_cancelled": {
      const { taskId, by } = event;
      return [commanded(taskId, "cancel"), completion(taskId, false, `cancelled by ${by.name}`)];
    }
    case "project.completed":
      return [completion(projectId, true)];
    case "project.failed":
      return [completion(projectId, false, event.reason)];
    case "project.cancelled":
      return [completion(projectId, false, "cancelled")];
    // Runs, artifacts and questions are told by the conversations they happen in.
    default:
      return [];
  }
}

function commanded(
  entityId: string,
  action: string,
  params: Readonly<Record<string, unknown>> = {},
): SignalDraft {
  return { type: "user.command", payload: { entityId, action, params } };
}
