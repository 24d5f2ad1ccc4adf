/** WebSocket frames as a client sends them (RFC 6455 §5.2), made once and sent many times. */

// Not zero: ws leaves out the unmasking then, and no real client's key is.
const KEY = [0x5a, 0x17, 0xc3, 0x6e] as const;
const FIN = 0x80;
const MASKED = 0x80;

export const TEXT = 0x1;
export const PING = 0x9;
export const PONG = 0xa;

export function maskedFrame(text: string, opcode: number = TEXT): Buffer {
  const payload = Buffer.from(text);
  const isShort = payload.length < 126;
  const header = Buffer.alloc(isShort ? 2 : 4);
  header[0] = FIN | opcode;
  header[1] = MASKED | (isShort ? payload.length : 126);
  if (!isShort) header.writeUInt16BE(payload.length, 2);
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (KEY[index % 4] ?? 0);
  return Buffer.concat([header, Buffer.from(KEY), payload]);
}
