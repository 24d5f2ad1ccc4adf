/** Where the files of a moment are seen as a site: the address is made by asking for it. */
import type { Endpoint } from "../../../http/api.ts";
import type { OpenPreview } from "../../../previews/open-preview.ts";
import { answering } from "./file-answers.ts";
import { findAtIn, viewMoment, type FindAt } from "./moment-endpoints.ts";

export function createPreviewEndpoint(
  { openPreview }: { readonly openPreview: OpenPreview },
  findAt: FindAt,
): Endpoint {
  return answering(async (request) => {
    const found = await findAtIn(request, findAt, "seq");
    if (!found.ok) return found;
    const { workspace, tree } = found.value;
    const { host = "" } = request.incoming.headers;
    const url = await openPreview({ repositoryId: workspace.repositoryId, tree, host });
    if (!url.ok) return url;
    const headers = { "cache-control": "no-store" };
    return Response.json({ ...viewMoment(found.value), url: url.value }, { headers });
  });
}
