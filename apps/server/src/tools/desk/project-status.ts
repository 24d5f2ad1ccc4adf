/** How one project stands: its tasks, who works on them, what was made and what waits for people. */
import { isWorkKey, type CrewMember, type Project, type Projects } from "@atrium/core";
import { Type } from "@atrium/schema";
import { cutLongText } from "../../platform/long-text.ts";
import { defineTool, objection } from "../define-tool.ts";
import { plainResult } from "../files/workspace-tool.ts";
import { projectOfTalk } from "../tasks/project-of-talk.ts";
import type { Tool } from "../toolbox.ts";
import { findProject } from "./find-project.ts";
import { isFrontDeskTalk } from "./front-desk-talk.ts";
import { describeProject } from "./project-facts.ts";

export interface ProjectStatusDeps {
  readonly projects: Pick<Projects, "get" | "list" | "ofTask">;
  readonly crew: readonly CrewMember[];
}

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
    isFor: (key) => isFrontDeskTalk(key) || isWorkKey(key),
    call({ project: wanted }, { key }) {
      const own = projectOfTalk(projects, key);
      // Whoever works on a project is told of that one alone.
      const known = isWorkKey(key) ? justThis(own) : projects;
      const found =
        wanted === undefined && own !== undefined ? { project: own } : findProject(known, wanted);
      if ("problem" in found) return objection(found.problem);
      return plainResult(cutLongText(describeProject(found.project, crew)));
    },
  });
}

function justThis(own: Project | undefined): Pick<Projects, "get" | "list"> {
  return {
    get: (id) => (id === own?.projectId ? own : undefined),
    list: () => (own === undefined ? [] : [own]),
  };
}
