/** The Swift models: do they parse, are they complete, and do they keep what the schema says? */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { buildDocument, type ProtocolDocument } from "../document.ts";
import { ExportError, type SchemaNode } from "../draft07.ts";
import { openSwiftParser } from "../testing/swift-parser.ts";
import { renderSwift } from "./render.ts";

const PACKAGE = new URL("../../../swift/", import.meta.url);
const SUPPORT = "Sources/AtriumProtocol/AnyCodable.swift";
const STANDARD = (
  "Bool Codable CodingKey Decoder Double Encoder Equatable " +
  "Hashable Int RawRepresentable Sendable String"
).split(" ");

const parse = await openSwiftParser();
const document = buildDocument();
const models = renderSwift(document);

describe("generated Swift models", () => {
  test("every Swift source parses", async () => {
    assert.deepEqual(parse(models).problems, []);
    for (const path of ["Package.swift", SUPPORT]) {
      assert.deepEqual(parse(await readFile(new URL(path, PACKAGE), "utf8")).problems, [], path);
    }
  });

  test("the parser does find what is not Swift", () => {
    for (const [right, wrong] of [
      ["public let id: String", "public let id String"],
      ["public init(", "public init(,"],
      ["case req(RequestFrame)", "case (RequestFrame)"],
      ["        }\n    }\n}", "        }\n    }\n"],
    ] as const) {
      assert.ok(models.includes(right), right);
      assert.notDeepEqual(parse(models.replace(right, wrong)).problems, [], wrong);
    }
  });

  test("every definition has one declaration, and every type in use is declared", async () => {
    const { declared, unresolved } = parse(models);
    for (const name of [...Object.keys(document.definitions), "GatewayFrame", "ErrorCode"]) {
      assert.deepEqual(
        declared.filter((each) => each === name),
        [name],
      );
    }
    const support = parse(await readFile(new URL(SUPPORT, PACKAGE), "utf8"));
    assert.deepEqual(unresolved([...STANDARD, ...support.declared]), []);
    assert.deepEqual(parse("struct A { let b: Missing }").unresolved([]), ["Missing"]);
  });

  test("[WIRE-11] a frame of an unknown type is kept whole", () => {
    for (const line of [
      "case req(RequestFrame)",
      "case res(ResponseFrame)",
      "case event(EventFrame)",
      "case unknown(type: String, raw: [String: AnyCodable])",
      "self = .unknown(type: type, raw: try [String: AnyCodable](from: decoder))",
      "try raw.encode(to: encoder)",
    ]) {
      assert.ok(models.includes(line), line);
    }
  });

  test("[WIRE-11] the version and every error code are there, and codes stay open", () => {
    const { version, errorCodes } = document["x-protocol"];
    assert.ok(models.includes(`public let GATEWAY_PROTOCOL_VERSION = ${version}\n`));
    for (const code of errorCodes) assert.ok(models.includes(`case "${code}": self = .`), code);
    assert.ok(models.includes("default: self = .unknown(rawValue)"));
  });
});

