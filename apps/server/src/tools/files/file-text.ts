/** Text and what is none. */

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
const SNIFFED_BYTES = 8_000;

/** As git tells: text has no zero bytes near its beginning. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

/** How often a text occurs in another, without overlaps. */
export function countOf(part: string, text: string): number {
  return text.split(part).length - 1;
}
