/** What happened, as a sentence with the names people know. Pure. */
import type { Snapshot } from "@atrium/client";
import { visibleText } from "@atrium/wire";
import type { WorldEvent } from "@atrium/wire/world";
import type { EventSubject } from "../../../i18n/english/about.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { translateName } from "../../../i18n/translate-name.ts";
import { WEB_CLIENT } from "../../../world/web-client.ts";

export interface Names {
  readonly agent: (id: string | undefined) => string | undefined;
  readonly task: (id: string | undefined) => string | undefined;
  readonly project: (id: string) => string | undefined;
  /** What was asked; undefined when that is no longer known. */
  readonly decision: (id: string | undefined) => string | undefined;
}

const MAX_PROMPT_CHARS = 90;

export function namesIn(snapshot: Snapshot | null): Names {
  const agents = new Map(snapshot?.agents.map(({ agent_id, name }) => [agent_id, name]));
  const tasks = new Map(snapshot?.tasks.map(({ task_id, title }) => [task_id, title]));
  const projects = new Map(snapshot?.projects.map(({ project_id, title }) => [project_id, title]));
  const decisions = new Map(
    snapshot?.decisions.map(({ decision_id, prompt }) => [decision_id, shorten(prompt)]),
  );
  return {
    agent: (id) => (id === undefined ? undefined : (agents.get(id) ?? id)),
    task: (id) => (id === undefined ? undefined : (tasks.get(id) ?? id)),
    project: (id) => projects.get(id) ?? id,
    decision: (id) => (id === undefined ? undefined : decisions.get(id)),
  };
}

export function sentenceOf(event: WorldEvent, names: Names, words: Texts): string {
  return words.events[event.name]({
    agent: names.agent("agent_id" in event ? event.agent_id : undefined),
    task: names.task("task_id" in event ? event.task_id : undefined),
    project: names.project(event.project_id),
    who: personIn("by" in event ? event.by : undefined, words),
    detail: detailOf(event),
    asked: names.decision("decision_id" in event ? event.decision_id : undefined),
  });
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= MAX_PROMPT_CHARS
    ? line
    : `${line.slice(0, MAX_PROMPT_CHARS - 1).trimEnd()}…`;
}

export function personIn(name: string | undefined, words: Texts): string | undefined {
  return name === WEB_CLIENT ? words.personHere : name;
}

/** What can be chosen or was: the office's own choices have words in every language, an agent's stay as they are. */
export function choiceText(kind: string, choice: string, words: Texts): string {
  return visibleText(kind === "question" ? choice : translateName(words.choices, choice));
}

function detailOf(event: WorldEvent): EventSubject["detail"] {
  const { name } = event;
  if (name === "request_submitted" || name === "artifact_created") return event.title;
  if (name === "tasks_created") return event.tasks.map(({ title }) => title).join(", ");
  if (name === "task_progress") {
    return /[.!?…]$/.test(event.preview_text) ? event.preview_text : `${event.preview_text}…`;
  }
  if (name === "decision_requested") return event.prompt;
  if (name === "decision_resolved") return event.choice;
  if (name === "checks_finished") return event.verdict;
  if (name === "change_conflicted") return event.paths.map(({ path }) => path).join(", ");
  if (name === "project_delivered") return event.ref;
  return "reason" in event ? event.reason : undefined;
}
