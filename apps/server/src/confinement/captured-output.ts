/**
 * What a command writes: whole up to a size, for whoever wants all of it, and cut to its head and tail
 * for agents and the log. Standard output and error are one text, in the order in which they came.
 */
import { StringDecoder } from "node:string_decoder";

export type OutputStream = "stdout" | "stderr";
export type OnOutput = (text: string, stream: OutputStream) => void;

export interface CapturedOutput {
  /** At most MAX_SHOWN_CHARS and the line that says what was left out. */
  readonly text: string;
  /** All of it, up to MAX_KEPT_BYTES. */
  readonly whole: Uint8Array;
  /** How much there was. */
  readonly bytes: number;
  /** Between the head and the tail in `text`. */
  readonly linesLeftOut: number;
}

export const MAX_KEPT_BYTES = 10 * 1024 * 1024;
export const MAX_SHOWN_CHARS = 30_000;
const HALF_CHARS = MAX_SHOWN_CHARS / 2;
/** A character of UTF-8 takes four bytes at most. */
const HALF_BYTES = HALF_CHARS * 4;
const NEWLINE = 0x0a;
/** Git's way to tell: text has no zero bytes near its beginning. */
const SNIFFED_BYTES = 8_000;

export const NO_OUTPUT: CapturedOutput = {
  text: "",
  whole: new Uint8Array(0),
  bytes: 0,
  linesLeftOut: 0,
};

export class OutputCapture {
  readonly #onOutput: OnOutput | undefined;
  readonly #kept: Buffer[] = [];
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  #keptBytes = 0;
  #bytes = 0;
  #lines = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor(onOutput?: OnOutput) {
    this.#onOutput = onOutput;
  }

  add(chunk: Buffer, stream: OutputStream): void {
    this.#bytes += chunk.length;
    for (const byte of chunk) if (byte === NEWLINE) this.#lines++;
    const kept = chunk.subarray(0, MAX_KEPT_BYTES - this.#keptBytes);
    if (kept.length > 0) this.#kept.push(kept);
    this.#keptBytes += kept.length;
    // Until something is dropped, what is kept has the tail too.
    if (kept.length < chunk.length) this.#keepTail(chunk);
    const text = this.#decoders[stream].write(chunk);
    if (text !== "") this.#onOutput?.(text, stream);
  }

  finish(): CapturedOutput {
    const whole = Buffer.concat(this.#kept);
    const bytes = this.#bytes;
    if (whole.subarray(0, SNIFFED_BYTES).includes(0)) {
      const text = `[${bytes} bytes of binary output, not shown]`;
      return { text, whole, bytes, linesLeftOut: 0 };
    }
    const isWhole = whole.length === bytes;
    if (isWhole && whole.length <= MAX_SHOWN_CHARS * 4) {
      const text = whole.toString("utf8");
      if (text.length <= MAX_SHOWN_CHARS) return { text, whole, bytes, linesLeftOut: 0 };
    }
    const end = isWhole ? whole.subarray(-HALF_BYTES) : this.#tail;
    const head = headOf(whole.subarray(0, HALF_BYTES).toString("utf8"));
    const tail = tailOf(end.toString("utf8"));
    const linesLeftOut = this.#lines - linesIn(head) - linesIn(tail);
    const text = `${head}${gapLine(linesLeftOut, bytes)}${tail}`;
    return { text, whole, bytes, linesLeftOut };
  }

  #keepTail(chunk: Buffer): void {
    const before = this.#tail.length === 0 ? Buffer.concat(this.#kept) : this.#tail;
    const recent = before.subarray(-HALF_BYTES);
    this.#tail = Buffer.concat([recent, chunk.subarray(-HALF_BYTES)]).subarray(-HALF_BYTES);
  }
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

function gapLine(lines: number, bytes: number): string {
  return `\n… ${lines} lines left out; ${bytes} bytes in all …\n`;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}
