/**
 * Reads text messages out of one direction of a WebSocket connection (RFC 6455, section 5), masked or not.
 * Only what a listener needs: control frames are passed over, and nothing is compressed because our server
 * agrees to no extension.
 */
const TEXT = 1;
const CONTINUATION = 0;

export class Receiver {
  readonly #onText: (text: string) => void;
  #rest: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #isText = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  take(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    for (let size = this.#takeFrame(bytes); size > 0; size = this.#takeFrame(bytes)) {
      bytes = bytes.subarray(size);
    }
    this.#rest = bytes;
  }

  /** How many bytes the first frame took; 0 when it is not all there. */
  #takeFrame(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    const [first = 0, second = 0] = bytes;
    const short = second & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    const maskAt = 2 + lengthBytes;
    if (bytes.length < maskAt) return 0;
    const length =
      short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short === 126
          ? bytes.readUInt16BE(2)
          : short;
    const start = maskAt + (second >= 0x80 ? 4 : 0);
    const end = start + length;
    if (bytes.length < end) return 0;
    const mask = bytes.subarray(maskAt, start);
    this.#takePayload(first, unmasked(bytes.subarray(start, end), mask));
    return end;
  }

  #takePayload(first: number, payload: Buffer): void {
    const opcode = first & 0x0f;
    if (opcode > 2) return;
    if (opcode !== CONTINUATION) {
      this.#parts = [];
      this.#isText = opcode === TEXT;
    }
    this.#parts.push(payload);
    const isLast = first >= 0x80;
    if (isLast && this.#isText) this.#onText(Buffer.concat(this.#parts).toString("utf8"));
  }
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  if (mask.length === 0) return Buffer.from(payload);
  return Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
}
