/** Where files are seen as a site: of a moment, or what a project has merged. The address is made by asking for it. */
import type { Outcome } from "@atrium/core";
import { own } from "@atrium/wire";
import type { Endpoint, HttpRequest } from "../../../http/api.ts";
import type { OpenPreview } from "../../../previews/open-preview.ts";
import type { FindHandover } from "../../../workshop/find-handover.ts";
import { answering } from "./file-answers.ts";
import { findAtIn, viewMoment, type FindAt } from "./moment-endpoints.ts";

export interface PreviewEndpointDeps {
  readonly openPreview: OpenPreview;
  readonly findHandover: Pick<FindHandover, "ofProject">;
}

interface Shown {
  readonly repositoryId: string;
  readonly tree: string;
  /** As it is told. */
  readonly view: object;
}

export function createPreviewEndpoint(deps: PreviewEndpointDeps, findAt: FindAt): Endpoint {
  return previewOf(deps, (request) => shownAt(request, findAt));
}

/** Unless a task or a position is named: what has been merged, or else what was worked on last. */
export function createProjectPreview(deps: PreviewEndpointDeps, findAt: FindAt): Endpoint {
  return previewOf(deps, async (request) => {
    const { query, path } = request;
    if (own(query, "task") === undefined && own(query, "seq") === undefined) {
      const merged = await deps.findHandover.ofProject(path["id"] ?? "");
      if (merged.ok) {
        const { repositoryId, commit, tree } = merged.value;
        return { ok: true, value: { repositoryId, tree, view: { commit, tree } } };
      }
    }
    return shownAt(request, findAt);
  });
}

async function shownAt(request: HttpRequest, findAt: FindAt): Promise<Outcome<Shown>> {
  const found = await findAtIn(request, findAt, "seq");
  if (!found.ok) return found;
  const { workspace, tree } = found.value;
  const { repositoryId } = workspace;
  return { ok: true, value: { repositoryId, tree, view: viewMoment(found.value) } };
}

function previewOf(
  { openPreview }: PreviewEndpointDeps,
  find: (request: HttpRequest) => Promise<Outcome<Shown>>,
): Endpoint {
  return answering(async (request) => {
    const shown = await find(request);
    if (!shown.ok) return shown;
    const { repositoryId, tree, view } = shown.value;
    const { host = "" } = request.incoming.headers;
    const url = await openPreview({ repositoryId, tree, host });
    if (!url.ok) return url;
    return Response.json({ ...view, url: url.value }, { headers: { "cache-control": "no-store" } });
  });
}
