/** Rules that every declaration obeys, checked on the catalogue itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Type, type TSchema } from "@atrium/schema";
import { method, type Contract, type Idempotency } from "../method.ts";
import { isGatewayScope, NODE_SCOPE } from "../scopes.ts";
import { GATEWAY_EVENTS, GATEWAY_METHODS, GATEWAY_MODELS } from "./catalogue.ts";
import { ClientInfo, DeviceProof } from "./handshake.ts";
import { ChatAttachment } from "./methods/attachment.ts";

test("no two methods and no two events share a name", () => {
  for (const contracts of [GATEWAY_METHODS, GATEWAY_EVENTS]) {
    const names = contracts.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    for (const name of names) assert.match(name, /^[a-z][A-Za-z0-9]*(?:[.-][a-z][A-Za-z0-9]*)*$/);
  }
});

test("[WIRE-2] a method takes an idempotency key exactly as it declares", () => {
  for (const contract of GATEWAY_METHODS) {
    assert.equal(keyIn(contract), contract.idempotency, contract.name);
  }
});

test("[WIRE-2] the check tells required, optional and no key apart", () => {
  const idempotencyKey = Type.String({ minLength: 1 });
  assert.equal(keyIn(withParams(Type.Object({ idempotencyKey }))), "required");
  const optional = Type.Object({ idempotencyKey: Type.Optional(idempotencyKey) });
  assert.equal(keyIn(withParams(optional)), "optional");
  assert.equal(keyIn(withParams(Type.Object({}))), "none");
});

test("[WIRE-1] every object is closed, except where a request forgives", () => {
  const forgiving = new Set<object>(
    [ClientInfo, DeviceProof, ChatAttachment].map((model) => model.properties),
  );
  const requests = new Set(["connect", "health", "status", "exec.approvals.set"]);
  const strict = [
    ...Object.entries(GATEWAY_MODELS),
    ...GATEWAY_EVENTS.map(({ name, payload }) => [name, payload] as const),
    ...GATEWAY_METHODS.map(({ name, result }) => [name, result] as const),
    ...GATEWAY_METHODS.filter(({ name }) => !requests.has(name)).map(
      ({ name, params }) => [name, params] as const,
    ),
  ];
  for (const [name, schema] of strict) {
    for (const [path, properties] of openObjects(schema, name)) {
      assert.ok(forgiving.has(properties), `${path} is open`);
    }
  }
  for (const { name, params } of GATEWAY_METHODS.filter((each) => requests.has(each.name))) {
    assert.notDeepEqual([...openObjects(params, name)], [], name);
  }
});

test("every method and event asks for a scope that exists, or for none", () => {
  for (const { name, scope } of [...GATEWAY_METHODS, ...GATEWAY_EVENTS]) {
    assert.ok(scope === null || scope === NODE_SCOPE || isGatewayScope(scope), name);
  }
});

test("a method is advertised and changes nothing unless it says otherwise", () => {
  const { advertised, idempotency } = withParams(Type.Object({}));
  assert.deepEqual({ advertised, idempotency }, { advertised: true, idempotency: "none" });
});

function withParams(params: TSchema): Contract {
  return method({ name: "sample", scope: null, params, result: Type.Object({}) });
}

function keyIn({ params }: Contract): Idempotency {
  const { properties = {}, required = [] } = params as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  if (!Object.hasOwn(properties, "idempotencyKey")) return "none";
  return required.includes("idempotencyKey") ? "required" : "optional";
}

/** The `properties` of each object in a schema that takes keys it does not know. */
function* openObjects(schema: object, path: string): Generator<readonly [string, object]> {
  const { type, properties, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  const isObject = type === "object" && typeof properties === "object" && properties !== null;
  if (isObject && additionalProperties !== false) yield [path, properties];
  for (const [key, value] of Object.entries(schema) as Iterable<[string, unknown]>) {
    if (typeof value === "object" && value !== null) yield* openObjects(value, `${path}/${key}`);
  }
}
