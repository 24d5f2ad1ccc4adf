/** What people say to what agents have handed over, and what becomes of what was merged. */
import { accept, refuse, type Outcome, type Projects } from "@atrium/core";
import { cleanText, titleOf } from "../../../platform/clean-text.ts";
import type { AnchorRemarks } from "../../../workshop/comments/anchor-remarks.ts";
import { remarkOf } from "../../../workshop/comments/remark-of.ts";
import type { DeliverProject } from "../../../workshop/landing/deliver-project.ts";
import type { ApplySuggestions } from "../../../workshop/suggestions/apply-suggestions.ts";
import { guardsOf, type CommandHandlers } from "./command-context.ts";
import { createSend, type SendDeps } from "./send-to-project.ts";

export interface VerdictDeps extends SendDeps {
  readonly projects: Pick<Projects, "get" | "ofArtifact">;
  readonly anchorRemarks: AnchorRemarks;
  readonly applySuggestions: ApplySuggestions;
  readonly deliverProject: DeliverProject;
}

type VerdictCommands = Pick<
  CommandHandlers,
  | "approve_artifact"
  | "request_changes"
  | "split_into_tasks"
  | "resolve_comment"
  | "revert_artifact"
  | "apply_suggestions"
  | "deliver_project"
>;

export function createVerdictCommands(deps: VerdictDeps): VerdictCommands {
  const send = createSend(deps);

  const ofArtifact = (artifactId: string): Outcome<string> => {
    const found = deps.projects.ofArtifact(artifactId);
    if (found === undefined) return refuse("artifact.missing", artifactId);
    return accept(found.project.projectId);
  };

  return {
    approve_artifact(data, context) {
      const { artifact_id: artifactId } = data;
      const command = { type: "approve", artifactId, by: context.by } as const;
      return send(ofArtifact(artifactId), command, data, context);
    },
    async request_changes(data, context) {
      const { artifact_id: artifactId, expected_version: version } = data;
      const remarks = (data.comments ?? []).map(remarkOf);
      const comments = await deps.anchorRemarks(artifactId, version, remarks);
      if (!comments.ok) return comments;
      const instructions = cleanText(data.instructions);
      const wish = { artifactId, instructions, comments: comments.value, by: context.by };
      return send(ofArtifact(artifactId), { type: "request-changes", ...wish }, data, context);
    },
    split_into_tasks(data, context) {
      const { artifact_id: artifactId } = data;
      const titles = data.task_titles.map((title) => titleOf(cleanText(title)));
      const command = { type: "split", artifactId, titles, by: context.by } as const;
      return send(ofArtifact(artifactId), command, data, context);
    },
    resolve_comment(data, context) {
      const { artifact_id: artifactId, comment_id: commentId } = data;
      const command = { type: "resolve-comment", artifactId, commentId, by: context.by } as const;
      return send(ofArtifact(artifactId), command, {}, context);
    },
    revert_artifact(data, context) {
      const { artifact_id: artifactId } = data;
      const command = { type: "request-revert", artifactId, by: context.by } as const;
      return send(ofArtifact(artifactId), command, {}, context);
    },
    apply_suggestions(data, { by, key }) {
      const { artifact_id: artifactId, expected_version: expectedVersion } = data;
      const comments = data.comments.map(remarkOf);
      const wish = { artifactId, expectedVersion, comments, by, guards: guardsOf(data) };
      return deps.applySuggestions(wish, key);
    },
    deliver_project(data, { by, key }) {
      const { project_id: projectId, how } = data;
      return deps.deliverProject({ projectId, how, by, guards: guardsOf(data) }, key);
    },
  };
}