describe("schema shapes in Swift", () => {
  test("[WIRE-11] a member that may be absent or null is optional; one that must be there is written as null", () => {
    const text = render({
      type: "object",
      properties: {
        absent: { type: "string" },
        empty: { anyOf: [{ type: "integer" }, { type: "null" }] },
      },
      required: ["empty"],
    });
    assertHas(text, "public let absent: String?", "public let empty: Int?");
    assertHas(text, "try container.encodeIfPresent(self.absent, forKey: .absent)");
    assertHas(text, "try container.encode(self.empty, forKey: .empty)");
  });

  test("[WIRE-11] a name Swift cannot use is quoted, or renamed with its key kept", () => {
    const quoted = render({ type: "object", properties: { default: { type: "string" } } });
    assertHas(quoted, "public let `default`: String?");
    assert.ok(!quoted.includes("CodingKeys"));
    const renamed = render({
      type: "object",
      properties: { __openclaw: { type: "string" }, self: {}, snake_case: { type: "number" } },
    });
    assertHas(renamed, 'case openclaw = "__openclaw"', 'case selfValue = "self"');
    assertHas(renamed, "public let snakeCase: Double?", 'case snakeCase = "snake_case"');
  });

  test("[WIRE-11] fixed strings become enums, and the only value is the default", () => {
    const text = render({
      type: "object",
      properties: {
        type: { type: "string", const: "hello-ok" },
        mode: { anyOf: [{ const: "event_loop" }, { const: "in" }] },
      },
      required: ["type", "mode"],
    });
    assertHas(text, "public enum TypeValue: String", 'case helloOk = "hello-ok"');
    assertHas(text, 'case eventLoop = "event_loop"', "case `in`");
    assertHas(text, "public init(type: TypeValue = .helloOk, mode: Mode)");
  });

  test("[WIRE-11] lists, records, open values and untagged unions keep as much type as they have", () => {
    const text = render({
      type: "object",
      properties: {
        list: { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } },
        record: { type: "object", patternProperties: { "^.*$": { type: "boolean" } } },
        open: {},
        never: { type: "array", items: { not: {} } },
        either: { anyOf: [{ type: "boolean" }, { type: "string" }] },
      },
      required: ["list", "record", "open", "never", "either"],
    });
    assertHas(text, "let list: [String?]", "let record: [String: Bool]", "let open: AnyCodable");
    assertHas(text, "let never: [AnyCodable]", "let either: AnyCodable");
  });

  test("[WIRE-11] objects told apart by a tag become cases, and an unknown tag is kept whole", () => {
    const members = ["delta", "final"].map((state) => ({
      type: "object",
      properties: { state: { type: "string", const: state }, text: { type: "string" } },
      required: ["state"],
    }));
    const text = render({ anyOf: members });
    assertHas(text, "public enum Sample: Codable", "case delta(Delta)", "case final(Final)");
    assertHas(text, "case unknown(state: String, raw: [String: AnyCodable])");
  });

  test("[WIRE-11] a named object with several tags is a case for each", () => {
    const status = (...values: readonly string[]): SchemaNode => ({
      type: "object",
      properties: { status: { anyOf: values.map((value) => ({ const: value })) } },
      required: ["status"],
    });
    const ref = (name: string): SchemaNode => ({ $ref: `#/definitions/${name}` });
    const definitions = {
      Begun: status("begun"),
      Ended: status("ok", "timeout"),
      Sample: { anyOf: [ref("Begun"), ref("Ended")] },
    };
    const text = renderSwift({ ...document, definitions });
    assert.deepEqual(parse(text).problems, []);
    assertHas(text, "case begun(Begun)", "case ok(Ended)", "case timeout(Ended)");
    assertHas(text, "case unknown(status: String, raw: [String: AnyCodable])");
    // Without a name its type would have to be declared twice.
    assertHas(render({ anyOf: [status("begun"), status("ok", "timeout")] }), "Sample = AnyCodable");
  });

  test("[WIRE-11] what an agent's run is answered with is typed", () => {
    assertHas(models, "public enum AgentResult: Codable, Equatable, Sendable {");
    assertHas(models, "case accepted(AgentAccepted)", "case ok(AgentFinished)");
    assertHas(models, "public let internalEvents: [AgentInternalEvent]?");
  });

  test("[WIRE-11] a shape or a name without a Swift form stops the export", () => {
    const clash: SchemaNode = { type: "object", properties: { "a-b": {}, aB: {} } };
    for (const node of [{ type: "array" }, { const: 1 }, clash]) {
      assert.throws(() => render(node), ExportError);
    }
  });
});

/** The Swift of one definition, known to parse. */
function render(Sample: SchemaNode): string {
  const only: ProtocolDocument = { ...document, definitions: { Sample } };
  const text = renderSwift(only);
  assert.deepEqual(parse(text).problems, []);
  return text.slice(text.search(/^public \w+ Sample\b/m));
}

function assertHas(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part}\n\nis not in\n\n${text}`);
}
