/** A file that was made for one download: it goes when it was read, or nobody reads it any more. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { untrustedHeaders } from "./untrusted-content.ts";

export interface DownloadFile extends AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
  readonly mediaType: string;
}

/** `name`: as it is saved. */
export function downloadOf(file: DownloadFile, name: string): Response {
  const stream = createReadStream(file.path);
  stream.once("close", () => void file[Symbol.asyncDispose]());
  const headers = {
    ...untrustedHeaders(name, false),
    "content-type": file.mediaType,
    "content-length": String(file.bytes),
    "cache-control": "private, no-store",
  };
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { headers });
}
