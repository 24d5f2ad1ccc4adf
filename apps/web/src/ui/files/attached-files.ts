/** Files people attach: read in the browser, within limits that are told before anything is sent. */
export interface AttachedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Base64. */
  readonly data: string;
}

/** Base64 makes a third more of it, and a message has an end. */
export const MAX_BYTES = 5_000_000;
const MAX_FILES = 10;
const MAX_TOTAL_BYTES = 15_000_000;
const CHUNK = 0x8000;
const MAX_NAME_CHARS = 200;

interface Sized {
  readonly name: string;
  readonly size: number;
}

export interface SortedFiles<Item> {
  readonly taken: readonly Item[];
  readonly tooLarge: readonly string[];
  /** There is no room left for these. */
  readonly tooMany: readonly string[];
}

/** Which of them can be attached beside what already is. Pure. */
export function sortFiles<Item extends Sized>(
  chosen: readonly Item[],
  attached: readonly Pick<AttachedFile, "bytes">[],
): SortedFiles<Item> {
  let count = attached.length;
  let together = attached.reduce((sum, { bytes }) => sum + bytes, 0);
  const taken: Item[] = [];
  const tooMany: string[] = [];
  const fitting = chosen.filter(({ size }) => size <= MAX_BYTES);
  for (const file of fitting) {
    if (count >= MAX_FILES || together + file.size > MAX_TOTAL_BYTES) {
      tooMany.push(file.name);
    } else {
      taken.push(file);
      count += 1;
      together += file.size;
    }
  }
  const tooLarge = chosen.filter(({ size }) => size > MAX_BYTES).map(({ name }) => name);
  return { taken, tooLarge, tooMany };
}

export async function readAttachedFile(file: File): Promise<AttachedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  // In pieces, because a call takes only so many arguments.
  for (let from = 0; from < bytes.length; from += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  }
  return {
    name: file.name.slice(0, MAX_NAME_CHARS),
    mediaType: mediaTypeOf(file),
    bytes: bytes.length,
    data: btoa(binary),
  };
}

const MEDIA_TYPE = /^[a-z]+\/[a-zA-Z0-9.+-]+$/;
/** Text that browsers have no type for. */
const PLAIN_TEXT = /\.(?:md|txt|log|csv|ts|tsx|js|jsx|py|rb|go|rs|sh|toml|ya?ml|ini|sql)$/i;

function mediaTypeOf({ type, name }: File): string {
  const [plain = ""] = type.split(";");
  if (MEDIA_TYPE.test(plain)) return plain;
  return PLAIN_TEXT.test(name) ? "text/plain" : "application/octet-stream";
}

export function sizeText(bytes: number, language: string): string {
  const [value, unit] =
    bytes < 1_000 ? [bytes, "B"] : bytes < 1_000_000 ? [bytes / 1_000, "kB"] : [bytes / 1e6, "MB"];
  return `${value.toLocaleString(language, { maximumFractionDigits: 1 })} ${unit}`;
}
