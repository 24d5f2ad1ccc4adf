/** What agents are told: how to plan a request, how to work on a task of it, how to go on. */
import type { Artifact, CrewMember, Project, Task } from "@atrium/core";

export const PLAN_INSTRUCTIONS = [
  "People ask you for something, and you break it into tasks for the team.",
  "Answer with one JSON object and nothing else:",
  '{"title": "a few words", "summary": "one or two sentences for the person who asked", "tasks": [{"title": "what is to be done", "description": "what a good result is", "role": "which kind of agent"}]}',
  "Two to five tasks, each of which yields something that can be looked at: a document, code, a drawing as text. No task for yourself.",
].join("\n");

export const TASK_INSTRUCTIONS = [
  "You work on one task of a project. Do it with the tools you have.",
  "Deliver what you have made with deliver_artifact if you have that tool; otherwise your answer is the result.",
  "Ask only what you cannot decide yourself. When you are finished, say in one sentence what you did.",
].join("\n");

/** What people write is quoted, so that it cannot be taken for what we say. */
function quoted(text: string): string {
  return text.replaceAll(/^/gm, "> ");
}

const MAX_QUOTE_CHARS = 8_000;

function request({ text, constraints }: Project): string {
  const wishes = Object.entries(constraints).map(
    ([name, value]) => `- ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const lines = [`What was asked:\n${quoted(text.slice(0, MAX_QUOTE_CHARS))}`];
  if (wishes.length > 0) lines.push(`Constraints:\n${quoted(wishes.join("\n"))}`);
  return lines.join("\n\n");
}

export function planPrompt(project: Project, crew: readonly CrewMember[]): string {
  const team = crew.map(({ name, role }) => `- ${name}, ${role}`).join("\n");
  return `Plan this for the team.\n\n${request(project)}\n\nThe team:\n${team}`;
}

export function replanPrompt(why: string): string {
  return `This plan cannot be used: ${why}. Answer again with the corrected JSON object and nothing else.`;
}

export function taskPrompt(project: Project, task: Task): string {
  const number = project.tasks.findIndex(({ taskId }) => taskId === task.taskId) + 1;
  const head = `Task ${number} of ${project.tasks.length}: ${task.title}`;
  const about = task.description === "" ? [] : [task.description];
  const fork = task.forkedFrom === null ? [] : [FORK_NOTE];
  const whole = `It is part of: ${project.title}`;
  return [head, ...about, whole, request(project), ...fork].join("\n\n");
}

const FORK_NOTE =
  "The files are as they were at an earlier moment of another attempt, and what was said until then is above. Go on from there; the other attempt goes on without you.";

const CHANGES_WISHED = "Changes were requested:";

/** For everything but the first try. Whoever it is given to may never have heard of it before. */
export function againPrompt(project: Project, task: Task): string {
  const changes = project.artifacts.filter(
    ({ taskId, status }) => taskId === task.taskId && status === "changes_requested",
  );
  const note = changes.length > 0 ? changesNote(changes) : INTERRUPTED_NOTE;
  return `${taskPrompt(project, task)}\n\n${note}`;
}

const INTERRUPTED_NOTE =
  "An earlier attempt at this task was interrupted. Look at what is already there and continue from it.";

function changesNote(changes: readonly Artifact[]): string {
  const wishes = changes.map(({ name, instructions }) => `${name}:\n${quoted(instructions ?? "")}`);
  return `${CHANGES_WISHED}\n\n${wishes.join("\n\n")}\n\nDeliver the new version under the same name.`;
}
