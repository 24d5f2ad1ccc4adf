/**
 * The fields of a protobuf message, one after another, without a schema and without copying: what a reader does not
 * know it leaves. Nothing is read beyond the end of the bytes; what does not fit in them is an error.
 */
export interface ProtobufField {
  readonly number: number;
  /** Of a varint or a fixed number. */
  readonly integer: bigint;
  /** Of anything with a length. */
  readonly bytes: Buffer;
}

export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;
const NO_BYTES = Buffer.alloc(0);
const MAX_VARINT_BYTES = 10;

export function* fieldsOf(message: Buffer): Generator<ProtobufField> {
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > message.length - at) throw new ProtobufError("a field is cut off");
    at += length;
    return message.subarray(at - length, at);
  };
  const readVarint = (): bigint => {
    let value = 0n;
    for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
      const byte = take(1)[0] ?? 0;
      value |= BigInt(byte & 0x7f) << BigInt(index * 7);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError("a number is longer than 64 bits");
  };
  const readLength = (): number => {
    const length = readVarint();
    if (length > BigInt(message.length)) throw new ProtobufError("a field is cut off");
    return Number(length);
  };
  while (at < message.length) {
    const tag = Number(readVarint() & 0xffff_ffffn);
    const number = tag >>> 3;
    switch (tag & 7) {
      case VARINT:
        yield { number, integer: readVarint(), bytes: NO_BYTES };
        break;
      case FIXED64:
        yield { number, integer: take(8).readBigUInt64LE(), bytes: NO_BYTES };
        break;
      case LENGTH_DELIMITED:
        yield { number, integer: 0n, bytes: take(readLength()) };
        break;
      case FIXED32:
        yield { number, integer: BigInt(take(4).readUInt32LE()), bytes: NO_BYTES };
        break;
      default:
        throw new ProtobufError(`fields of wire type ${tag & 7} are not supported`);
    }
  }
}

export function doubleOf(integer: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(integer);
  return bytes.readDoubleLE();
}
