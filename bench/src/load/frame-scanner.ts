/**
 * Finds the frames in what a server sends, by their headers alone: a payload is passed over, not read.
 * A load generator that looked into everything it gets would be slower than the server it measures.
 */

/** `bytes` holds the start of the payload at `at`, enough to tell one kind of frame from another. */
export type FrameListener = (opcode: number, bytes: Buffer, at: number, size: number) => void;

/** How much of a payload is there when the listener is called, or all of it when it is shorter. */
const SEEN_BYTES = 64;
const NOTHING = Buffer.alloc(0);

export class FrameScanner {
  readonly #onFrame: FrameListener;
  /** The beginning of a frame that was cut off. */
  #rest = NOTHING;
  /** How many bytes of the last payload are still to come. */
  #ahead = 0;

  constructor(onFrame: FrameListener) {
    this.#onFrame = onFrame;
  }

  /** The chunk is not kept: the caller may use its memory again. */
  scan(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = NOTHING;
    let at = this.#ahead;
    while (at < bytes.length) {
      const header = readHeader(bytes, at);
      if (
        header === undefined ||
        at + header.bytes + Math.min(header.size, SEEN_BYTES) > bytes.length
      ) {
        this.#rest = Buffer.from(bytes.subarray(at));
        this.#ahead = 0;
        return;
      }
      const start = at + header.bytes;
      this.#onFrame(header.opcode, bytes, start, header.size);
      at = start + header.size;
    }
    this.#ahead = at - bytes.length;
  }
}

function readHeader(
  bytes: Buffer,
  at: number,
): { readonly opcode: number; readonly bytes: number; readonly size: number } | undefined {
  const left = bytes.length - at;
  if (left < 2) return undefined;
  const opcode = (bytes[at] ?? 0) & 0x0f;
  const size = bytes[at + 1] ?? 0;
  if (size < 126) return { opcode, bytes: 2, size };
  if (left < (size === 126 ? 4 : 10)) return undefined;
  if (size === 126) return { opcode, bytes: 4, size: bytes.readUInt16BE(at + 2) };
  return { opcode, bytes: 10, size: Number(bytes.readBigUInt64BE(at + 2)) };
}
