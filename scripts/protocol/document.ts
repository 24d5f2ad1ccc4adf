/**
 * The gateway protocol as one JSON Schema document, built from the declarations in `wire`.
 *
 * This is the model that everything exported is made from: `gen-schema.ts` writes it down and
 * `swift/` reads it. It adds nothing that the declarations do not say, and the same declarations
 * always give the same document.
 */
import {
  ERROR_CODES,
  GATEWAY_EVENTS,
  GATEWAY_METHODS,
  GATEWAY_MODELS,
  GATEWAY_PROTOCOL_VERSION,
  GATEWAY_SCOPES,
  MIN_GATEWAY_PROTOCOL_VERSION,
} from "@atrium/wire/gateway";
import { pascalCase } from "./casing.ts";
import { ExportError, refTo, toDraft07, type SchemaNode } from "./draft07.ts";

interface MethodEntry {
  readonly scope: string | null;
  readonly idempotency: string;
  readonly advertised: boolean;
  readonly params: string;
  readonly result: string;
}

interface EventEntry {
  readonly scope: string | null;
  readonly payload: string;
}

export interface ProtocolDocument {
  readonly $schema: string;
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  readonly "x-protocol": {
    readonly version: number;
    readonly minVersion: number;
    readonly scopes: readonly string[];
    readonly errorCodes: readonly string[];
  };
  readonly oneOf: readonly SchemaNode[];
  readonly discriminator: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
  readonly methods: Readonly<Record<string, MethodEntry>>;
  readonly events: Readonly<Record<string, EventEntry>>;
  readonly definitions: Readonly<Record<string, SchemaNode>>;
}

/** The one result with a name of its own: peers know what answers `connect` as hello-ok. */
const RESULT_NAMES: Readonly<Record<string, string>> = { connect: "HelloOk" };

const FRAMES = { req: "RequestFrame", res: "ResponseFrame", event: "EventFrame" } as const;

const paramsName = (method: string): string => `${pascalCase(method)}Params`;
const resultName = (method: string): string =>
  RESULT_NAMES[method] ?? `${pascalCase(method)}Result`;
const eventName = (event: string): string => `${pascalCase(event)}Event`;

/** Every exported schema under its name, in the order of the document. */
export function namedSchemas(): ReadonlyMap<string, object> {
  const named = new Map<string, object>();
  const add = (name: string, schema: object): void => {
    if (named.has(name)) throw new ExportError(`two schemas want the name ${name}`);
    named.set(name, schema);
  };
  for (const [name, schema] of Object.entries(GATEWAY_MODELS)) add(name, schema);
  for (const method of GATEWAY_METHODS) {
    add(paramsName(method.name), method.params);
    add(resultName(method.name), method.result);
  }
  for (const event of GATEWAY_EVENTS) add(eventName(event.name), event.payload);
  return named;
}

export function buildDocument(): ProtocolDocument {
  const frames = Object.entries(FRAMES);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:atrium:gateway-protocol",
    title: "Atrium gateway protocol",
    description: "Frames, methods and events of the gateway WebSocket.",
    "x-protocol": {
      version: GATEWAY_PROTOCOL_VERSION,
      minVersion: MIN_GATEWAY_PROTOCOL_VERSION,
      scopes: GATEWAY_SCOPES,
      errorCodes: ERROR_CODES,
    },
    oneOf: frames.map(([, name]) => refTo(name)),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(frames.map(([type, name]) => [type, refTo(name).$ref])),
    },
    methods: Object.fromEntries(
      GATEWAY_METHODS.map(({ name, scope, idempotency, advertised }) => {
        const params = refTo(paramsName(name)).$ref;
        const result = refTo(resultName(name)).$ref;
        return [name, { scope, idempotency, advertised, params, result }];
      }),
    ),
    events: Object.fromEntries(
      GATEWAY_EVENTS.map(({ name, scope }) => [
        name,
        { scope, payload: refTo(eventName(name)).$ref },
      ]),
    ),
    definitions: defineAll(namedSchemas()),
  };
}

/** The first name a schema gets is its definition; every later name is a reference to it. */
function defineAll(named: ReadonlyMap<string, object>): Readonly<Record<string, SchemaNode>> {
  const names = new Map<object, string>();
  for (const [name, schema] of named) {
    if (!names.has(identity(schema))) names.set(identity(schema), name);
  }
  const nameOf = (schema: object): string | undefined => names.get(identity(schema));
  return Object.fromEntries(
    [...named].map(([name, schema]) => {
      const owner = nameOf(schema);
      const isAlias = owner !== undefined && owner !== name;
      return [name, isAlias ? refTo(owner) : toDraft07(schema, nameOf, name)];
    }),
  );
}

/**
 * What makes two schemas the same one. `Type.Optional` copies the schema it is given, but not what
 * is inside, so an object is known by its `properties` and a union by its `anyOf`.
 */
function identity(schema: object): object {
  const inner: unknown = Reflect.get(schema, "properties") ?? Reflect.get(schema, "anyOf");
  return typeof inner === "object" && inner !== null ? inner : schema;
}
