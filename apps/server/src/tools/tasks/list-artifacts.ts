/** What the tasks of the project have handed over so far. */
import { isWorkKey, type CrewMember } from "@atrium/core";
import { Type } from "@atrium/schema";
import { cutLongText } from "../../platform/long-text.ts";
import { defineTool, objection } from "../define-tool.ts";
import { plainResult } from "../files/workspace-tool.ts";
import type { Tool } from "../toolbox.ts";
import { artifactLine } from "./describe-artifact.ts";
import { findTask, NO_PROJECT, unknownTask } from "./find-task.ts";
import { projectOfTalk, type ProjectFinder } from "./project-of-talk.ts";

export interface ListArtifactsDeps {
  readonly projects: ProjectFinder;
  readonly crew: readonly CrewMember[];
}

export function listArtifactsTool({ projects, crew }: ListArtifactsDeps): Tool {
  return defineTool({
    name: "list_artifacts",
    description:
      "Lists what the tasks of the project you work on have handed over: changes and documents with their versions, and how each stands.",
    input: {
      task: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Only of this task: its id or number.",
        }),
      ),
    },
    isFor: isWorkKey,
    call({ task: wanted }, { key }) {
      const project = projectOfTalk(projects, key);
      if (project === undefined) return objection(NO_PROJECT);
      const task = wanted === undefined ? undefined : findTask(project, wanted);
      if (wanted !== undefined && task === undefined) return objection(unknownTask(project));
      const shown = project.artifacts.filter(
        ({ taskId, status }) =>
          status !== "withdrawn" && (task === undefined || taskId === task.taskId),
      );
      if (shown.length === 0) return plainResult("Nothing has been handed over yet.");
      const lines = shown.map((artifact) => artifactLine(artifact, project, crew));
      return plainResult(cutLongText(lines.join("\n")));
    },
  });
}
