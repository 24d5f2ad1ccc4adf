/**
 * Random values that a schema allows, made from the schema itself.
 *
 * Reads any draft-07 node of the kinds we or our peers use; it proves nothing by itself, so every
 * test that uses it also asks a validator.
 */
import * as fc from "fast-check";
import type { SchemaNode } from "../draft07.ts";

export type Resolve = (ref: string) => SchemaNode;

/** Undefined when no value is allowed. */
export function arbitraryFor(
  node: SchemaNode,
  resolve: Resolve,
): fc.Arbitrary<unknown> | undefined {
  if (node.$ref !== undefined) return arbitraryFor(resolve(node.$ref), resolve);
  if (node.not !== undefined) return undefined;
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.anyOf !== undefined) {
    return fc.oneof(...node.anyOf.flatMap((member) => arbitraryFor(member, resolve) ?? []));
  }
  const make = BY_TYPE[node.type ?? ""];
  return make === undefined ? fc.jsonValue() : make(node, resolve);
}

const BY_TYPE: Readonly<
  Record<string, (node: SchemaNode, resolve: Resolve) => fc.Arbitrary<unknown>>
> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }) =>
    fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }),
  number: ({ minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE }) =>
    fc.double({ min: minimum, max: maximum, noNaN: true }),
  string: arbitraryString,
  array: arbitraryArray,
  object: arbitraryObject,
};

function arbitraryString({ minLength = 0, maxLength, pattern }: SchemaNode): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"));
  const short = points(minLength, Math.min(maxLength ?? Infinity, minLength + 6));
  const long = points(maxLength ?? LONG, maxLength ?? LONG);
  return fc.oneof({ weight: 9, arbitrary: short }, { weight: 1, arbitrary: long });
}

/** Longer than any limit that one side has and the other may have forgotten. */
const LONG = 130;

/**
 * Code points of every width: the count of them and of UTF-16 units must not be mixed up by anyone.
 * (The library's own units for this take more than a second to set up.)
 */
const POINT = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

function points(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: POINT, minLength, maxLength });
}

function arbitraryArray(node: SchemaNode, resolve: Resolve): fc.Arbitrary<unknown> {
  const item = arbitraryFor(node.items ?? {}, resolve);
  if (item === undefined) return fc.constant([]);
  const minLength = node.minItems ?? 0;
  const maxLength = Math.min(node.maxItems ?? Infinity, minLength + 2);
  return node.uniqueItems === true
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (each) => JSON.stringify(each) })
    : fc.array(item, { minLength, maxLength });
}

function arbitraryObject(node: SchemaNode, resolve: Resolve): fc.Arbitrary<unknown> {
  const properties = Object.entries(node.properties ?? {}).flatMap(([key, property]) => {
    const value = arbitraryFor(property, resolve);
    return value === undefined ? [] : [[key, value] as const];
  });
  const known = fc.record(Object.fromEntries(properties), {
    requiredKeys: [...(node.required ?? [])],
    noNullPrototype: true,
  });
  if (node.additionalProperties === false && node.patternProperties === undefined) return known;
  const [values = {}] = Object.values(node.patternProperties ?? {});
  const rest = fc.dictionary(fc.string(), arbitraryFor(values, resolve) ?? fc.constant(null), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.tuple(rest, known).map(([others, named]) => ({ ...others, ...named }));
}
