/** What has changed in the workspace since the work began: an overview, or the patch of one file. */
import { describeRefusal, workspaceIdOfKey } from "@atrium/core";
import { Type } from "@atrium/schema";
import { cutLongText } from "../../platform/long-text.ts";
import type { TreeMoment, Workspaces } from "../../workspaces/port/workspaces.ts";
import { objection } from "../define-tool.ts";
import { defineWorkspaceTool, plainResult } from "../files/workspace-tool.ts";
import type { Tool } from "../toolbox.ts";
import { describeFiles } from "./describe-files.ts";

type ChangeReader = Pick<
  Workspaces,
  "findWorktree" | "recordMoment" | "compareTrees" | "readPatch"
>;

export interface ChangesDeps {
  readonly useWorkspaces: () => Promise<ChangeReader>;
  readonly now: () => number;
}

export function changesTool({ useWorkspaces, now }: ChangesDeps): Tool {
  return defineWorkspaceTool({
    name: "changes",
    description:
      "Shows what has changed since the work on this task began, by anybody: every file with its counts of lines, or with `path` the patch of one file.",
    input: {
      path: Type.Optional(
        Type.String({ minLength: 1, description: "From the folder you work in." }),
      ),
    },
    async call({ path }, { key, runId }) {
      const workspaceId = workspaceIdOfKey(key);
      if (workspaceId === undefined) return objection("No work is recorded in this conversation.");
      const workspaces = await useWorkspaces();
      const worktree = await workspaces.findWorktree(workspaceId);
      if (!worktree.ok) return objection(describeRefusal(worktree));
      const request = { label: `${runId} changes`, at: now() };
      const moment = await workspaces.recordMoment(workspaceId, request);
      if (!moment.ok) return objection(describeRefusal(moment));
      const { repositoryId, tree: from } = worktree.value;
      const { tree: to } = moment.value;
      if (path === undefined) {
        const compared = await workspaces.compareTrees(repositoryId, from, to);
        if (!compared.ok) return objection(describeRefusal(compared));
        return plainResult(`${describeFiles(compared.value)}${omissions(moment.value)}`);
      }
      const patch = await workspaces.readPatch(repositoryId, { from, to, path: plain(path) });
      if (!patch.ok && patch.code === "file.missing") {
        return plainResult(`${path} has not changed. Call changes without a path to see what has.`);
      }
      if (!patch.ok) return objection(describeRefusal(patch));
      return plainResult(
        patch.value.type === "patch"
          ? cutLongText(patch.value.text)
          : `The patch of ${path} is too large to be shown. Read the file.`,
      );
    },
  });
}

/** As git writes it. */
function plain(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

const MAX_OMITTED = 20;
const WHY = {
  secret: "looks like a secret",
  large: "is too large",
  nested: "is a repository of its own",
  unreadable: "cannot be read",
  name: "has a name that no tree can have",
} as const;

function omissions({ omitted }: TreeMoment): string {
  const lines = omitted
    .slice(0, MAX_OMITTED)
    .map(({ path, why }) => `\n${path} ${WHY[why]} and is not handed over.`);
  const rest = omitted.length - lines.length;
  return `${lines.join("")}${rest > 0 ? `\n… and ${rest} more that are not.` : ""}`;
}
