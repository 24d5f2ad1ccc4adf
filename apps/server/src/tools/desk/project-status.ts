/** How one project stands: its tasks, who works on them, what was made and what waits for people. */
import type { CrewMember, Project, Projects } from "@atrium/core";
import { Type } from "@atrium/schema";
import { cutLongText } from "../../platform/long-text.ts";
import { defineTool, objection } from "../define-tool.ts";
import { plainResult } from "../files/workspace-tool.ts";
import type { Tool } from "../toolbox.ts";
import { isFrontDeskTalk } from "./front-desk-talk.ts";
import { describeProject, isUnderWay, projectLine } from "./project-facts.ts";

export interface ProjectStatusDeps {
  readonly projects: Pick<Projects, "get" | "list" | "ofRun">;
  readonly crew: readonly CrewMember[];
}

const MAX_SUGGESTED = 10;

export function projectStatusTool({ projects, crew }: ProjectStatusDeps): Tool {
  return defineTool({
    name: "project_status",
    description:
      "Shows how a project stands: every task with its status, who works on it and what it made, and what waits for people.",
    input: {
      project: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            "Its id, or words of its title. Left out: the one you work on, or the only one under way.",
        }),
      ),
    },
    mayQuote: true,
    isFor: isFrontDeskTalk,
    call({ project: wanted }, { runId }) {
      const own = runId === null ? undefined : projects.ofRun(runId)?.project;
      const found = wanted === undefined && own !== undefined ? [own] : find(projects, wanted);
      const [only, ...others] = found;
      if (only === undefined) return objection(noneFound(projects));
      if (others.length > 0) return objection(`Which one?\n${listOf(found)}`);
      return plainResult(cutLongText(describeProject(only, crew)));
    },
  });
}

/** By id, else by what the title has in it, else those under way. */
export function find(
  projects: Pick<Projects, "get" | "list">,
  wanted: string | undefined,
): readonly Project[] {
  const all = [...projects.list()];
  if (wanted === undefined) return all.filter(isUnderWay);
  const known = projects.get(wanted.trim());
  if (known !== undefined) return [known];
  const words = wanted.trim().toLowerCase();
  const titled = all.filter(({ title }) => title.toLowerCase().includes(words));
  const exact = titled.filter(({ title }) => title.toLowerCase() === words);
  return exact.length > 0 ? exact : titled;
}

function noneFound(projects: Pick<Projects, "list">): string {
  const all = [...projects.list()];
  if (all.length === 0) return "There are no projects.";
  return `There is no such project. The latest:\n${listOf(all.slice(-MAX_SUGGESTED))}`;
}

function listOf(projects: readonly Project[]): string {
  const lines = projects.slice(0, MAX_SUGGESTED).map((each) => `- ${projectLine(each)}`);
  const left = projects.length - lines.length;
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
}
