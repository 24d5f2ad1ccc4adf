/**
 * `POST /v1/traces`: an export of OpenTelemetry, as JSON or protobuf, plain or gzip.
 *
 *   200 {} or {"partialSuccess": {…}}    what is about agents and models is durable as signals
 *   400, 413, 415                        nothing was taken; sent again it is refused again
 *   429, 503 with Retry-After            nothing was taken; send it again
 */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { MAX_JSON_DEPTH, readJson } from "@atrium/wire";
import type { Endpoint } from "../../../http/api.ts";
import {
  JSON_TYPE,
  mediaTypeOf,
  readBytes,
  type BadBody,
  type BodyLimits,
} from "../../../http/json-body.ts";
import { invalidBody, problem, refusal } from "../../../http/problem.ts";
import { MAX_SIGNALS, type SignalReceiver } from "../inbound/signal-receiver.ts";
import { readJsonTraces } from "./read-json-traces.ts";
import { readProtobufTraces } from "./read-protobuf-traces.ts";
import { signalsOfSpan } from "./span-signals.ts";
import { UnreadableTraces, type Span } from "./span.ts";

const PROTOBUF_TYPE = "application/x-protobuf";
const CLOSE = { connection: "close" };
const MS_PER_SECOND = 1_000;
const TOO_FAST = "Rate limit exceeded for this source. No span was accepted. Wait, then retry.";
const unpack = promisify(gunzip);

export function createPostTraces(receiver: SignalReceiver, limits: BodyLimits): Endpoint {
  return async ({ incoming }) => {
    const type = mediaTypeOf(incoming);
    if (type !== JSON_TYPE && type !== PROTOBUF_TYPE) {
      return problem(415, "body.foreign", `Send ${JSON_TYPE} or ${PROTOBUF_TYPE}.`, CLOSE);
    }
    const body = await readBody(incoming, limits);
    if (!Buffer.isBuffer(body)) return invalidBody(body);
    const spans = type === JSON_TYPE ? readDocument(body) : readProtobufTraces(body);
    if (spans instanceof UnreadableTraces) {
      return problem(400, "params.invalid", `This is no trace export: ${spans.why}.`);
    }
    const values = spans.flatMap(signalsOfSpan);
    const { signals, rejected } = receiver.check(values, MAX_JSON_DEPTH);
    const waitMs = receiver.waitMs(signals);
    if (waitMs > 0) {
      const after = { "retry-after": String(Math.ceil(waitMs / MS_PER_SECOND)) };
      return problem(429, "rate-limited", TOO_FAST, after);
    }
    receiver.reserve(signals);
    // An export may be larger than a request of signals; ids that come again count once.
    for (let at = 0; at < signals.length; at += MAX_SIGNALS) {
      const taken = await receiver.take(signals.slice(at, at + MAX_SIGNALS), body.length);
      if (!taken.ok) return refusal(taken);
    }
    const [first] = rejected;
    const message = first === undefined ? "" : `${first.path} ${first.reason}`.trim();
    return answer(type, rejected.length, message);
  };
}

async function readBody(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer | BadBody> {
  const packed = (incoming.headers["content-encoding"] ?? "identity").toLowerCase();
  if (packed !== "identity" && packed !== "gzip") {
    const reason = `Content-Encoding ${packed} is not supported. Send gzip, or the body uncompressed.`;
    return { ok: false, status: 415, reason };
  }
  const bytes = await readBytes(incoming, limits);
  if (!Buffer.isBuffer(bytes) || packed === "identity") return bytes;
  try {
    return await unpack(bytes, { maxOutputLength: limits.maxBytes });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    return isLarge
      ? {
          ok: false,
          status: 413,
          reason: `unpacked, the body is larger than ${limits.maxBytes} bytes`,
        }
      : { ok: false, status: 400, reason: "the body is not gzip" };
  }
}

function readDocument(body: Buffer): readonly Span[] | UnreadableTraces {
  const { value, problem: wrong } = readJson(body.toString("utf8"));
  return wrong === undefined ? readJsonTraces(value) : new UnreadableTraces(wrong.long);
}

/** In the type that was sent. Where all is well, an empty message says so. */
function answer(type: string, rejectedSpans: number, errorMessage: string): Response {
  if (type === JSON_TYPE) {
    return Response.json(
      rejectedSpans === 0 ? {} : { partialSuccess: { rejectedSpans, errorMessage } },
    );
  }
  const text = Buffer.from(errorMessage).subarray(0, 100);
  const partial = Buffer.from([0x08, ...varint(rejectedSpans), 0x12, text.length, ...text]);
  const bytes =
    rejectedSpans === 0
      ? Buffer.alloc(0)
      : Buffer.from([0x0a, ...varint(partial.length), ...partial]);
  return new Response(new Uint8Array(bytes), { headers: { "content-type": PROTOBUF_TYPE } });
}

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
