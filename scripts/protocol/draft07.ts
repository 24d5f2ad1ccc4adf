/**
 * TypeBox to JSON Schema draft-07: copies the keywords that mean the same in both, and nothing else.
 *
 * A schema that is exported by name becomes a `$ref` wherever else it is used. A keyword that is
 * not in the list below stops the export: guessing what a newer draft's keyword would mean to a
 * draft-07 reader is how two validators come to disagree.
 */
export interface SchemaNode {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
}

/** In the order they are written, so that the export does not depend on how TypeBox orders them. */
const KEYWORDS = [
  "description",
  "type",
  "const",
  "enum",
  "anyOf",
  "not",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "items",
  "minItems",
  "maxItems",
  "uniqueItems",
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
] as const satisfies readonly (keyof SchemaNode)[];

const KNOWN: ReadonlySet<string> = new Set(KEYWORDS);

export class ExportError extends Error {
  override readonly name = "ExportError";
}

/** Finds the name under which a schema is exported, if it is. */
export type NameOf = (schema: object) => string | undefined;

/** The schema at `path` (for the error message), as draft-07. */
export function toDraft07(schema: object, nameOf: NameOf, path: string): SchemaNode {
  const unknown = Object.keys(schema).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw new ExportError(`${path}: no draft-07 form for "${unknown}"`);
  const entries = KEYWORDS.filter((key) => Object.hasOwn(schema, key)).map((key) => {
    const value: unknown = Reflect.get(schema, key);
    return [key, exportValue(key, value, nameOf, `${path}/${key}`)] as const;
  });
  return Object.fromEntries(entries);
}

function exportValue(keyword: string, value: unknown, nameOf: NameOf, path: string): unknown {
  const one = (schema: unknown, at: string): SchemaNode => {
    const name = nameOf(asObject(schema, at));
    return name === undefined ? toDraft07(asObject(schema, at), nameOf, at) : refTo(name);
  };
  switch (keyword) {
    case "items":
    case "not":
      return one(value, path);
    case "anyOf":
    case "properties":
    case "patternProperties": {
      const members = Object.entries(asObject(value, path)).map(
        ([key, schema]) => [key, one(schema, `${path}/${key}`)] as const,
      );
      return keyword === "anyOf" ? members.map(([, node]) => node) : Object.fromEntries(members);
    }
    case "additionalProperties":
      if (typeof value === "boolean") return value;
      throw new ExportError(`${path}: only true and false can be exported`);
    default:
      return value;
  }
}

export function refTo(name: string): { readonly $ref: string } {
  return { $ref: `#/definitions/${name}` };
}

function asObject(value: unknown, path: string): object {
  if (typeof value === "object" && value !== null) return value;
  throw new ExportError(`${path}: a schema must be an object`);
}
