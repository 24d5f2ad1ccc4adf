/**
 * `POST /api/signal`: one signal, an array of them, or one per line.
 *
 *   202 {"accepted": n, "rejected": [{"index", "path", "reason"}]}     what was good is durable
 *   400 the same, when nothing was good        413, 415, 429           nothing was taken
 */
import type { IncomingMessage } from "node:http";
import { REFUSALS } from "@atrium/core";
import { MAX_JSON_DEPTH, readJson } from "@atrium/wire";
import type { Endpoint } from "../../../http/api.ts";
import { JSON_TYPE, mediaTypeOf, readTextBody, type BodyLimits } from "../../../http/json-body.ts";
import { invalidBody, problem, problemBody, refusal } from "../../../http/problem.ts";
import { MAX_SIGNALS, UnreadableSignals, type SignalReceiver } from "./signal-receiver.ts";

const LINE_TYPES: ReadonlySet<string> = new Set([
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
]);
const MAX_KEY_CHARS = 256;
const MS_PER_SECOND = 1_000;

export function createPostSignals(reception: SignalReceiver, limits: BodyLimits): Endpoint {
  return async ({ incoming }) => {
    const read = readerFor(incoming);
    if (read === undefined) {
      return problem(415, "body.foreign", "Send application/json or application/x-ndjson.", CLOSE);
    }
    const key = incoming.headers["idempotency-key"];
    if (typeof key === "string" && (key === "" || key.length > MAX_KEY_CHARS)) {
      const reason = `An Idempotency-Key has 1 to ${MAX_KEY_CHARS} characters.`;
      return problem(400, "params.invalid", reason, CLOSE);
    }
    const body = await readTextBody(incoming, limits);
    if (!body.ok) return invalidBody(body);
    const { values, levels } = read(body.value);
    if (values.length === 0) {
      const nothing = problemBody("signals.none", REFUSALS["signals.none"].message);
      return Response.json({ accepted: 0, rejected: [], ...nothing }, { status: 400 });
    }
    if (values.length > MAX_SIGNALS) {
      const reason = `Too many signals in one request. Send at most ${MAX_SIGNALS}.`;
      return problem(413, "signals.many", reason);
    }
    const { signals, rejected } = reception.check(values, levels);
    if (signals.length === 0) return Response.json({ accepted: 0, rejected }, { status: 400 });
    const waitMs = reception.waitMs(signals);
    if (waitMs > 0) {
      const after = { "retry-after": String(Math.ceil(waitMs / MS_PER_SECOND)) };
      return problem(429, "rate-limited", TOO_FAST, after);
    }
    reception.reserve(signals);
    const given = typeof key === "string" ? key : undefined;
    const taken = await reception.take(signals, body.value.length, given);
    if (!taken.ok) return refusal(taken);
    return Response.json({ accepted: signals.length, rejected }, { status: 202 });
  };
}

/** The body is not read. */
const CLOSE = { connection: "close" };
const TOO_FAST = "Rate limit exceeded for this source. No signal was accepted. Wait, then retry.";

/** What was handed in, and how many levels each of it may have. */
interface PostedValues {
  readonly values: readonly unknown[];
  readonly levels: number;
}

function readerFor(incoming: IncomingMessage): ((text: string) => PostedValues) | undefined {
  const type = mediaTypeOf(incoming);
  if (type === JSON_TYPE) return readDocument;
  return LINE_TYPES.has(type) ? readLines : undefined;
}

function readDocument(text: string): PostedValues {
  const value = parse(text);
  if (!Array.isArray(value)) return { values: [value], levels: MAX_JSON_DEPTH };
  return { values: value, levels: MAX_JSON_DEPTH - 1 };
}

/** Lines without anything on them do not count. */
function readLines(text: string): PostedValues {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return { values: lines.map(parse), levels: MAX_JSON_DEPTH };
}

function parse(text: string): unknown {
  const { value, problem: wrong } = readJson(text);
  // What goes too deep is found signal by signal.
  return wrong === undefined || value !== undefined ? value : new UnreadableSignals(wrong.long);
}
