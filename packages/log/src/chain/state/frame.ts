/**
 * Bytes that prove themselves: what nodes hand to the chain and to each other.
 *
 *   32 bytes SHA-256 of the rest | header as JSON | \n | texts, one behind the other
 *
 * The texts are kept out of the JSON because they are JSON themselves; the header has their lengths.
 */
import { createHash } from "node:crypto";
import { LogFault } from "../../log.ts";
import { HeaderCursor } from "./header-cursor.ts";

const HASH_BYTES = 32;
const NEWLINE = 10;

export interface Frame {
  readonly header: HeaderCursor;
  readonly texts: TextCursor;
  readonly hash: string;
}

/** `pack` makes the header, and its lengths by handing each text over. */
export function encodeFrame(pack: (sized: (text: string) => number) => object): Uint8Array {
  const texts: Buffer[] = [];
  const header = pack((text) => {
    const bytes = Buffer.from(text);
    texts.push(bytes);
    return bytes.length;
  });
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...texts]);
  return Buffer.concat([hashOf(content), content]);
}

/** Throws `corrupt` when the bytes are not as they were written. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hash = buffer.subarray(0, HASH_BYTES);
  const content = buffer.subarray(HASH_BYTES);
  const end = content.indexOf(NEWLINE);
  if (end < 0 || !hashOf(content).equals(hash)) {
    throw new LogFault("corrupt", "a message is damaged: its hash is not that of its bytes");
  }
  return {
    header: new HeaderCursor(content.toString("utf8", 0, end)),
    texts: new TextCursor(content.subarray(end + 1)),
    hash: hash.toString("hex"),
  };
}

/** The hash that a frame carries. */
export function hashIn(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, HASH_BYTES).toString("hex");
}

export class TextCursor {
  readonly #bytes: Buffer;
  #next = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(length: number): string {
    const end = this.#next + length;
    if (end > this.#bytes.length) throw new LogFault("corrupt", "a message ends in its middle");
    const text = this.#bytes.toString("utf8", this.#next, end);
    this.#next = end;
    return text;
  }
}

function hashOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
