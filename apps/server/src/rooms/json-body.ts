/**
 * The body of a plain HTTP request: so many bytes and so much time, counted while they arrive, so
 * that neither a large body nor a slow one is held before it is known to be one we want.
 */
import type { IncomingMessage } from "node:http";

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export type JsonBody = Body<unknown>;
export type TextBody = Body<string>;
type Body<Value> = { readonly ok: true; readonly value: Value } | BadBody;

export interface BadBody {
  readonly ok: false;
  readonly status: 400 | 408 | 413;
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
  try {
    const value: unknown = JSON.parse(body.value);
    return { ok: true, value };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return no(400, `the body is not JSON: ${why}`);
  }
}

export async function readTextBody(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<TextBody> {
  const bytes = await readBytes(request, limits);
  return Buffer.isBuffer(bytes) ? { ok: true, value: bytes.toString("utf8") } : bytes;
}

/** What is left unread is the sender's loss: whoever answers a failure closes the connection. */
function readBytes(
  request: IncomingMessage,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<Buffer | BadBody> {
  const tooMuch = no(413, `the body is larger than ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(tooMuch);
  const { promise, resolve } = Promise.withResolvers<Buffer | BadBody>();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxBytes) resolve(tooMuch);
    else chunks.push(chunk);
  };
  const finish = (): void => resolve(Buffer.concat(chunks));
  const cutOff = (): void => resolve(no(400, "the body was cut off"));
  const timer = setTimeout(() => resolve(no(408, "the body took too long")), timeoutMs);
  request.on("data", take).once("end", finish).once("close", cutOff);
  return promise.finally(() => {
    clearTimeout(timer);
    request.off("data", take).off("end", finish).off("close", cutOff).pause();
  });
}

function no(status: 400 | 408 | 413, reason: string): BadBody {
  return { ok: false, status, reason };
}
