/**
 * A folder of static files at the root of the port: the web client, or any other.
 *
 * Reading only, and only what lies in the folder: no way up, no hidden files, no link that leads out. A
 * path that names no file is a place inside the client, so a browser that goes there gets the page.
 */
import { createReadStream } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { Readable } from "node:stream";
import { getMimeType } from "hono/utils/mime";
import { pagePolicy, type Styles } from "./page-policy.ts";

/** The answer to a GET or HEAD, or undefined when there is nothing of that name. */
export type StaticFiles = (request: Request) => Promise<Response | undefined>;

interface Found {
  readonly file: string;
  readonly type: string;
  readonly isPage: boolean;
}

interface Packed {
  readonly file: string;
  readonly encoding?: string;
}

/** Bundlers put a hash in the name of what never changes. */
const HASHED = /[.-][\w-]{8,}\.\w+$/;
const FOREVER = "public, max-age=31536000, immutable";
/** Best first, with the ending of a file packed that way. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
const SAFETY = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
} as const;

/** Clients of others set styles as they go, and a style runs nothing; ours keeps them in files. */
export function createStaticFiles(folder: string, styles: Styles = "anywhere"): StaticFiles {
  return async (request) => {
    const root = await realpath(folder);
    const found = await find(root, request);
    return found === undefined ? undefined : answer(root, styles, found, request);
  };
}

async function find(root: string, { url, headers }: Request): Promise<Found | undefined> {
  const path = readPath(url);
  if (path === undefined) return undefined;
  const named = path.endsWith("/") ? `${path}index.html` : path;
  const file = await fileIn(root, named);
  if (file !== undefined) return foundAs(file, named);
  // A missing script must not be answered with a page; a missing place is the page's business.
  const isPlace = extname(path) === "" && headers.get("accept")?.includes("text/html") === true;
  const page = isPlace ? await fileIn(root, "index.html") : undefined;
  return page === undefined ? undefined : foundAs(page, "index.html");
}

function foundAs(file: string, name: string): Found {
  const type = getMimeType(name) ?? "application/octet-stream";
  return { file, type, isPage: extname(name) === ".html" };
}

/** The path a URL names, or undefined when no file of ours can be meant. */
function readPath(url: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
  const isOdd = path.includes("\\") || path.includes("\0");
  const isHidden = path.split("/").some((name) => name.startsWith("."));
  return isOdd || isHidden ? undefined : path;
}

/** The file itself, wherever links lead, as long as that is inside the folder. */
async function fileIn(root: string, name: string): Promise<string | undefined> {
  try {
    const file = await realpath(join(root, name));
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}

async function answer(
  root: string,
  styles: Styles,
  found: Found,
  request: Request,
): Promise<Response> {
  const { isPage, type } = found;
  const { file, encoding }: Packed = isPage ? found : await packed(root, found.file, request);
  const { size, mtimeMs } = await stat(file);
  const etag = `W/"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
  const page = isPage ? await readFile(file, "utf8") : undefined;
  const headers = {
    ...SAFETY,
    etag,
    vary: "accept-encoding",
    "content-type": type,
    "cache-control": !isPage && HASHED.test(found.file) ? FOREVER : "no-cache",
    ...(page !== undefined && { "content-security-policy": pagePolicy(page, styles) }),
    ...(encoding !== undefined && { "content-encoding": encoding }),
  };
  if (request.headers.get("if-none-match")?.includes(etag) === true) {
    return new Response(null, { status: 304, headers });
  }
  const sized = { ...headers, "content-length": String(size) };
  if (request.method === "HEAD") return new Response(null, { headers: sized });
  return new Response(page ?? streamOf(file), { headers: sized });
}

/** The same file packed in a way the browser takes, if it lies beside it. */
async function packed(root: string, file: string, { headers }: Request): Promise<Packed> {
  const taken = (headers.get("accept-encoding") ?? "").split(",").map((name) => name.trim());
  for (const [encoding, ending] of ENCODINGS) {
    if (!taken.includes(encoding)) continue;
    const smaller = await fileIn(root, `${file.slice(root.length)}${ending}`);
    if (smaller !== undefined) return { file: smaller, encoding };
  }
  return { file };
}

function streamOf(file: string): ReadableStream {
  return Readable.toWeb(createReadStream(file)) as ReadableStream;
}
