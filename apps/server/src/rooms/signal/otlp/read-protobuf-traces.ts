/** Spans in an `ExportTraceServiceRequest` of OTLP, as protobuf. The numbers are those of its published schema. */
import { doubleOf, fieldsOf, ProtobufError, type ProtobufField } from "./protobuf-reader.ts";
import { MAX_VALUE_DEPTH, textOf, UnreadableTraces, type Attributes, type Span } from "./span.ts";

const REQUEST = { resourceSpans: 1 } as const;
const RESOURCE_SPANS = { resource: 1, scopeSpans: 2 } as const;
const RESOURCE = { attributes: 1 } as const;
const SCOPE_SPANS = { spans: 2 } as const;
const SPAN = {
  traceId: 1,
  spanId: 2,
  name: 5,
  start: 7,
  end: 8,
  attributes: 9,
  status: 15,
} as const;
const STATUS = { message: 2, code: 3 } as const;
const KEY_VALUE = { key: 1, value: 2 } as const;
const VALUE = { text: 1, flag: 2, integer: 3, double: 4, list: 5, map: 6, bytes: 7 } as const;
const LIST = { values: 1 } as const;
const STATUS_ERROR = 2n;
const NS_PER_MS = 1_000_000n;

export function readProtobufTraces(body: Buffer): readonly Span[] | UnreadableTraces {
  try {
    return partsOf(body, REQUEST.resourceSpans).flatMap(({ bytes }) => readResource(bytes));
  } catch (error) {
    if (error instanceof ProtobufError) return new UnreadableTraces(error.message);
    throw error;
  }
}

function readResource(message: Buffer): readonly Span[] {
  const [resource] = partsOf(message, RESOURCE_SPANS.resource);
  const about = resource === undefined ? [] : partsOf(resource.bytes, RESOURCE.attributes);
  const service = textOf(readAttributes(about), "service.name");
  return partsOf(message, RESOURCE_SPANS.scopeSpans).flatMap(({ bytes }) =>
    partsOf(bytes, SCOPE_SPANS.spans).map((span) => readSpan(span.bytes, service)),
  );
}

function readSpan(message: Buffer, service: string | undefined): Span {
  const fields = [...fieldsOf(message)];
  const last = (number: number): ProtobufField | undefined =>
    fields.findLast((field) => field.number === number);
  const status = [...fieldsOf(last(SPAN.status)?.bytes ?? Buffer.alloc(0))];
  return {
    traceId: last(SPAN.traceId)?.bytes.toString("hex") ?? "",
    spanId: last(SPAN.spanId)?.bytes.toString("hex") ?? "",
    name: last(SPAN.name)?.bytes.toString("utf8") ?? "",
    startMs: Number((last(SPAN.start)?.integer ?? 0n) / NS_PER_MS),
    endMs: Number((last(SPAN.end)?.integer ?? 0n) / NS_PER_MS),
    attributes: readAttributes(fields.filter(({ number }) => number === SPAN.attributes)),
    hasFailed: status.some(
      ({ number, integer }) => number === STATUS.code && integer === STATUS_ERROR,
    ),
    message: status.find(({ number }) => number === STATUS.message)?.bytes.toString("utf8") ?? "",
    service,
  };
}

function readAttributes(fields: readonly ProtobufField[], depth = 0): Attributes {
  return new Map(
    fields.map(({ bytes }) => {
      const [key] = partsOf(bytes, KEY_VALUE.key);
      const [value] = partsOf(bytes, KEY_VALUE.value);
      const read = value === undefined ? null : readValue(value.bytes, depth);
      return [key?.bytes.toString("utf8") ?? "", read] as const;
    }),
  );
}

function readValue(message: Buffer, depth: number): unknown {
  if (depth > MAX_VALUE_DEPTH) throw new ProtobufError("a value is nested too deep");
  const [field] = fieldsOf(message);
  if (field === undefined) return null;
  switch (field.number) {
    case VALUE.text:
      return field.bytes.toString("utf8");
    case VALUE.flag:
      return field.integer !== 0n;
    case VALUE.integer:
      return Number(BigInt.asIntN(64, field.integer));
    case VALUE.double:
      return doubleOf(field.integer);
    case VALUE.list:
      return partsOf(field.bytes, LIST.values).map(({ bytes }) => readValue(bytes, depth + 1));
    case VALUE.map:
      return Object.fromEntries(readAttributes(partsOf(field.bytes, LIST.values), depth + 1));
    case VALUE.bytes:
      return field.bytes.toString("base64");
    default:
      return null;
  }
}

function partsOf(message: Buffer, wanted: number): readonly ProtobufField[] {
  return [...fieldsOf(message)].filter(({ number }) => number === wanted);
}
