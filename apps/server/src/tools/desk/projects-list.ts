import type { Project, Projects } from "@atrium/core";
import { Type } from "@atrium/schema";
import { defineTool } from "../define-tool.ts";
import { plainResult } from "../files/workspace-tool.ts";
import type { Tool } from "../toolbox.ts";
import { isFrontDeskTalk } from "./front-desk-talk.ts";
import { isUnderWay, projectLine } from "./project-facts.ts";

export interface ProjectsListDeps {
  readonly projects: Pick<Projects, "list">;
}

const PAGE = 20;

export function projectsListTool({ projects }: ProjectsListDeps): Tool {
  return defineTool({
    name: "projects_list",
    description:
      "Lists the projects, newest first, each with its status, how many tasks are done, what waits for people and the cost.",
    input: {
      only: Type.Optional(
        Type.Union([Type.Literal("under_way"), Type.Literal("ended")], {
          description: "Left out: all of them.",
        }),
      ),
      page: Type.Optional(Type.Integer({ minimum: 1, description: "Counted from 1." })),
    },
    mayQuote: true,
    isFor: isFrontDeskTalk,
    call({ only, page = 1 }) {
      const isWanted = (project: Project): boolean =>
        only === undefined || isUnderWay(project) === (only === "under_way");
      const found = [...projects.list()]
        .filter(isWanted)
        .toSorted((a, b) => b.createdAt - a.createdAt);
      if (found.length === 0) return plainResult("There are no such projects.");
      const first = (page - 1) * PAGE;
      const lines = found.slice(first, first + PAGE).map((each) => `- ${projectLine(each)}`);
      const left = found.length - first - lines.length;
      const rest = left > 0 ? [`${left} more: page ${page + 1}`] : [];
      return plainResult([...lines, ...rest].join("\n") || `There is no page ${page}.`);
    },
  });
}
