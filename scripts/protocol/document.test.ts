/** The exported document: valid, complete, and without repetition. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { GATEWAY_EVENTS, GATEWAY_METHODS, GATEWAY_MODELS } from "@atrium/wire/gateway";
import { buildDocument, namedSchemas } from "./document.ts";
import { ExportError, toDraft07 } from "./draft07.ts";
import { definitionValidator, openAjv } from "./testing/validators.ts";

const document = buildDocument();

describe("exported document", () => {
  test("[WIRE-9] it is draft-07, and every definition compiles in strict mode", async () => {
    const ajv = openAjv(document);
    assert.equal(document.$schema, "http://json-schema.org/draft-07/schema#");
    assert.equal(await ajv.validateSchema(document, true), true);
    for (const name of Object.keys(document.definitions)) {
      assert.doesNotThrow(() => definitionValidator(ajv, document.$id, name), name);
    }
  });

  test("[WIRE-9] a keyword that draft-07 would read differently stops the export", () => {
    for (const schema of [{ prefixItems: [] }, { unevaluatedProperties: false }, { $defs: {} }]) {
      assert.throws(
        () => toDraft07({ type: "object", ...schema }, () => undefined, "x"),
        ExportError,
      );
    }
  });

  test("[WIRE-10] it lists every model, method and event under its name", () => {
    const { methods, events, definitions } = document;
    for (const name of Object.keys(GATEWAY_MODELS)) assert.ok(definitions[name], name);
    assert.deepEqual(
      Object.keys(methods),
      GATEWAY_METHODS.map((method) => method.name),
    );
    assert.deepEqual(
      Object.keys(events),
      GATEWAY_EVENTS.map((event) => event.name),
    );
    const refs = [
      ...Object.values(methods).flatMap(({ params, result }) => [params, result]),
      ...Object.values(events).map(({ payload }) => payload),
    ];
    for (const ref of refs) assert.ok(definitions[ref.replace("#/definitions/", "")], ref);
    assert.deepEqual(methods["connect"], {
      scope: null,
      idempotency: "none",
      advertised: false,
      params: "#/definitions/ConnectParams",
      result: "#/definitions/HelloOk",
    });
    assert.equal(methods["chat.inject"]?.params, "#/definitions/ChatInjectParams");
    assert.equal(methods["system-presence"]?.result, "#/definitions/SystemPresenceResult");
    assert.equal(events["connect.challenge"]?.payload, "#/definitions/ConnectChallengeEvent");
  });

  test("[WIRE-9] a frame matches the root by exactly one of its types", () => {
    const { oneOf, discriminator, definitions } = document;
    const { mapping, propertyName } = discriminator;
    assert.deepEqual(
      oneOf.map(({ $ref }) => $ref),
      Object.values(mapping),
    );
    for (const [type, ref] of Object.entries(mapping)) {
      const frame = definitions[ref.replace("#/definitions/", "")];
      assert.equal(frame?.properties?.[propertyName]?.const, type);
    }
    const validate = openAjv(document).getSchema(document.$id);
    assert.ok(validate);
    assert.equal(validate({ type: "req", id: "1", method: "health" }), true);
    assert.equal(validate({ type: "res", id: "1", ok: true }), true);
    assert.equal(validate({ type: "event", event: "tick", payload: { ts: 1 }, seq: 12 }), true);
    assert.equal(validate({ type: "poke", id: "1" }), false);
    assert.equal(validate({ type: "req", id: "1", method: "health", ok: true }), false);
  });

  test("a named shape is referenced wherever it is used", () => {
    const { definitions } = document;
    const position = { $ref: "#/definitions/Position" };
    assert.deepEqual(definitions["ChatInjectResult"]?.properties?.["position"], position);
    // Optional members too, although TypeBox copies what it makes optional.
    const error = { $ref: "#/definitions/ErrorShape" };
    assert.deepEqual(definitions["ResponseFrame"]?.properties?.["error"], error);
    assert.deepEqual(definitions["HealthResult"], { $ref: "#/definitions/HealthSummary" });
  });

  test("an object that is used in two places has a name", () => {
    const named = new Set([...namedSchemas().values()].map(propertiesOf));
    const seen = new Set<unknown>();
    const schemas = new Map([...namedSchemas()].map(([name, schema]) => [schema, name]));
    for (const [schema, name] of schemas) {
      for (const [path, properties] of unnamedObjects(schema, name, named)) {
        assert.ok(!seen.has(properties), `${path} is used twice; add it to GATEWAY_MODELS`);
        seen.add(properties);
      }
    }
    assert.ok(seen.size > 0);
  });
});

function propertiesOf(schema: object): unknown {
  return Reflect.get(schema, "properties");
}

/** The `properties` of every object inside a schema, up to those that have a name. */
function* unnamedObjects(
  schema: object,
  path: string,
  named: ReadonlySet<unknown>,
): Generator<readonly [path: string, properties: unknown]> {
  for (const [key, value] of Object.entries(schema) as Iterable<[string, unknown]>) {
    if (typeof value !== "object" || value === null) continue;
    const properties = propertiesOf(value);
    if (properties !== undefined && named.has(properties)) continue;
    if (properties !== undefined) yield [`${path}/${key}`, properties];
    yield* unnamedObjects(value, `${path}/${key}`, named);
  }
}
