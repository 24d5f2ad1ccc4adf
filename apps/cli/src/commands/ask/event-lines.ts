/** What happens in a project, each as a line of a terminal. What is not here is for the office, or is asked. */
import type { WorldMessageOf } from "@atrium/wire/world";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import { toolLine } from "./tool-line.ts";

export type ProjectEvent = WorldMessageOf<"event">["payload"];

/** How things are called. */
export interface Names {
  readonly paint: Paint;
  readonly agent: (agentId: string) => string;
  readonly task: (taskId: string) => string;
}

type LineOf<Name> = (
  event: Extract<ProjectEvent, { readonly name: Name }>,
  names: Names,
) => string | undefined;
type Lines = { readonly [Name in ProjectEvent["name"]]?: LineOf<Name> };

const MAX_LINE = 160;
const short = (text: string): string => plainLine(text, MAX_LINE);

const LINES: Lines = {
  request_submitted: ({ title, project_id: id }, { paint }) =>
    `${paint.strong(short(title))}\n${paint.quiet(`project ${id}; planning`)}`,
  tasks_created: ({ tasks }) => tasks.map(({ title }) => `  ${short(title)}`).join("\n"),
  task_started: ({ agent_id: agentId, task_id: taskId }, { paint, agent, task }) =>
    `${paint.link("●")} ${agent(agentId)}: ${task(taskId)}`,
  tool_called: ({ agent_id: agentId, tool, input }, { paint, agent }) =>
    paint.quiet(`  › ${agent(agentId)}: ${toolLine(tool, input)}`),
  artifact_created: ({ title }, { paint }) => `  ${paint.good("made")} ${short(title)}`,
  checks_finished: ({ results, goes_back: goesBack }, { paint }) =>
    results
      .map(({ name, verdict }) => {
        const isGood = verdict === "passed" || verdict === "skipped";
        return `  ${isGood ? paint.good(verdict) : paint.bad(verdict)} ${short(name)}`;
      })
      .join("\n") + (goesBack === true ? paint.quiet("\n  · goes back to be mended") : ""),
  change_landed: ({ task_id: id }, { paint, task }) => `  ${paint.good("merged")} ${task(id)}`,
  change_conflicted: ({ task_id: id, paths }, { paint, task }) =>
    `  ${paint.doubtful("in conflict")} ${task(id)}: ${short(paths.map(({ path }) => path).join(", "))}`,
  landing_failed: ({ task_id: id, reason }, { paint, task }) =>
    `  ${paint.bad("not merged")} ${task(id)}: ${short(reason)}`,
  comment_answered: ({ text }, { paint }) => paint.quiet(`  · answered a comment: ${short(text)}`),
  project_delivered: ({ how, ref }, { paint }) =>
    `  ${paint.good("delivered")} ${short(ref)} (${how})`,
  task_done: ({ task_id: id }, { paint, task }) => `${paint.good("✓")} ${task(id)}`,
  task_failed: ({ task_id: id, reason }, { paint, task }) =>
    `${paint.bad("✗")} ${task(id)}: ${short(reason)}`,
  decision_resolved: ({ choice = "nobody answered in time" }, { paint }) =>
    paint.quiet(`  · answered: ${short(choice)}`),
  project_paused: ({ reason }, { paint }) => paint.quiet(`  · paused: ${short(reason)}`),
};

export function lineOf<Name extends ProjectEvent["name"]>(
  event: Extract<ProjectEvent, { readonly name: Name }>,
  names: Names,
): string | undefined {
  const name: Name = event.name;
  const line: LineOf<Name> | undefined = LINES[name];
  return line?.(event, names);
}
