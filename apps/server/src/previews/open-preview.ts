/** The address at which the files of a tree are seen as the site they are. */
import { accept, refuse, type Outcome } from "@atrium/core";
import { hostName } from "../access/host-policy.ts";
import { isLocalName } from "../access/request-origin.ts";
import type { Workspaces } from "../workspaces/port/workspaces.ts";
import type { PreviewSites } from "./preview-sites.ts";

export interface OpenPreviewDeps {
  readonly sites: Pick<PreviewSites, "nameOf">;
  readonly use: () => Promise<Pick<Workspaces, "readFile">>;
  /** Undefined: there are none. */
  readonly port: () => number | undefined;
}

export interface PreviewRequest {
  readonly repositoryId: string;
  readonly tree: string;
  /** As whoever asks calls this server: the Host header of a request. */
  readonly host: string;
}

export type OpenPreview = (request: PreviewRequest) => Promise<Outcome<string>>;

/** Where generators put what is to be seen; the first with a page is shown. */
const FOLDERS = ["", "dist", "build", "public", "out", "site", "www", "_site", "docs"];

export function createOpenPreview({ sites, use, port }: OpenPreviewDeps): OpenPreview {
  return async ({ repositoryId, tree, host }) => {
    const open = port();
    if (open === undefined) return refuse("preview.off");
    const spaces = await use();
    for (const folder of FOLDERS) {
      const path = folder === "" ? "index.html" : `${folder}/index.html`;
      const page = await spaces.readFile(repositoryId, tree, path, 0);
      if (!page.ok && page.code !== "file.missing") return page;
      if (!page.ok || page.value.type === "link") continue;
      return accept(addressOf(sites.nameOf({ repositoryId, tree, folder }), host, open));
    }
    return refuse("preview.missing");
  };
}

/** On this machine every site has a host name of its own; elsewhere only the names that lead here are known. */
function addressOf(name: string, host: string, port: number): string {
  const called = hostName(host) ?? "localhost";
  if (isLocalName(called)) return `http://${name}.localhost:${port}/`;
  return `http://${called.includes(":") ? `[${called}]` : called}:${port}/${name}/`;
}
