/**
 * The body of a plain HTTP request: so many bytes and so much time, counted while they arrive, so
 * that neither a large body nor a slow one is held before it is known to be one we want.
 */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { readJson } from "@atrium/wire";

export const JSON_TYPE = "application/json";

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export type JsonBody = Body<unknown>;
export type TextBody = Body<string>;
type Body<Value> = { readonly ok: true; readonly value: Value } | BadBody;

export interface BadBody {
  readonly ok: false;
  readonly status: 400 | 408 | 413 | 415;
  readonly reason: string;
}

/** `whenEmpty` is what no body at all means, where it means something. */
export async function readJsonBody(
  request: IncomingMessage,
  limits: BodyLimits,
  whenEmpty?: unknown,
): Promise<JsonBody> {
  const body = await readTextBody(request, limits);
  if (!body.ok) return body;
  if (body.value === "" && whenEmpty !== undefined) return { ok: true, value: whenEmpty };
  const { value, problem } = readJson(body.value);
  return problem === undefined ? { ok: true, value } : no(400, `the body is ${problem.long}`);
}

export async function readTextBody(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<TextBody> {
  const packed = request.headers["content-encoding"] ?? "identity";
  if (packed.toLowerCase() !== "identity") {
    return no(415, `Content-Encoding ${packed} is not supported. Send the body uncompressed.`);
  }
  const bytes = await readBytes(request, limits);
  if (!Buffer.isBuffer(bytes)) return bytes;
  // What is not UTF-8 would be kept with holes in it.
  return isUtf8(bytes)
    ? { ok: true, value: bytes.toString("utf8") }
    : no(400, "the body is not UTF-8");
}

/** The kind of body a request says it has, without what else it says of it; who does not say sends JSON. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const [type = ""] = (headers["content-type"] ?? JSON_TYPE).toLowerCase().split(";");
  return type.trim();
}

/** What is too large is read away up to here, because a sender that is cut off in the middle does not hear why. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;

/** What is still unread then is the sender's loss: whoever answers a failure closes the connection. */
export function readBytes(
  request: IncomingMessage,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<Buffer | BadBody> {
  const most = maxBytes + MAX_DISCARDED_BYTES;
  const tooMuch = no(413, `the body is larger than ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > most) return Promise.resolve(tooMuch);
  const { promise, resolve } = Promise.withResolvers<Buffer | BadBody>();
  let chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks = [];
    if (size > most) resolve(tooMuch);
  };
  const settle = (otherwise: () => Buffer | BadBody): void =>
    resolve(size > maxBytes ? tooMuch : otherwise());
  const finish = (): void => settle(() => Buffer.concat(chunks));
  const cutOff = (): void => settle(() => no(400, "the body was cut off"));
  const tire = (): void => settle(() => no(408, "the body took too long"));
  const timer = setTimeout(tire, timeoutMs);
  request.on("data", take).once("end", finish).once("close", cutOff);
  return promise.finally(() => {
    clearTimeout(timer);
    request.off("data", take).off("end", finish).off("close", cutOff).pause();
  });
}

function no(status: BadBody["status"], reason: string): BadBody {
  return { ok: false, status, reason };
}
