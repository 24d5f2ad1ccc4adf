import assert from "node:assert/strict";
import { test } from "node:test";
import { createSignalReader } from "@atrium/wire/signal";
import * as fc from "fast-check";
import { readJsonTraces } from "./read-json-traces.ts";
import { readProtobufTraces } from "./read-protobuf-traces.ts";
import { signalsOfSpan } from "./span-signals.ts";
import { UnreadableTraces, type Span } from "./span.ts";
import { JSON_TRACES, PROTOBUF_TRACES } from "./testing/exported-traces.ts";

const read = createSignalReader();

function spansIn(found: readonly Span[] | UnreadableTraces): readonly Span[] {
  assert.ok(!(found instanceof UnreadableTraces), JSON.stringify(found));
  return found;
}

/** Without its ids, which are the exporter's own each time. */
function told(spans: readonly Span[]): readonly unknown[] {
  return spans.flatMap(signalsOfSpan).map((signal) => {
    assert.equal(read(signal), signal);
    return [signal.type, signal.timestamp, signal.payload];
  });
}

const START = 1_794_787_318_763;

test("[SIG-26] an exporter's spans are the same signals as JSON and as protobuf", () => {
  const spans = spansIn(readProtobufTraces(PROTOBUF_TRACES));
  const [agent, chat] = spans;
  const [scout, tool] = ["Scout", { toolName: "search", agentId: "scout", callId: "call_1" }];
  assert.deepEqual(told(spans).slice(0, 3), [
    ["agent_state_change", START, { agentId: scout, from: "idle", to: "thinking" }],
    ["completion", START + 1_000, { taskId: agent?.spanId, success: true, agentId: scout }],
    ["agent_state_change", START + 1_000, { agentId: scout, from: "thinking", to: "done" }],
  ]);
  const rest = [
    ["agent_state_change", START, { agentId: "scout", from: "idle", to: "thinking" }],
    ["text_delta", START + 237, { agentId: "scout", content: "High water at noon." }],
    [
      "token_usage",
      START + 237,
      { agentId: "scout", promptTokens: 100, completionTokens: 20, model: "m" },
    ],
    ["tool_call", START, { ...tool, input: { q: "tides" } }],
    ["tool_result", START + 337, { ...tool, success: false }],
    ["error", START + 337, { message: "no network", severity: "error", agentId: "scout" }],
  ];
  assert.deepEqual(told(spans).slice(3), rest);
  assert.deepEqual(told(spansIn(readJsonTraces(JSON_TRACES))).slice(3), rest);
  const [first] = signalsOfSpan(agent!);
  assert.deepEqual(
    [first?.id, first?.source, first?.correlationId],
    [`${agent?.traceId}:${agent?.spanId}:1`, "otel:scout", "conv_1"],
  );
  const values = spans[2]?.attributes;
  assert.deepEqual(values?.get("list"), ["a", "b"]);
  assert.deepEqual(
    ["ratio", "flag", "negative"].map((name) => values?.get(name)),
    [0.5, true, -3],
  );
  assert.equal(chat?.service, "scout");
});

test("[SIG-26] what is no export is refused with the reason", () => {
  for (const [body, why] of [
    [Buffer.from([0x0a]), /cut off/],
    [Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]), /cut off/],
    [Buffer.from([0x0b]), /wire type 3/],
    [Buffer.alloc(12, 0xff), /64 bits/],
    [deepValue(40), /too deep/],
  ] as const) {
    const found = readProtobufTraces(body);
    assert.ok(found instanceof UnreadableTraces);
    assert.match(found.why, why);
  }
  for (const body of [null, [], "x", {}, { resourceSpans: {} }]) {
    assert.ok(readJsonTraces(body) instanceof UnreadableTraces);
  }
});

/** A span with an attribute whose value is a list in a list in a list. */
function deepValue(levels: number): Buffer {
  const field = (number: number, bytes: Buffer): Buffer => {
    const { length } = bytes;
    const size = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >>> 7];
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...size]), bytes]);
  };
  let value = field(1, Buffer.from("x"));
  for (let level = 0; level < levels; level += 1) value = field(5, field(1, value));
  const attribute = Buffer.concat([field(1, Buffer.from("k")), field(2, value)]);
  return field(1, field(2, field(2, field(9, attribute))));
}

test("[SIG-26] any bytes and any JSON are spans that make valid signals, or a reason", () => {
  const check = (found: readonly Span[] | UnreadableTraces): void => {
    if (!(found instanceof UnreadableTraces)) told(found);
  };
  const mutated = fc
    .tuple(fc.nat(PROTOBUF_TRACES.length - 1), fc.integer({ min: 0, max: 255 }), fc.boolean())
    .map(([at, byte, isCut]) => {
      const copy = Buffer.from(PROTOBUF_TRACES);
      copy[at] = byte;
      return isCut ? copy.subarray(0, at) : copy;
    });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    mutated,
  );
  fc.assert(
    fc.property(bytes, (body) => check(readProtobufTraces(body))),
    { numRuns: 2_000 },
  );
  const names = [
    "resource",
    "scopeSpans",
    "spans",
    "attributes",
    "key",
    "value",
    "stringValue",
    "intValue",
    "kvlistValue",
    "arrayValue",
    "values",
    "status",
    "code",
    "traceId",
    "startTimeUnixNano",
    "__proto__",
  ];
  const words = ["gen_ai.operation.name", "chat", "execute_tool", "invoke_agent", "__proto__", 2];
  const { piece } = fc.letrec((tie) => ({
    piece: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(...words),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie("piece"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie("piece"), { maxKeys: 6 }),
    ),
  }));
  const body = fc.array(piece, { maxLength: 3 }).map((resourceSpans) => ({ resourceSpans }));
  fc.assert(
    fc.property(body, (value) => check(readJsonTraces(value))),
    { numRuns: 2_000 },
  );
});
