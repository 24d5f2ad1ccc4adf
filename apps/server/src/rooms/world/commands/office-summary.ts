/**
 * How the office stands, in a few lines for whoever answers at the front desk: what is under way and what waits for people.
 * Never more than that: a model needs no whole world to say how a project goes. Pure.
 */
import type { Project, Projects } from "@atrium/core";
import { titleOf } from "../messages/clean-text.ts";

const MAX_PROJECTS = 8;
const MAX_TITLE_CHARS = 80;

/** Undefined when there is nothing to know. */
export function summarizeOffice(projects: Pick<Projects, "list">): string | undefined {
  const underWay = [...projects.list()].filter(
    ({ status, endedAt }) => endedAt === null || status === "failed",
  );
  if (underWay.length === 0) return undefined;
  const newest = underWay.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, MAX_PROJECTS);
  const left = underWay.length - newest.length;
  return [...newest.map(lineOf), ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
}

function lineOf({ title, status, tasks, decisions }: Project): string {
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(task.status, (counts.get(task.status) ?? 0) + 1);
  const stand = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
  const open = decisions.filter((decision) => decision.status === "open").length;
  const facts = [
    status,
    ...(tasks.length > 0 ? [`tasks: ${stand}`] : []),
    ...(open > 0 ? [`${open} waiting for an answer of a person`] : []),
  ];
  return `- ${JSON.stringify(titleOf(title.slice(0, MAX_TITLE_CHARS)))}: ${facts.join("; ")}`;
}
