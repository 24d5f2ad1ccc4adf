/** What is read of one build besides its state: the content of its files, and the permissions its agent asks for. */
import { refuse, type Approvals, type BuildRow } from "@atrium/core";
import type { ReadBuildFiles } from "../../../builds/read-build-files.ts";
import type { ReadBuilds } from "../../../builds/read-builds.ts";
import type { Endpoint, HttpRequest } from "../../../http/api.ts";
import { refusal } from "../../../http/problem.ts";
import { untrustedContent, type ReadBlob } from "../../../http/untrusted-content.ts";
import { wholePermission } from "../../../human-input/permission-on-wire.ts";

export interface BuildEndpointDeps {
  readonly read: Pick<ReadBuilds, "find">;
  readonly readFiles: ReadBuildFiles;
  readonly readBlob: ReadBlob;
  readonly approvals: Pick<Approvals, "get">;
}

export function createBuildEndpoints(
  deps: BuildEndpointDeps,
): Record<"file" | "permission", Endpoint> {
  const { read, readFiles, readBlob, approvals } = deps;

  const ofBuild =
    (respond: (row: BuildRow, request: HttpRequest) => Promise<Response> | Response): Endpoint =>
    async (request) => {
      const { id = "" } = request.path;
      const row = await read.find(id);
      return row === undefined ? refusal(refuse("build.missing", id)) : respond(row, request);
    };

  return {
    file: ofBuild(async (row, request) => {
      const { file = "" } = request.path;
      const found = (await readFiles(row)).find(({ fileId }) => fileId === file);
      if (found === undefined) return refusal(refuse("artifact.missing", file));
      return untrustedContent(request, found, readBlob);
    }),
    permission: ofBuild(({ build }, { path: { permission = "" } }) => {
      const subject = approvals.get(permission)?.subject;
      if (subject?.conversationKey !== build.conversationKey) {
        return refusal(refuse("approval.missing", permission));
      }
      return Response.json(wholePermission(subject));
    }),
  };
}
