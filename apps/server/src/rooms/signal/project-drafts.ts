/** What happens to a project, as signals: who was given what, and what came of it. */
import type { ProjectEvent } from "@atrium/core";
import { cut, LONGEST_SUMMARY, type SignalDraft } from "./signal-draft.ts";

export function projectDrafts(
  event: ProjectEvent,
  projectId: string,
  frontDesk: string,
): readonly SignalDraft[] {
  switch (event.type) {
    case "project.request_submitted": {
      const description = cut(event.title, LONGEST_SUMMARY);
      const payload = { taskId: projectId, from: event.by.name, to: frontDesk, description };
      return [{ type: "task_dispatch", payload }];
    }
    case "project.task_assigned": {
      const { taskId, agentId: to, by } = event;
      return [{ type: "task_dispatch", payload: { taskId, from: by?.name ?? frontDesk, to } }];
    }
    case "project.task_done":
      return [{ type: "completion", payload: { taskId: event.taskId, success: true } }];
    case "project.task_failed": {
      const { taskId, reason } = event;
      const agent = event.agentId === null ? {} : { agentId: event.agentId };
      return [
        { type: "error", payload: { message: reason, severity: "error", ...agent } },
        { type: "completion", payload: { taskId, success: false, result: reason, ...agent } },
      ];
    }
    case "project.task_cancelled": {
      const result = `cancelled by ${event.by.name}`;
      return [{ type: "completion", payload: { taskId: event.taskId, success: false, result } }];
    }
    case "project.completed":
      return [{ type: "completion", payload: { taskId: projectId, success: true } }];
    case "project.failed":
      return [
        {
          type: "completion",
          payload: { taskId: projectId, success: false, result: event.reason },
        },
      ];
    case "project.cancelled":
      return [
        { type: "completion", payload: { taskId: projectId, success: false, result: "cancelled" } },
      ];
    // Their runs, artifacts and questions are told by the conversations they happen in.
    case "project.request_accepted":
    case "project.kickoff_started":
    case "project.planning_started":
    case "project.tasks_created":
    case "project.kickoff_finished":
    case "project.task_started":
    case "project.task_progress":
    case "project.decision_requested":
    case "project.task_blocked":
    case "project.decision_resolved":
    case "project.artifact_created":
    case "project.work_finished":
    case "project.artifact_delivered":
    case "project.review_requested":
    case "project.review_approved":
    case "project.review_changes_requested":
    case "project.review_split":
    case "project.task_rerun":
    case "project.paused":
    case "project.resumed":
    case "project.bd_said":
      return [];
  }
}
