/**
 * Follows a file to which a program appends lines of JSON: from where it was left, whole lines only, and no more than
 * some bytes with each look. Of what is longer, the beginning and the end are read. Whatever is no line of JSON, and
 * whatever leads out of the program's folder, is as if it were not there.
 */
import { constants } from "node:fs";
import { open, realpath, type FileHandle } from "node:fs/promises";
import { sep } from "node:path";
import { parseFields, type Fields } from "../../../agents/turn/json-fields.ts";

export type FoldLine<State> = (state: State, line: Fields) => State;

export interface TailedState<State> {
  readonly state: State;
  readonly modifiedAt: number;
}

export interface TranscriptTail<State> {
  /** Undefined: it is not there, or not to be read. */
  look(): Promise<TailedState<State> | undefined>;
}

export const MAX_LOOK_BYTES = 256 * 1024;
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEWLINE = 0x0a;

export function createTranscriptTail<State>(
  { root, path }: { readonly root: string; readonly path: string },
  initial: State,
  fold: FoldLine<State>,
): TranscriptTail<State> {
  /** `isWithinLine`: what comes next is the rest of a line that was passed over. */
  let file = { inode: 0n, offset: 0, isWithinLine: false };
  let state = initial;

  function take(bytes: Buffer): number {
    const from = file.isWithinLine ? bytes.indexOf(NEWLINE) + 1 : 0;
    const to = bytes.lastIndexOf(NEWLINE) + 1;
    if (to > 0) file.isWithinLine = false;
    for (const line of bytes.toString("utf8", from, Math.max(from, to)).split("\n")) {
      const fields = line === "" ? undefined : parseFields(line);
      if (fields !== undefined) state = fold(state, fields);
    }
    return to;
  }

  async function read(handle: FileHandle, size: number): Promise<void> {
    while (file.offset < size) {
      const isBegin = file.offset === 0;
      if (!isBegin && size - file.offset > MAX_LOOK_BYTES) {
        file.offset = size - MAX_LOOK_BYTES;
        file.isWithinLine = true;
      }
      const most = Math.min(MAX_LOOK_BYTES, size - file.offset);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, file.offset);
      const used = take(buffer.subarray(0, bytesRead));
      // A line that is longer than a look is passed over.
      const isTooLong = used === 0 && bytesRead === MAX_LOOK_BYTES;
      file.isWithinLine ||= isTooLong;
      file.offset += isTooLong ? bytesRead : used;
      if (!isBegin || bytesRead < MAX_LOOK_BYTES) return;
    }
  }

  return {
    async look() {
      await using handle = await openInside(root, path);
      const about = await handle?.stat({ bigint: true });
      if (handle === undefined || about?.isFile() !== true) return undefined;
      const size = Number(about.size);
      if (about.ino !== file.inode || size < file.offset) {
        file = { inode: about.ino, offset: 0, isWithinLine: false };
        state = initial;
      }
      await read(handle, size);
      return { state, modifiedAt: Number(about.mtimeMs) };
    },
  };
}

/** Undefined: it is not there, may not be read, or a link leads to it from outside of the folder. */
async function openInside(root: string, path: string): Promise<FileHandle | undefined> {
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(path)]);
    return file.startsWith(folder + sep) ? await open(file, READ_ONLY) : undefined;
  } catch {
    return undefined;
  }
}

/** The whole of a small file; undefined also where it is larger. */
export async function readInside(
  root: string,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  await using handle = await openInside(root, path);
  const about = await handle?.stat();
  if (handle === undefined || about?.isFile() !== true || about.size > maxBytes) return undefined;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
  return buffer.toString("utf8", 0, bytesRead);
}
