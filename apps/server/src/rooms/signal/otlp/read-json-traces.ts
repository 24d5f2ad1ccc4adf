/** Spans in an `ExportTraceServiceRequest` of OTLP, as JSON: ids are hexadecimal, large numbers are text. */
import { own } from "@atrium/wire";
import { MAX_VALUE_DEPTH, textOf, UnreadableTraces, type Attributes, type Span } from "./span.ts";

type Fields = Readonly<Record<string, unknown>>;

const STATUS_ERROR: ReadonlySet<unknown> = new Set([2, "STATUS_CODE_ERROR"]);
const NS_PER_MS = 1_000_000n;

export function readJsonTraces(body: unknown): readonly Span[] | UnreadableTraces {
  const request = fieldsOf(body);
  if (!Array.isArray(request?.["resourceSpans"])) {
    return new UnreadableTraces("resourceSpans is missing, or is not a list");
  }
  return listIn(request, "resourceSpans").flatMap((each) => {
    const resource = fieldsOf(each["resource"]) ?? {};
    const service = textOf(readAttributes(resource), "service.name");
    return listIn(each, "scopeSpans").flatMap((scope) =>
      listIn(scope, "spans").map((span) => readSpan(span, service)),
    );
  });
}

function readSpan(span: Fields, service: string | undefined): Span {
  const status = fieldsOf(span["status"]) ?? {};
  return {
    traceId: wordOf(span["traceId"]),
    spanId: wordOf(span["spanId"]),
    name: wordOf(span["name"]),
    startMs: msOf(span["startTimeUnixNano"]),
    endMs: msOf(span["endTimeUnixNano"]),
    attributes: readAttributes(span),
    hasFailed: STATUS_ERROR.has(status["code"]),
    message: wordOf(status["message"]),
    service,
  };
}

function readAttributes(from: Fields, name = "attributes", depth = 0): Attributes {
  return new Map(
    listIn(from, name).map(
      ({ key, value }) => [wordOf(key), readValue(fieldsOf(value), depth)] as const,
    ),
  );
}

function readValue(value: Fields | undefined, depth: number): unknown {
  if (value === undefined || depth > MAX_VALUE_DEPTH) return null;
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = value;
  const [list, map] = [fieldsOf(value["arrayValue"]), fieldsOf(value["kvlistValue"])];
  if (list !== undefined) return listIn(list, "values").map((each) => readValue(each, depth + 1));
  if (map !== undefined) return Object.fromEntries(readAttributes(map, "values", depth + 1));
  const number = intValue === undefined ? doubleValue : Number(intValue);
  return stringValue ?? boolValue ?? number ?? bytesValue ?? null;
}

function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members of whatever kind
  return isObject ? (value as Fields) : undefined;
}

function listIn(from: Fields, name: string): readonly Fields[] {
  const value = own(from, name);
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.map(fieldsOf).filter((each) => each !== undefined);
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function msOf(value: unknown): number {
  const text = typeof value === "number" ? String(value) : wordOf(value);
  return /^\d{1,20}$/.test(text) ? Number(BigInt(text) / NS_PER_MS) : 0;
}
