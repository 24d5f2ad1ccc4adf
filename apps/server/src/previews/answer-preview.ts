/**
 * Answers for previews: a file of a git tree, or why there is none.
 *
 *   Host -> verb -> site (by host name or first folder) -> path -> file
 *      \      \        \                              \         \
 *       `------`--------`------------------------------`---------`-> a line of text
 *
 * Nobody signs in here: whoever knows the address may look. Cookies are neither read nor set, nothing is
 * written, and the only names that are followed are those in the tree: no link, no way up, no hidden file.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Fault } from "@atrium/core";
import { getMimeType } from "hono/utils/mime";
import { checkHostAndOrigin, hostName, type HostPolicy } from "../access/host-policy.ts";
import type { Workspaces } from "../workspaces/port/workspaces.ts";
import { previewHeaders, type PreviewPlace } from "./preview-policy.ts";
import type { PreviewSite, PreviewSites } from "./preview-sites.ts";

export interface AnswerPreviewDeps {
  readonly sites: Pick<PreviewSites, "find">;
  readonly use: () => Promise<Pick<Workspaces, "readFile">>;
  readonly allowedHosts: HostPolicy["allowedHosts"];
  readonly report: (fault: Fault) => void;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

interface Wanted {
  readonly place: PreviewPlace;
  readonly site: PreviewSite;
  /** In the site, still encoded, with its first slash. */
  readonly path: string;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_PATH_CHARACTERS = 4_096;
const SITE_HOST = /^([0-9a-f]{32})\.localhost$/;
const SITE_PATH = /^\/([0-9a-f]{32})(\/.*)?$/;
const INDEX = "index.html";
const NO_SITE =
  "There is no preview at this address. Open it again from its build or project: addresses end with the server.";

export function createAnswerPreview(
  deps: AnswerPreviewDeps,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    let answer: Answer;
    try {
      answer = await answerTo(request, deps);
    } catch (cause) {
      deps.report(new Fault("a preview threw", {}, cause));
      answer = says(500, "This preview could not be read. The server has logged why.");
    }
    const { status, headers, body } = answer;
    const length = { "content-length": String(Buffer.byteLength(body)) };
    response.writeHead(status, { ...headers, ...(status !== 304 && length) });
    response.end(request.method === "HEAD" || status === 304 ? undefined : body);
  };
}

async function answerTo(request: IncomingMessage, deps: AnswerPreviewDeps): Promise<Answer> {
  const { allowedHosts, sites } = deps;
  // A site without an origin of its own says so.
  const objection = checkHostAndOrigin(request, { allowedHosts, allowedOrigins: ["null"] });
  if (objection !== undefined) return says(objection.status, objection.reason);
  const { method = "", url = "" } = request;
  if (method !== "GET" && method !== "HEAD") {
    return says(405, "A preview can only be read.", { allow: "GET, HEAD", connection: "close" });
  }
  if (url.length > MAX_PATH_CHARACTERS) return says(414, "The address is too long.");
  const wanted = siteOf(request, sites);
  if (wanted === undefined) return says(404, NO_SITE);
  return readSite(request, wanted, deps);
}

function siteOf(
  { headers: { host = "" }, url = "" }: IncomingMessage,
  sites: Pick<PreviewSites, "find">,
): Wanted | undefined {
  const [path = ""] = url.split("?", 1);
  const [, own] = SITE_HOST.exec(hostName(host) ?? "") ?? [];
  if (own !== undefined) {
    const site = sites.find(own);
    return site && { place: "own", site, path };
  }
  const [, name = "", rest = ""] = SITE_PATH.exec(path) ?? [];
  const site = sites.find(name);
  return site && { place: "shared", site, path: rest };
}

async function readSite(
  request: IncomingMessage,
  { place, site: { repositoryId, tree, folder }, path }: Wanted,
  { use }: AnswerPreviewDeps,
): Promise<Answer> {
  const headers = { ...previewHeaders(place), "cache-control": "private, no-cache" };
  const name = readPath(path);
  const missing = says(404, "This preview has no such file.", headers);
  // The site itself, without the slash at its end.
  if (path === "") return movedTo(request, headers);
  if (name === undefined) return missing;
  const spaces = await use();
  const read = (file: string, maxBytes: number) =>
    spaces.readFile(repositoryId, tree, folder === "" ? file : `${folder}/${file}`, maxBytes);
  const file = name === "" || name.endsWith("/") ? `${name}${INDEX}` : name;
  const found = await read(file, MAX_FILE_BYTES);
  if (!found.ok) {
    const isFolder = file === name && (await read(`${name}/${INDEX}`, 0)).ok;
    return isFolder ? movedTo(request, headers) : missing;
  }
  const { type, id, bytes, content } = found.value;
  if (type === "link") return missing;
  if (content === null) return says(413, `The file has ${bytes} bytes, ${MAX_FILE_BYTES} at most.`);
  const etag = `"${id}"`;
  const known = request.headers["if-none-match"]?.split(",").some((tag) => tag.trim() === etag);
  const mediaType = getMimeType(file) ?? "application/octet-stream";
  const whole = { ...headers, etag, "content-type": mediaType };
  return known === true
    ? { status: 304, headers: whole, body: "" }
    : { status: 200, headers: whole, body: content };
}

/** A path that a tree can have, without its first slash, or undefined. */
function readPath(path: string): string | undefined {
  if (!path.startsWith("/")) return undefined;
  let plain: string;
  try {
    plain = decodeURIComponent(path.slice(1));
  } catch {
    return undefined;
  }
  if (plain.includes("\\") || plain.includes("\0")) return undefined;
  const names = plain.split("/");
  // Only the last may be empty: that is the folder itself.
  const isOdd = names.some((name, at) =>
    name === "" ? at < names.length - 1 : name.startsWith("."),
  );
  return isOdd ? undefined : plain;
}

/** To the same with a slash: what is linked from there is relative to the folder. */
function movedTo({ url = "" }: IncomingMessage, headers: Answer["headers"]): Answer {
  const [path = ""] = url.split("?", 1);
  const location = `${path.slice(path.lastIndexOf("/") + 1)}/`;
  return says(308, "It is a folder.", { ...headers, location: `./${location}` });
}

function says(status: number, text: string, headers: Answer["headers"] = {}): Answer {
  const body = `${text}\n`;
  const locked = "default-src 'none'; sandbox; frame-ancestors 'none'";
  return {
    status,
    headers: {
      "content-security-policy": locked,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      ...headers,
      "content-type": "text/plain; charset=utf-8",
    },
    body,
  };
}
