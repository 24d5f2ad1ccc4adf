/** The end of what a program has written, for whoever must explain why it stopped. */
import type { Readable } from "node:stream";

const KEPT_BYTES = 64 * 1024;
const SHOWN_LINES = 40;

export interface OutputTail {
  read(): string;
}

/** Reads everything, so that the writer never waits, and forgets all but the end. */
export function keepTail(stream: Readable): OutputTail {
  let chunks: Buffer[] = [];
  let bytes = 0;
  const read = (): Buffer => Buffer.concat(chunks).subarray(-KEPT_BYTES);
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < 2 * KEPT_BYTES) return;
    chunks = [Buffer.from(read())];
    bytes = KEPT_BYTES;
  });
  // A pipe that breaks has nothing more to tell.
  stream.on("error", () => undefined);
  return {
    read: () => read().toString("utf8").trim().split("\n").slice(-SHOWN_LINES).join("\n"),
  };
}
