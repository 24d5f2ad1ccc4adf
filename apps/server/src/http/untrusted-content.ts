/**
 * What agents made, as it is handed to browsers. It is theirs, not ours: a browser must neither run it nor take
 * it for a page of this server, so all but plain text is a download, and all is locked up.
 */
import type { HttpRequest } from "./api.ts";
import { problem } from "./problem.ts";

export type ReadBlob = (digest: string) => Promise<Uint8Array>;

interface Content {
  readonly name: string;
  readonly mediaType: string;
  readonly digest: string;
}

/** Shown as plain text; whatever else is written in text may be run by whoever opens it. */
const SHOWN_AS_TEXT: ReadonlySet<string> = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "application/json",
]);

export async function untrustedContent(
  { incoming }: HttpRequest,
  { name, mediaType, digest }: Content,
  read: ReadBlob,
): Promise<Response> {
  const [type = ""] = mediaType.toLowerCase().split(";");
  const isText = SHOWN_AS_TEXT.has(type.trim());
  const etag = `"${digest}"`;
  const headers = {
    etag,
    // The same bytes for ever, but for those only who may ask.
    "cache-control": "private, max-age=31536000, immutable",
    "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
    "content-disposition": `${isText ? "inline" : "attachment"}; filename*=UTF-8''${encodeName(name)}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  const known = incoming.headers["if-none-match"];
  if (known?.split(",").some((tag) => tag.trim() === etag) === true) {
    return new Response(null, { status: 304, headers });
  }
  try {
    return new Response(new Uint8Array(await read(digest)), { headers });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      return problem(410, "artifact.missing", "The content of this artifact is no longer stored.");
    }
    throw cause;
  }
}

function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, percentEncoded);
}

/** What `encodeURIComponent` leaves and a header may not have. */
function percentEncoded(sign: string): string {
  return `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`;
}
