/**
 * The end of the journal, a piece at a time.
 *
 * Reads no more than it is asked for, whatever the size of the file. A cursor is a place in the file; when
 * the file has been replaced by a shorter one, or has grown by more than fits, it starts over near the end
 * and says so. Only whole lines are given: one that is still being written waits for the next time.
 */
import { open, type FileHandle } from "node:fs/promises";

export interface TailRequest {
  readonly cursor?: number | undefined;
  readonly limit?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface JournalTail {
  readonly file: string;
  readonly cursor: number;
  readonly size: number;
  readonly lines: string[];
  readonly truncated: boolean;
  readonly reset: boolean;
  readonly skippedBytes?: number;
}

export type ReadTail = (request: TailRequest) => Promise<JournalTail>;

const DEFAULT_LIMIT = 500;
const DEFAULT_MAX_BYTES = 250_000;
const NEWLINE = 0x0a;

export function createJournalTail(file: string): ReadTail {
  return async ({ cursor, limit = DEFAULT_LIMIT, maxBytes = DEFAULT_MAX_BYTES }) => {
    await using handle = await openIfThere(file);
    const size = handle === undefined ? 0 : (await handle.stat()).size;
    const { start, ...found } = whereToStart(cursor, size, maxBytes);
    if (handle === undefined || start >= size) {
      return { file, cursor: size, size, lines: [], ...found };
    }
    // One more byte in front shows whether the first line is whole.
    const first = Math.max(0, start - 1);
    const buffer = Buffer.alloc(size - first);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, first);
    const read = buffer.subarray(0, bytesRead);
    const end = read.lastIndexOf(NEWLINE) + 1;
    const begin = first === start ? 0 : read.indexOf(NEWLINE) + 1;
    const lines = end > begin ? read.toString("utf8", begin, end - 1).split("\n") : [];
    return {
      file,
      ...found,
      cursor: Math.max(start, first + end),
      size,
      lines: lines.slice(-limit),
      truncated: found.truncated || lines.length > limit,
    };
  };
}

function whereToStart(
  cursor: number | undefined,
  size: number,
  maxBytes: number,
): Pick<JournalTail, "truncated" | "reset" | "skippedBytes"> & { readonly start: number } {
  const latest = Math.max(0, size - maxBytes);
  if (cursor === undefined) return { start: latest, truncated: latest > 0, reset: false };
  if (cursor > size) return { start: latest, truncated: latest > 0, reset: true };
  if (cursor >= latest) return { start: cursor, truncated: false, reset: false };
  return { start: latest, truncated: true, reset: true, skippedBytes: latest - cursor };
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, "r");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}
