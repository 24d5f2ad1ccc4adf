/**
 * What agents made, as it is handed to browsers. It is theirs, not ours: a browser must neither run it nor take
 * it for a page of this server, so all but plain text is a download, and all is locked up.
 */
import type { HttpRequest } from "./api.ts";
import { problem } from "./problem.ts";

export type ReadBlob = (digest: string) => Promise<Uint8Array>;

interface Content {
  readonly name: string;
  /** Left out: plain text, unless its bytes say otherwise. */
  readonly mediaType?: string;
  readonly digest: string;
}

const LOCKED_UP = {
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};
const PLAIN = "text/plain; charset=utf-8";
/** Git's way to tell: text has no zero bytes near its beginning. */
const SNIFFED_BYTES = 8_000;

/** What may be another text the next time. */
export function untrustedText(text: string): Response {
  const headers = { ...LOCKED_UP, "content-type": PLAIN, "cache-control": "no-store" };
  return new Response(text, { headers });
}

/** Shown as plain text; whatever else is written in text may be run by whoever opens it. */
const SHOWN_AS_TEXT: ReadonlySet<string> = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "application/json",
]);

export async function untrustedContent(
  asked: HttpRequest,
  { name, mediaType, digest }: Content,
  read: ReadBlob,
): Promise<Response> {
  const etag = `"${digest}"`;
  // The same bytes for ever, but for those only who may ask.
  const kept = { etag, "cache-control": "private, max-age=31536000, immutable", ...LOCKED_UP };
  if (isKnown(asked, etag)) return new Response(null, { status: 304, headers: kept });
  try {
    const bytes = await read(digest);
    const isText = mediaType === undefined ? !isBinary(bytes) : isShownAsText(mediaType);
    const headers = { ...kept, ...untrustedHeaders(name, isText) };
    return new Response(new Uint8Array(bytes), { headers });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      return problem(410, "artifact.missing", "This content is no longer stored.");
    }
    throw cause;
  }
}

/** Text is shown, anything else is a download; nothing of it is run here. */
export function untrustedHeaders(name: string, isText: boolean): Record<string, string> {
  const disposition = `${isText ? "inline" : "attachment"}; filename*=UTF-8''${encodeName(name)}`;
  const type = isText ? PLAIN : "application/octet-stream";
  return { ...LOCKED_UP, "content-type": type, "content-disposition": disposition };
}

/** Whether the asker has it already. */
export function isKnown({ incoming }: Pick<HttpRequest, "incoming">, etag: string): boolean {
  const known = incoming.headers["if-none-match"];
  return known?.split(",").some((tag) => tag.trim() === etag) === true;
}

function isShownAsText(mediaType: string): boolean {
  const [type = ""] = mediaType.toLowerCase().split(";");
  return SHOWN_AS_TEXT.has(type.trim());
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, percentEncoded);
}

/** What `encodeURIComponent` leaves and a header may not have. */
function percentEncoded(sign: string): string {
  return `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`;
}
