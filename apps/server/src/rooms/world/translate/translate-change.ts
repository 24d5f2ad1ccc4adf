/** What happens to changes and to the line they go into, as the timeline tells it. Pure. */
import type { ChangeEvent, ConflictPath, ProjectEvent } from "@atrium/core";
import type { WorldEvent } from "@atrium/wire/world";
import { checkOnWire, plannedOnWire } from "../messages/change-on-wire.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import type { EventContext } from "./translate-project.ts";

type EventOf<Suffix extends string> = Extract<ProjectEvent, { type: `project.${Suffix}` }>;

export function planEdited(
  happened: EventContext,
  event: EventOf<"task_edited" | "task_removed" | "tasks_reordered">,
): WorldEvent {
  const by = event.by.name;
  if (event.type === "project.tasks_reordered") {
    return { ...happened, name: "tasks_reordered", task_ids: [...event.taskIds], by };
  }
  const about = { ...happened, task_id: event.taskId, by };
  if (event.type === "project.task_removed") return { ...about, name: "task_removed" };
  const { title, description, role, after, ...rest } = event.changes;
  const words = { ...omitEmpty({ title, description, role }), ...plannedOnWire(rest) };
  // Coming after nothing any more is a change too.
  return { ...about, name: "task_edited", ...words, ...(after && { after: [...after] }) };
}

export function changeEvent(happened: EventContext, event: ChangeEvent): WorldEvent {
  switch (event.type) {
    case "project.update_requested":
      return { ...happened, name: "update_requested", by: event.by.name };
    case "project.line_updated": {
      const { commit, base } = event;
      return { ...happened, name: "line_updated", commit, base };
    }
    case "project.update_failed": {
      const { reason, paths } = event;
      return { ...happened, name: "update_failed", reason, paths: paths.map(pathOnWire) };
    }
    case "project.delivered": {
      const { how, ref, commit, by } = event;
      return { ...happened, name: "project_delivered", how, ref, commit, by: by.name };
    }
    case "project.checks_started":
    case "project.checks_finished":
    case "project.comment_answered":
    case "project.comment_resolved":
    case "project.change_landed":
    case "project.change_conflicted":
    case "project.landing_failed":
    case "project.revert_requested":
    case "project.change_reverted":
    case "project.revert_failed":
      return eventOfChange(happened, event);
  }
}

function eventOfChange(
  happened: EventContext,
  event: Extract<ChangeEvent, { readonly artifactId: string }>,
): WorldEvent {
  const about = { ...happened, artifact_id: event.artifactId, task_id: event.taskId };
  switch (event.type) {
    case "project.checks_started": {
      const { version, names } = event;
      return { ...about, name: "checks_started", version, names: [...names] };
    }
    case "project.checks_finished": {
      const { version, verdict, results, goesBack } = event;
      const ends = { version, verdict, results: results.map(checkOnWire) };
      return { ...about, name: "checks_finished", ...ends, ...(goesBack && { goes_back: true }) };
    }
    case "project.comment_answered":
      return { ...about, name: "comment_answered", comment_id: event.commentId, text: event.text };
    case "project.comment_resolved":
      return { ...about, name: "comment_resolved", comment_id: event.commentId, by: event.by.name };
    case "project.change_landed": {
      const { version, commit } = event;
      return { ...about, name: "change_landed", version, commit };
    }
    case "project.change_conflicted": {
      const { version, paths } = event;
      return { ...about, name: "change_conflicted", version, paths: paths.map(pathOnWire) };
    }
    case "project.landing_failed": {
      const { version, reason } = event;
      return { ...about, name: "landing_failed", version, reason };
    }
    case "project.revert_requested":
      return { ...about, name: "revert_requested", by: event.by.name };
    case "project.change_reverted":
      return { ...about, name: "change_reverted", commit: event.commit };
    case "project.revert_failed": {
      const { reason, paths } = event;
      return { ...about, name: "revert_failed", reason, paths: paths.map(pathOnWire) };
    }
  }
}

/** Peers are told where; the ids of both sides are for whoever resolves it. */
function pathOnWire({ path, kind }: ConflictPath): { path: string; kind: string } {
  return { path, kind };
}
