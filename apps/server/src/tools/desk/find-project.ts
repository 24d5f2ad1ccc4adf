/** Which project is meant by an id, by words of a title, or by saying nothing. */
import type { Project, Projects } from "@atrium/core";
import { isUnderWay, projectLine } from "./project-facts.ts";

const MAX_SUGGESTED = 10;

export function findProject(
  projects: Pick<Projects, "get" | "list">,
  wanted: string | undefined,
): { readonly project: Project } | { readonly problem: string } {
  const all = [...projects.list()];
  const found = matches(all, projects, wanted);
  const [project, ...others] = found;
  if (project === undefined) return { problem: noneFound(all) };
  return others.length > 0 ? { problem: `Which one?\n${listOf(found)}` } : { project };
}

/** By id, else by what the title has in it, else those under way. */
function matches(
  all: readonly Project[],
  projects: Pick<Projects, "get">,
  wanted: string | undefined,
): readonly Project[] {
  if (wanted === undefined) return all.filter(isUnderWay);
  const known = projects.get(wanted.trim());
  if (known !== undefined) return [known];
  const words = wanted.trim().toLowerCase();
  const titled = all.filter(({ title }) => title.toLowerCase().includes(words));
  const exact = titled.filter(({ title }) => title.toLowerCase() === words);
  return exact.length > 0 ? exact : titled;
}

function noneFound(all: readonly Project[]): string {
  if (all.length === 0) return "There are no projects.";
  return `There is no such project. The latest:\n${listOf(all.slice(-MAX_SUGGESTED))}`;
}

function listOf(projects: readonly Project[]): string {
  const lines = projects.slice(0, MAX_SUGGESTED).map((each) => `- ${projectLine(each)}`);
  const left = projects.length - lines.length;
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
}
