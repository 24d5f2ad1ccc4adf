/** What happens to a project, as the timeline tells it. Pure: the entry is all it knows. */
import { isChangeEvent, type ChangeEvent, type ProjectEvent } from "@atrium/core";
import type { WorldEvent } from "@atrium/wire/world";
import { changeOnWire, plannedOnWire } from "../messages/change-on-wire.ts";
import { forkOnWire } from "../messages/fork-on-wire.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import { usageOnWire } from "../messages/usage.ts";
import { changeEvent, planEdited } from "./translate-change.ts";

export interface EventContext {
  readonly seq: number;
  readonly project_id: string;
  readonly at: number;
}

/** Undefined: nothing that the timeline shows. */
export function eventOf(happened: EventContext, event: ProjectEvent): WorldEvent | undefined {
  return isChangeEvent(event) ? changeEvent(happened, event) : otherEvent(happened, event);
}

function otherEvent(
  happened: EventContext,
  event: Exclude<ProjectEvent, ChangeEvent>,
): WorldEvent | undefined {
  switch (event.type) {
    case "project.request_submitted": {
      const { title, text, by } = event;
      return { ...happened, name: "request_submitted", title, text, by: by.name };
    }
    case "project.request_accepted":
      return { ...happened, name: "request_accepted" };
    case "project.kickoff_started": {
      const { poiId, participants, title: summary } = event;
      const who = { poi_id: poiId, participants: [...participants] };
      const meta = { title: "Kickoff meeting", ...omitEmpty({ summary }) };
      return { ...happened, name: "kickoff_started", ...who, meta };
    }
    case "project.planning_started":
    case "project.plan_drafted":
    case "project.bd_said":
    case "project.usage_counted":
      return undefined;
    case "project.tasks_created":
      return tasksCreated(happened, event);
    case "project.task_edited":
    case "project.task_removed":
    case "project.tasks_reordered":
      return planEdited(happened, event);
    case "project.kickoff_finished":
      return { ...happened, name: "kickoff_finished", summary: event.summary };
    case "project.paused": {
      const { reason, by } = event;
      return { ...happened, name: "project_paused", reason, ...omitEmpty({ by: by?.name }) };
    }
    case "project.resumed":
      return { ...happened, name: "project_resumed", by: event.by.name };
    case "project.failed":
      return { ...happened, name: "project_failed", reason: event.reason };
    case "project.cancelled":
      return { ...happened, name: "project_cancelled", ...omitEmpty({ by: event.by?.name }) };
    case "project.completed":
      return { ...happened, name: "project_completed", ...omitEmpty({ by: event.reviewer?.name }) };
    case "project.decision_requested":
    case "project.decision_resolved":
      return decisionEvent(happened, event);
    case "project.artifact_created":
    case "project.artifact_delivered":
    case "project.review_requested":
    case "project.review_approved":
    case "project.review_changes_requested":
    case "project.review_split":
      return artifactEvent(happened, event);
    case "project.task_assigned":
    case "project.task_started":
    case "project.task_progress":
    case "project.task_blocked":
    case "project.work_finished":
    case "project.task_done":
    case "project.task_failed":
    case "project.task_released":
    case "project.task_cancelled":
    case "project.task_rerun":
      return taskEvent({ ...happened, task_id: event.taskId }, event);
  }
}

type EventOf<Suffix extends string> = Extract<ProjectEvent, { type: `project.${Suffix}` }>;

function tasksCreated(happened: EventContext, event: EventOf<"tasks_created">): WorldEvent {
  const { title, artifactId: artifact_id, by } = event;
  const tasks = event.tasks.map(({ taskId: task_id, title: name, role, ...task }) => {
    const description = task.description || null;
    const forked_from = forkOnWire(task.forkedFrom);
    const more = { ...omitEmpty({ description, role, forked_from }), ...plannedOnWire(task) };
    return { task_id, title: name, ...more };
  });
  const more = omitEmpty({ title, artifact_id, by: by?.name });
  return { ...happened, name: "tasks_created", tasks, ...more };
}

