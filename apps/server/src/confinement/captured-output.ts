/**
 * What a command writes: whole up to a size, for whoever wants all of it, and cut to its head and tail
 * for agents and the log. Standard output and error are one text, in the order in which they came.
 */
import { StringDecoder } from "node:string_decoder";
import { HALF_BYTES, headAndTail, MAX_KEPT_BYTES, MAX_SHOWN_CHARS } from "../platform/long-text.ts";

export type OutputStream = "stdout" | "stderr";
export type OnOutput = (text: string, stream: OutputStream) => void;
/** Takes out what nobody may read; `goesOn`: these bytes are only the beginning. */
export type MaskOutput = (bytes: Buffer, goesOn: boolean) => Buffer;

export interface CapturedOutput {
  /** At most MAX_SHOWN_CHARS and the line that says what was left out. */
  readonly text: string;
  /** All of it, up to MAX_KEPT_BYTES. */
  readonly whole: Uint8Array;
  /** The text does not show all of it. */
  readonly isCut: boolean;
  /** How much there was. */
  readonly bytes: number;
  /** Between the head and the tail in `text`. */
  readonly linesLeftOut: number;
}

/** More than is shown, so that what the cut went through is not. */
const TAIL_BYTES = HALF_BYTES + 4_096;
const NEWLINE = 0x0a;
/** Git's way to tell: text has no zero bytes near its beginning. */
const SNIFFED_BYTES = 8_000;

export const NO_OUTPUT: CapturedOutput = {
  text: "",
  whole: new Uint8Array(0),
  isCut: false,
  bytes: 0,
  linesLeftOut: 0,
};

export interface OutputHandling {
  /** As it comes, unmasked, for whoever watches. */
  readonly onOutput?: OnOutput | undefined;
  /** Of what is kept and shown in the end. */
  readonly mask?: MaskOutput | undefined;
}

export class OutputCapture {
  readonly #onOutput: OnOutput | undefined;
  readonly #mask: MaskOutput;
  readonly #kept: Buffer[] = [];
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  #keptBytes = 0;
  #bytes = 0;
  #lines = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor({ onOutput, mask = (bytes) => bytes }: OutputHandling = {}) {
    this.#onOutput = onOutput;
    this.#mask = mask;
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
    const bytes = this.#bytes;
    const isWhole = this.#keptBytes === bytes;
    const whole = this.#mask(Buffer.concat(this.#kept), !isWhole);
    if (whole.subarray(0, SNIFFED_BYTES).includes(0)) {
      const text = `[${bytes} bytes of binary output, not shown]`;
      return { text, whole, isCut: true, bytes, linesLeftOut: 0 };
    }
    if (isWhole && whole.length <= MAX_SHOWN_CHARS * 4) {
      const text = whole.toString("utf8");
      if (text.length <= MAX_SHOWN_CHARS) {
        return { text, whole, isCut: false, bytes, linesLeftOut: 0 };
      }
    }
    const end = isWhole ? whole.subarray(-HALF_BYTES) : this.#mask(this.#tail, false);
    const beginning = whole.subarray(0, HALF_BYTES).toString("utf8");
    const size = { lines: this.#lines, bytes };
    return { whole, isCut: true, bytes, ...headAndTail(beginning, end.toString("utf8"), size) };
  }

  #keepTail(chunk: Buffer): void {
    const before = this.#tail.length === 0 ? Buffer.concat(this.#kept) : this.#tail;
    const recent = before.subarray(-TAIL_BYTES);
    this.#tail = Buffer.concat([recent, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  }
}
