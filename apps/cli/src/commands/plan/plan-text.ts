/** A plan in a terminal: a number for each task, what it waits for, and what a good result is. */
import type { Snapshot } from "@atrium/client";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine, plainText } from "../../terminal/plain-text.ts";

export type PlannedTask = Snapshot["tasks"][number];

const NAME_LENGTH = 120;
const name = (text: string): string => plainLine(text, NAME_LENGTH);

/** In the order of the plan. */
export function tasksOf(snapshot: Snapshot, projectId: string): readonly PlannedTask[] {
  return snapshot.tasks.filter(({ project_id: of }) => of === projectId);
}

export function planText(
  tasks: readonly PlannedTask[],
  { agents }: Pick<Snapshot, "agents">,
  paint: Paint,
): string {
  if (tasks.length === 0) return "There is no plan yet.\n";
  const numbers = new Map(tasks.map(({ task_id: id }, index) => [id, index + 1]));
  const names = new Map(agents.map((agent) => [agent.agent_id, agent.name]));
  const list = (ids: readonly string[]): string =>
    ids.map((id) => numbers.get(id) ?? id).join(", ");
  return tasks
    .map((task, index) => {
      const { title, status, assignee, role, kind, after = [], waiting_for: open = [] } = task;
      const facts = [
        status,
        assignee === undefined ? (role ?? "") : (names.get(assignee) ?? assignee),
        kind === "document" ? kind : "",
        after.length === 0 ? "" : `after ${list(after)}`,
        open.length === 0 ? "" : `waits for ${list(open)}`,
        task.is_checking === true ? "is being checked" : "",
      ];
      const line = name(facts.filter((fact) => fact !== "").join(", "));
      const head = `${paint.link(`${index + 1}`.padStart(3))}  ${paint.strong(name(title))}  ${paint.quiet(line)}\n`;
      return head + details(task, paint);
    })
    .join("");
}

function details({ description, accept = [], verify = [] }: PlannedTask, paint: Paint): string {
  const lines = [
    ...(description === undefined ? [] : plainText(description).trim().split("\n")),
    ...accept.map((sentence) => `✓ ${name(sentence)}`),
    ...verify.map((command) => `$ ${name(command)}`),
  ];
  return lines.map((line) => `${paint.quiet(`     ${line}`)}\n`).join("");
}