function decisionEvent(
  happened: EventContext,
  event: EventOf<"decision_requested" | "decision_resolved">,
): WorldEvent {
  const { decisionId: decision_id, taskId: task_id } = event;
  if (event.type === "project.decision_resolved") {
    const { choice, note, by } = event;
    const rest = omitEmpty({ task_id, choice, note, by: by?.name });
    return { ...happened, name: "decision_resolved", decision_id, ...rest };
  }
  const { kind, prompt, options, allowsOther: allows_other, agentId: agent_id } = event;
  const request = { decision_id, kind, prompt, options: [...options] };
  const rest = omitEmpty({ allows_other, task_id, agent_id });
  return { ...happened, name: "decision_requested", ...request, ...rest };
}

function artifactEvent(
  happened: EventContext,
  event: EventOf<"artifact_created" | "artifact_delivered" | `review_${string}`>,
): WorldEvent {
  const { taskId: task_id } = event;
  if (event.type === "project.review_requested") {
    const artifact_ids = [...event.artifactIds];
    return { ...happened, name: "review_requested", task_id, artifact_ids };
  }
  const about = { ...happened, artifact_id: event.artifactId, task_id };
  switch (event.type) {
    case "project.artifact_created": {
      const { version, kind, name, agentId: agent_id, by } = event;
      const change = event.change && changeOnWire(event.change);
      const more = omitEmpty({ agent_id, change, by: by?.name });
      return { ...about, name: "artifact_created", version, type: kind, title: name, ...more };
    }
    case "project.artifact_delivered": {
      const { version, poiId: poi_id, agentId: agent_id } = event;
      return { ...about, name: "artifact_delivered", version, poi_id, ...omitEmpty({ agent_id }) };
    }
    case "project.review_approved":
      return { ...about, name: "review_approved", by: event.by.name };
    case "project.review_changes_requested": {
      const { instructions, by, comments } = event;
      const wish = { instructions, by: by.name, ...omitEmpty({ comments: comments?.length }) };
      return { ...about, name: "review_changes_requested", ...wish };
    }
    case "project.review_split":
      return { ...about, name: "review_split", by: event.by.name };
  }
}

function taskEvent(
  of: EventContext & { readonly task_id: string },
  event: EventOf<
    | `task_${"assigned" | "started" | "progress" | "blocked" | "done" | "failed" | "released" | "cancelled" | "rerun"}`
    | "work_finished"
  >,
): WorldEvent {
  const agent = "agentId" in event ? omitEmpty({ agent_id: event.agentId }) : {};
  switch (event.type) {
    case "project.task_assigned": {
      const { agentId: agent_id, previous, by } = event;
      return { ...of, name: "task_assigned", agent_id, ...omitEmpty({ previous, by: by?.name }) };
    }
    case "project.task_started": {
      const { agentId: agent_id, runId: run_id, attempt } = event;
      return { ...of, name: "task_started", agent_id, run_id, attempt };
    }
    case "project.task_progress": {
      const { agentId: agent_id, kind, preview: preview_text, percent } = event;
      const progress = { agent_id, kind, preview_text, ...omitEmpty({ percent }) };
      return { ...of, name: "task_progress", ...progress };
    }
    case "project.task_blocked":
      return { ...of, name: "task_blocked", decision_id: event.decisionId, ...agent };
    case "project.work_finished":
      return { ...of, name: "work_finished", run_id: event.runId, ...usageOnWire(event.usage) };
    case "project.task_done":
      return { ...of, name: "task_done" };
    case "project.task_failed":
      return { ...of, name: "task_failed", reason: event.reason, ...agent };
    case "project.task_released": {
      const { reason, agentId: agent_id } = event;
      return { ...of, name: "task_released", reason, agent_id };
    }
    case "project.task_cancelled":
      return { ...of, name: "task_cancelled", by: event.by.name, ...agent };
    case "project.task_rerun":
      return { ...of, name: "task_rerun", by: event.by.name, ...agent };
  }
}
