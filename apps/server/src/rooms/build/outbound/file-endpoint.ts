/** `GET /api/builds/:id/files/:file`: the content of something that was delivered in a build. */
import { refuse } from "@atrium/core";
import type { ReadBuildFiles } from "../../../builds/read-build-files.ts";
import type { ReadBuilds } from "../../../builds/read-builds.ts";
import type { Endpoint } from "../../../http/api.ts";
import { refusal } from "../../../http/problem.ts";
import { untrustedContent, type ReadBlob } from "../../../http/untrusted-content.ts";

export interface FileEndpointDeps {
  readonly read: Pick<ReadBuilds, "find">;
  readonly readFiles: ReadBuildFiles;
  readonly readBlob: ReadBlob;
}

export function createFileEndpoint({ read, readFiles, readBlob }: FileEndpointDeps): Endpoint {
  return async (asked) => {
    const { id = "", file = "" } = asked.path;
    const row = await read.find(id);
    if (row === undefined) return refusal(refuse("build.missing", id));
    const found = (await readFiles(row)).find(({ fileId }) => fileId === file);
    if (found === undefined) return refusal(refuse("artifact.missing", file));
    return untrustedContent(asked, found, readBlob);
  };
}
