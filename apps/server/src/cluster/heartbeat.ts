/** What a node publishes of itself, a few times a second. Members that this version does not know are ignored. */
import { Compile, Type, type Static } from "@atrium/schema";
import { parseJson } from "@atrium/wire";

const Heartbeat = Type.Object({
  node: Type.String(),
  life: Type.String(),
  url: Type.String(),
  version: Type.String(),
  applied: Type.Number(),
  hash: Type.String(),
  /** Digests of its settings, by their names. */
  settings: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** What is the matter with it. */
  warnings: Type.Optional(Type.Unsafe<readonly string[]>(Type.Array(Type.String()))),
  /** By the sender's own monotonic clock; of no use to anyone else. */
  sentAt: Type.Number(),
  /** The last one: the node has closed. */
  isLast: Type.Optional(Type.Boolean()),
});

export type Heartbeat = Static<typeof Heartbeat>;

/** Where on the bus. */
export const HEARTBEAT_SUBJECT = "cluster.beat";

const MAX_BYTES = 8_192;
const validator = Compile(Heartbeat);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeHeartbeat(beat: Heartbeat): Uint8Array {
  return encoder.encode(JSON.stringify(beat));
}

/** Undefined when it is none. */
export function decodeHeartbeat(bytes: Uint8Array): Heartbeat | undefined {
  const value = bytes.length > MAX_BYTES ? undefined : parseJson(decoder.decode(bytes));
  return validator.Check(value) ? value : undefined;
}
