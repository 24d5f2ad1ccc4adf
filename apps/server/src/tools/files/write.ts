/** Writes a whole file of the workspace: a new one, or one that this run has read. */
import { Type } from "@atrium/schema";
import { PathRefused, readInside, writeInside } from "../../platform/folder-files.ts";
import { objection } from "../define-tool.ts";
import type { Tool } from "../toolbox.ts";
import { MAX_FILE_BYTES } from "./file-text.ts";
import type { FileViews } from "./file-views.ts";
import type { PermitEdit } from "./permit.ts";
import { defineWorkspaceTool, plainResult, type WorkspaceCall } from "./workspace-tool.ts";

export interface WriteDeps {
  readonly views: FileViews;
  readonly permitEdit: PermitEdit;
}

const MAX_CHARS = 2_000_000;

export function writeTool({ views, permitEdit }: WriteDeps): Tool {
  return defineWorkspaceTool({
    name: "write",
    description:
      "Writes a whole file, and the folders above it. A file that exists must have been read first; to change a part of it, use edit.",
    input: {
      path: Type.String({ minLength: 1, description: "From the folder you work in." }),
      content: Type.String({ maxLength: MAX_CHARS }),
    },
    waitsForPeople: true,
    async call({ path, content }, context) {
      const problem = await overwriteProblem(path, context, views);
      if (problem !== undefined) return objection(problem);
      const refused = await permitEdit(context, "write", { path, text: content });
      if (refused !== undefined) return objection(refused);
      // People may take their time, and so may whoever else works here.
      const late = await overwriteProblem(path, context, views);
      if (late !== undefined) return objection(late);
      const bytes = Buffer.from(content);
      const written = await writeInside(context.workspace.folder, path, bytes);
      views.note(context.runId, written, bytes);
      return plainResult(`Wrote ${written}, ${bytes.length} bytes.`, [written]);
    },
  });
}

async function overwriteProblem(
  path: string,
  { workspace, runId }: WorkspaceCall,
  views: FileViews,
): Promise<string | undefined> {
  try {
    const file = await readInside(workspace.folder, path, MAX_FILE_BYTES);
    const known = views.compare(runId, file.path, file.bytes);
    if (known === "same") return undefined;
    return known === "never"
      ? `${path} exists. Read it before you replace it.`
      : `${path} has changed since you read it. Read it again.`;
  } catch (cause) {
    if (cause instanceof PathRefused && cause.isAbsence) return undefined;
    throw cause;
  }
}
