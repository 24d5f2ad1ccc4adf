/**
 * How projects stand, in words for whoever answers questions about them: nothing but what the log says. Every title and
 * note in them was chosen by someone, so each is one short line in quotation marks. Pure.
 */
import {
  waitingFor,
  type Artifact,
  type CrewMember,
  type Project,
  type Task,
  type Usage,
} from "@atrium/core";
import { cleanText } from "../../platform/clean-text.ts";

const MAX_TITLE_CHARS = 80;
const MAX_NOTE_CHARS = 160;
const MAX_REQUEST_CHARS = 600;
const MAX_WAITS = 4;
const CENTS = 2;

/** One line: the title, the id, and how far it is. */
export function projectLine(project: Project): string {
  const { title, projectId } = project;
  return `${quoted(title)} (${projectId}): ${factsOf(project).join("; ")}`;
}

/** All there is to know of it, a line for each task. */
export function describeProject(project: Project, crew: readonly CrewMember[]): string {
  const { text, by, createdAt, repository, summary, tasks } = project;
  const at = new Date(createdAt).toISOString();
  return [
    projectLine(project),
    `Asked for by ${quoted(by.name)} at ${at}: ${quoted(text, MAX_REQUEST_CHARS)}`,
    ...(repository === null ? [] : [`Repository: ${quoted(repository)}`]),
    ...(summary === null || summary === "" ? [] : [`Plan: ${quoted(summary, MAX_REQUEST_CHARS)}`]),
    ...(tasks.length === 0 ? [] : ["Tasks:"]),
    ...tasks.map((task, at0) => taskLine(project, task, at0 + 1, crew)),
  ].join("\n");
}

export function isUnderWay({ status, endedAt }: Project): boolean {
  return endedAt === null || status === "failed";
}

/** Someone else's words, as one line that cannot be taken for ours. */
export function quoted(text: string, most = MAX_TITLE_CHARS): string {
  const line = cleanText(text).replaceAll(/\s+/g, " ");
  const cut = line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
  return JSON.stringify(cut);
}

function factsOf(project: Project): readonly string[] {
  const { status, tasks, used, failure, deliveries } = project;
  const counted = tasks.filter((task) => task.status !== "cancelled");
  const done = counted.filter((task) => task.status === "done").length;
  const waits = waitsOf(project);
  const more = waits.length - MAX_WAITS;
  const shown = [...waits.slice(0, MAX_WAITS), ...(more > 0 ? [`${more} more`] : [])];
  const cost = costOf(used);
  return [
    status,
    ...(failure === null ? [] : [`reason: ${quoted(failure, MAX_NOTE_CHARS)}`]),
    ...(counted.length === 0 ? [] : [`${done} of ${counted.length} tasks done`]),
    ...openCounts(counted),
    ...(shown.length === 0 ? [] : [`waits for people: ${shown.join(", ")}`]),
    ...(cost === undefined ? [] : [cost]),
    ...deliveries.slice(-1).map(({ how, ref }) => `delivered (${how}) to ${quoted(ref)}`),
  ];
}

function openCounts(tasks: readonly Task[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { status } of tasks) {
    if (status !== "done") counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${count} ${words(status)}`);
}

/** What goes on only when a person does something. */
function waitsOf({ status, tasks, decisions }: Project): readonly string[] {
  const isOpen = status === "planned" || status === "executing";
  const unassigned = tasks.filter((task) => task.status === "planned").length;
  return [
    ...(status === "paused" ? ["to be resumed"] : []),
    ...(status === "failed" ? ["to be planned again or cancelled"] : []),
    ...decisions
      .filter((decision) => decision.status === "open")
      .map(({ prompt }) => `an answer to ${quoted(prompt)}`),
    ...tasks
      .filter((task) => task.status === "in_review")
      .map(({ title }) => `a review of ${quoted(title)}`),
    ...tasks
      .filter((task) => task.status === "failed")
      .map(({ title }) => `to retry, reassign or cancel ${quoted(title)}`),
    ...(isOpen && unassigned > 0
      ? [`${unassigned} ${unassigned === 1 ? "task" : "tasks"} to be assigned`]
      : []),
  ];
}

function taskLine(
  project: Project,
  task: Task,
  number: number,
  crew: readonly CrewMember[],
): string {
  const { artifacts, tasks } = project;
  const { taskId, title, status, assignee, percent, note, isChecking } = task;
  const waits = waitingFor(project, task).map(
    (id) => tasks.findIndex((each) => each.taskId === id) + 1,
  );
  const who = crew.find(({ id }) => id === assignee)?.name ?? assignee;
  const made = artifacts.filter((each) => each.taskId === taskId && each.status !== "withdrawn");
  return [
    `${number}. ${quoted(title)} (${taskId}): ${words(status)}`,
    ...(who === null ? [] : [`by ${who}`]),
    ...(waits.length === 0 ? [] : [`waits for task ${waits.join(", ")}`]),
    ...(percent === null ? [] : [`${percent} % done`]),
    ...(isChecking ? ["being checked"] : []),
    ...(note === null || note === "" ? [] : [`note: ${quoted(note, MAX_NOTE_CHARS)}`]),
    ...made.map(artifactWords),
  ].join("; ");
}

function artifactWords({ name, artifactId, version, status, checks, landing }: Artifact): string {
  return [
    `artifact ${quoted(name)} (${artifactId})`,
    `version ${version}`,
    words(status),
    ...(checks === null ? [] : [`checks ${checks.state}`]),
    ...(landing === null ? [] : [`landing ${landing.state}`]),
  ].join(", ");
}

function costOf({ cost, isCostPartial }: Usage): string | undefined {
  if (cost === undefined || cost === 0) return undefined;
  return `cost ${isCostPartial === true ? "at least " : ""}$${cost.toFixed(CENTS)}`;
}

function words(status: string): string {
  return status.replaceAll("_", " ");
}
