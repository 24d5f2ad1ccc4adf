/** What a sealed commit says: the task, what the agent said of it, and where to find more. */
import type { CrewMember } from "@atrium/core";
import type { FinishedRun } from "../../projects/work/changes.ts";
import type { CommitAuthor } from "../../workspaces/port/landing.ts";

const MAX_SUBJECT_CHARS = 100;
const MAX_BODY_CHARS = 4_000;

export function sealMessage({ title, text, projectId, taskId, runId }: FinishedRun): string {
  const trailers = [
    `Atrium-Project: ${projectId}`,
    `Atrium-Task: ${taskId}`,
    `Atrium-Run: ${runId}`,
  ];
  return commitMessage(title, text, trailers);
}

/** The last paragraph is ours alone, whatever stands before it. */
export function commitMessage(subject: string, text: string, trailers: readonly string[]): string {
  const first = plain(subject).replaceAll(/\s+/g, " ").trim().slice(0, MAX_SUBJECT_CHARS);
  const body = plain(text).trim().slice(0, MAX_BODY_CHARS);
  return [first === "" ? "A change" : first, body, trailers.join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}

export function agentAuthor(crew: readonly CrewMember[], agentId: string): CommitAuthor {
  const name = crew.find(({ id }) => id === agentId)?.name ?? agentId;
  return authorOf(name, `${agentId.replace(/^agent_/, "")}@agents.invalid`);
}

export function authorOf(name: string, email: string): CommitAuthor {
  const shown = nameable(name);
  return { name: shown === "" ? "Somebody" : shown, email: nameable(email).replaceAll(" ", "") };
}

/** Git's own marks cannot be part of a name. */
function nameable(text: string): string {
  return plain(text)
    .replaceAll(/[<>\n\t]/g, " ")
    .trim();
}

// oxlint-disable-next-line no-control-regex -- these are what it takes out
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(CONTROLS, "");
}
