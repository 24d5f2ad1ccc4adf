/**
 * How files and what differs between them are told over HTTP. What a tree holds never changes, so an answer has a
 * tag by which it is not read twice.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { accept, refuse, type Outcome, type Refusal } from "@atrium/core";
import { own } from "@atrium/wire";
import type { Endpoint, HttpRequest } from "../../../http/api.ts";
import { problem, refusal } from "../../../http/problem.ts";
import { isKnown, untrustedHeaders } from "../../../http/untrusted-content.ts";
import type { FilePatch, TreeFile } from "../../../workspaces/port/workspaces.ts";

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** It may be asked again whether it is still the same; the answer costs no reading. */
const CACHE = { "cache-control": "private, no-cache" };

/** A refusal is an answer too. */
export function answering(work: (request: HttpRequest) => Promise<Response | Refusal>): Endpoint {
  return async (request) => {
    const answer = await work(request);
    return answer instanceof Response ? answer : refusal(answer);
  };
}

/** Read only when the asker does not have it already. */
export async function tagged(
  request: HttpRequest,
  about: readonly unknown[],
  read: () => Promise<Outcome<object>>,
): Promise<Response> {
  const headers = { etag: tagOf(JSON.stringify(about)), ...CACHE };
  if (isKnown(request, headers.etag)) return new Response(null, { status: 304, headers });
  const answer = await read();
  return answer.ok ? Response.json(answer.value, { headers }) : refusal(answer);
}

/** Of what can be different the next time: the tag is that of the answer itself. */
export function taggedByContent(request: HttpRequest, answer: object): Response {
  const text = JSON.stringify(answer);
  const headers = { etag: tagOf(text), ...CACHE };
  if (isKnown(request, headers.etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
}

function tagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url")}"`;
}

export function fileAnswer(
  request: HttpRequest,
  path: string,
  { id, bytes, content }: TreeFile,
): Response {
  if (content === null) {
    return problem(413, "file.large", `${path} has ${bytes} bytes, ${MAX_FILE_BYTES} at most.`);
  }
  const etag = `"${id}"`;
  const name = path.split("/").at(-1) ?? "";
  const headers = { etag, ...CACHE, ...untrustedHeaders(name, isText(content)) };
  return isKnown(request, etag)
    ? new Response(null, { status: 304, headers })
    : new Response(new Uint8Array(content), { headers });
}

/** A browser shows it as text; anything else is a download. */
function isText(content: Buffer): boolean {
  return isUtf8(content) && !content.includes(0);
}

export function numberIn(
  { query }: HttpRequest,
  name: string,
  what: string,
): Outcome<number | undefined> {
  const text = own(query, name);
  if (text === undefined) return accept(undefined);
  if (!/^\d{1,15}$/.test(text)) {
    return refuse("params.invalid", `${name} must be ${what}: a whole number`);
  }
  return accept(Number(text));
}

export function pathIn({ query }: HttpRequest): string {
  return (own(query, "path") ?? "").replace(/\/$/, "");
}

export function viewPatch(patch: FilePatch): object {
  return patch.type === "patch"
    ? { patch: patch.text }
    : { is_large: true, ...(patch.bytes > 0 && { bytes: patch.bytes }) };
}
