/**
 * `POST /api/signal`: one signal, an array of them, or one per line.
 *
 *   202 {"accepted": n, "rejected": [{"index", "path", "reason"}]}     what was good is durable
 *   400 the same, when nothing was good        413, 415, 429           nothing was taken
 */
import type { IncomingMessage } from "node:http";
import type { Endpoint } from "../http-api.ts";
import { badBody, problem, refusal } from "../http-problems.ts";
import { readTextBody, type BodyLimits } from "../json-body.ts";
import { MOST_SIGNALS, Unreadable, type Reception } from "./reception.ts";

const JSON_TYPES: ReadonlySet<string> = new Set(["application/json"]);
const LINE_TYPES: ReadonlySet<string> = new Set([
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
]);
const LONGEST_KEY = 256;
const MS_PER_SECOND = 1_000;

export function createPostSignals(reception: Reception, limits: BodyLimits): Endpoint {
  return async ({ incoming }) => {
    const read = readerFor(incoming);
    if (read === undefined) {
      return problem(415, "body.foreign", "Send application/json or application/x-ndjson.", CLOSE);
    }
    const key = incoming.headers["idempotency-key"];
    if (typeof key === "string" && (key === "" || key.length > LONGEST_KEY)) {
      return problem(
        400,
        "params.invalid",
        `An Idempotency-Key has 1 to ${LONGEST_KEY} characters.`,
        CLOSE,
      );
    }
    const body = await readTextBody(incoming, limits);
    if (!body.ok) return badBody(body);
    const values = read(body.value);
    if (values.length > MOST_SIGNALS) {
      return problem(413, "signals.many", `No more than ${MOST_SIGNALS} signals at a time.`);
    }
    const { signals, rejected } = reception.check(values);
    if (signals.length === 0) return Response.json({ accepted: 0, rejected }, { status: 400 });
    const waitMs = reception.waitMs(signals);
    if (waitMs > 0) {
      const after = { "retry-after": String(Math.ceil(waitMs / MS_PER_SECOND)) };
      return problem(429, "rate-limited", "The source sends too fast; nothing was taken.", after);
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

function readerFor({
  headers,
}: IncomingMessage): ((text: string) => readonly unknown[]) | undefined {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  if (JSON_TYPES.has(type.trim())) return readJson;
  return LINE_TYPES.has(type.trim()) ? readLines : undefined;
}

function readJson(text: string): readonly unknown[] {
  const value = parse(text);
  return Array.isArray(value) ? value : [value];
}

/** Lines without anything on them do not count. */
function readLines(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parse);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    return new Unreadable(cause instanceof Error ? cause.message : String(cause));
  }
}
