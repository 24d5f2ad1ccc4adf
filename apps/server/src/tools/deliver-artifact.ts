/** Hands over something that was made: a document, code, a picture as text. */
import { conversation, type Dispatch, type Ids } from "@atrium/core";
import { Type } from "@atrium/schema";
import type { Blobs } from "../platform/blobs.ts";
import { isGitName } from "../platform/folder-files.ts";
import { defineTool, objection, outsideTurn, refusedResult, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface DeliverDeps {
  readonly blobs: Pick<Blobs, "put">;
  readonly dispatch: Dispatch;
  readonly ids: Ids;
}

const MAX_CHARS = 2_000_000;

export function deliverArtifactTool({ blobs, dispatch, ids }: DeliverDeps): Tool {
  return defineTool({
    name: "deliver_artifact",
    description:
      "Delivers a file that you have made (a document, code, data), so that people can read and keep it. Where you work in a folder it becomes a file of your change, at that name.",
    input: {
      name: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: "^[^\\\\\\u0000-\\u001f]+$",
        description: "May have folders: docs/plan.md",
      }),
      content: Type.String({ maxLength: MAX_CHARS }),
      mediaType: Type.Optional(Type.String({ pattern: "^[a-z]+/[a-zA-Z0-9.+-]+$" })),
    },
    async call({ name, content, mediaType = "text/markdown" }, { key, runId }) {
      const problem = nameProblem(name);
      if (problem !== undefined) return objection(`${problem} Nothing was delivered.`);
      if (runId === null) return outsideTurn("deliver_artifact");
      const bytes = Buffer.from(content);
      const digest = await blobs.put(bytes);
      const artifact = { name, mediaType, bytes: bytes.length, digest };
      const artifactId = ids.next();
      const deliver = { type: "deliver", runId, artifactId, artifact } as const;
      const done = await dispatch(conversation, key, deliver);
      return done.ok ? textResult({ delivered: true, artifactId }) : refusedResult(done);
    },
  });
}

/** A name is a path in whatever folder it is put into, so it must not lead out of there. */
function nameProblem(name: string): string | undefined {
  const parts = name.split("/");
  if (parts.some((part) => part.trim() === "" || part === "." || part === "..")) {
    return `The name ${JSON.stringify(name)} is not a plain path such as docs/plan.md.`;
  }
  return parts.some(isGitName)
    ? `The name ${JSON.stringify(name)} is in git's own data; choose another folder.`
    : undefined;
}
