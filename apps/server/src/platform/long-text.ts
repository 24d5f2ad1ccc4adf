/** Long text as agents and the log get it: its head, its tail, and a line that says what is between them. */

export const MAX_SHOWN_CHARS = 30_000;
/** Of what is kept outside the log. */
export const MAX_KEPT_BYTES = 10 * 1024 * 1024;
const HALF_CHARS = MAX_SHOWN_CHARS / 2;
/** A character of UTF-8 takes four bytes at most. */
export const HALF_BYTES = HALF_CHARS * 4;

export interface TextSize {
  readonly lines: number;
  readonly bytes: number;
}

export function cutLongText(text: string): string {
  if (text.length <= MAX_SHOWN_CHARS) return text;
  const size = { lines: linesIn(text), bytes: Buffer.byteLength(text) };
  return headAndTail(text.slice(0, HALF_CHARS), text.slice(-HALF_CHARS), size).text;
}

/** Of something that begins and ends like that; both may be longer than what is shown of them. */
export function headAndTail(
  beginning: string,
  ending: string,
  { lines, bytes }: TextSize,
): { readonly text: string; readonly linesLeftOut: number } {
  const head = headOf(beginning);
  const tail = tailOf(ending);
  const linesLeftOut = Math.max(0, lines - linesIn(head) - linesIn(tail));
  const gap = `\n… ${linesLeftOut} lines left out; ${bytes} bytes in all …\n`;
  return { text: `${head}${gap}${tail}`, linesLeftOut };
}

/** Up to the last line that fits, unless that would be next to nothing. */
function headOf(text: string): string {
  const cut = text.slice(0, HALF_CHARS);
  const end = cut.lastIndexOf("\n") + 1;
  return end > HALF_CHARS / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, "");
}

function tailOf(text: string): string {
  const cut = text.slice(-HALF_CHARS);
  const start = cut.indexOf("\n") + 1;
  return start < HALF_CHARS / 2 ? cut.slice(start) : cut.replace(/^[\uDC00-\uDFFF]/, "");
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}
