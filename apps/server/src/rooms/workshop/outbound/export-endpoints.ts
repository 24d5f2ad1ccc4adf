/** What was merged in a project, as a file: made when it is fetched, and gone afterwards. */
import { ownRepositoryId, refuse, type Project } from "@atrium/core";
import type { Endpoint } from "../../../http/api.ts";
import { downloadOf } from "../../../http/exported-file.ts";
import { isKnown } from "../../../http/untrusted-content.ts";
import { slugOf } from "../../../workshop/changes/keep-change.ts";
import type { ExportRequest } from "../../../workspaces/port/delivery.ts";
import type { Workspaces } from "../../../workspaces/port/workspaces.ts";
import { answering } from "./file-answers.ts";

export interface ExportEndpointDeps {
  readonly findProject: (projectId: string) => Project | undefined;
  readonly use: () => Promise<Workspaces>;
}

export type ExportEndpoints = Readonly<Record<ExportRequest["how"], Endpoint>>;

export function createExportEndpoints({ findProject, use }: ExportEndpointDeps): ExportEndpoints {
  const exportAs = (how: ExportRequest["how"]): Endpoint =>
    answering(async (request) => {
      const { id = "" } = request.path;
      const found = findProject(id);
      if (found === undefined) return refuse("project.missing", id.slice(0, 200));
      const { projectId, title, repository } = found;
      if (found.line === null) return refuse("project.unmerged", projectId);
      const etag = `"${how}-${found.line}"`;
      const headers = { etag, "cache-control": "private, no-cache" };
      if (isKnown(request, etag)) return new Response(null, { status: 304, headers });
      if (request.incoming.method === "HEAD") return new Response(null, { headers });
      const name = slugOf(title, projectId);
      const repositoryId = repository ?? ownRepositoryId(projectId);
      const file = await (await use()).exportLine(repositoryId, projectId, { how, name });
      if (!file.ok) return file;
      const response = downloadOf(file.value, `${name}.${how}`);
      response.headers.set("etag", `"${how}-${file.value.commit}"`);
      response.headers.set("cache-control", headers["cache-control"]);
      return response;
    });
  return { patch: exportAs("patch"), bundle: exportAs("bundle"), zip: exportAs("zip") };
}
