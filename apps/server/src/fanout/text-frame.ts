/**
 * Unmasked WebSocket text frames, built by hand so that one buffer can serve any number of sockets
 * (RFC 6455 §5.2).
 */
const FIN_TEXT = 0x81;

/** One buffer that holds a frame for each text, back to back. */
export function encodeTextFrames(texts: readonly string[]): Buffer {
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const total = sizes.reduce((sum, size) => sum + headerBytes(size) + size, 0);
  const frames = Buffer.allocUnsafe(total);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    const size = sizes[index] ?? 0;
    at = writeHeader(frames, at, size);
    at += frames.write(text, at, size, "utf8");
  }
  return frames;
}

function headerBytes(size: number): number {
  if (size < 126) return 2;
  return size < 65_536 ? 4 : 10;
}

function writeHeader(frames: Buffer, at: number, size: number): number {
  frames[at] = FIN_TEXT;
  if (size < 126) {
    frames[at + 1] = size;
    return at + 2;
  }
  if (size < 65_536) {
    frames[at + 1] = 126;
    frames.writeUInt16BE(size, at + 2);
    return at + 4;
  }
  frames[at + 1] = 127;
  frames.writeBigUInt64BE(BigInt(size), at + 2);
  return at + 10;
}
