/** What has just been done, in a few words for whoever did it. Pure. */
import type { Snapshot } from "@atrium/client";
import type { WorldCommandData } from "@atrium/wire/world";
import type { Texts } from "../../i18n/texts.ts";
import type { SentCommand } from "../../world/world.ts";

const MAX_CHARS = 40;

/** Undefined for what is seen at once, as words in a conversation are. */
export function confirmationText(
  command: SentCommand,
  snapshot: Snapshot | null,
  { done: words }: Pick<Texts, "done">,
): string | undefined {
  const task = (id: string): string =>
    short(snapshot?.tasks.find(({ task_id }) => task_id === id)?.title ?? id);
  const project = (id: string): string =>
    short(snapshot?.projects.find(({ project_id }) => project_id === id)?.title ?? id);
  const artifact = (id: string): string =>
    short(snapshot?.artifacts.find(({ artifact_id }) => artifact_id === id)?.name ?? id);
  const agent = (id: string): string =>
    snapshot?.agents.find(({ agent_id }) => agent_id === id)?.name ?? id;
  switch (command.name) {
    case "submit_request":
      return words.asked;
    case "assign_task":
    case "reassign_task":
      return words.given(task(command.data.task_id), agent(command.data.agent_id));
    case "auto_assign":
      return words.handedOut(project(command.data.project_id));
    case "resolve_decision":
      return words.answered(short(saidIn(command.data)));
    case "approve_artifact":
      return words.approved(artifact(command.data.artifact_id));
    case "request_changes":
      return words.sentBack(artifact(command.data.artifact_id));
    case "split_into_tasks":
      return words.split(command.data.task_titles.length);
    case "start_kickoff":
      return words.kickoff(project(command.data.project_id));
    case "cancel_task":
      return words.cancelled(task(command.data.task_id));
    case "pause_project":
      return words.paused(project(command.data.project_id));
    case "resume_project":
      return words.resumed(project(command.data.project_id));
    case "cancel_project":
      return words.cancelled(project(command.data.project_id));
    case "rerun_task":
      return words.again(task(command.data.task_id));
    case "restore_files":
      return words.restored(task(command.data.task_id));
    case "fork_task":
      return words.forked(task(command.data.task_id));
    case "add_task":
      return words.added(short(command.data.title));
    case "edit_task":
      return words.edited(task(command.data.task_id));
    case "remove_task":
      return words.removed(task(command.data.task_id));
    case "revert_artifact":
      return words.reverting(artifact(command.data.artifact_id));
    case "deliver_project":
      return words.delivering(project(command.data.project_id));
    case "apply_suggestions":
      return words.applied(artifact(command.data.artifact_id));
    case "update_project":
      return words.updating(project(command.data.project_id));
    // Seen at once where it was written.
    case "leave_message":
    case "reorder_tasks":
    case "resolve_comment":
    case "chat":
    case "player_pos":
    case "move_player_to":
      return undefined;
  }
}

function saidIn({ choice, answers = [] }: WorldCommandData<"resolve_decision">): string {
  return choice ?? answers.flatMap(({ choices }) => choices).join(", ");
}

function short(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1).trimEnd()}…`;
}
