/**
 * Everything that is one change away from a value: each key dropped, odd keys added, each part
 * replaced.
 *
 * A change may or may not break the schema: whoever uses these compares two verdicts and does not
 * assume one. The replacements stand on both sides of every limit that the schema mentions.
 */
import type { SchemaNode } from "../draft07.ts";
import type { Resolve } from "./arbitrary.ts";

/** Keys that come with every object, or that assignment treats in its own way. */
const ODD_KEYS = ["unknown", "", "__proto__", "constructor", "toString", "a\nb"];

export function* changesOf(value: unknown, replacements: readonly unknown[]): Generator {
  yield* replacements;
  if (isList(value)) {
    for (const replacement of replacements) yield [...value, replacement];
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const change of changesOf(item, replacements)) yield value.with(index, change);
    }
  }
  if (!isObject(value)) return;
  for (const key of ODD_KEYS) yield withKey(value, key, null);
  for (const [key, item] of Object.entries(value)) {
    yield Object.fromEntries(Object.entries(value).filter(([each]) => each !== key));
    for (const change of changesOf(item, replacements)) yield withKey(value, key, change);
  }
}

/** One of each kind of value, and strings and numbers around each limit the schema mentions. */
export function replacementsFor(node: SchemaNode, resolve: Resolve): readonly unknown[] {
  const limits = [...new Set(limitsOf(node, resolve))];
  const numbers = limits.flatMap((limit) => [limit - 1, limit, limit + 0.5, limit + 1]);
  const lengths = new Set(numbers.filter((limit) => Number.isInteger(limit) && limit >= 0));
  const strings = [...lengths]
    .filter((length) => length <= MAX_CHARS)
    .flatMap((length) => UNITS.map((unit) => unit.repeat(length)));
  return [...KINDS, ...numbers, ...strings];
}

const KINDS = [null, true, false, [], {}, "", "x", -0.5, 0.5, 1e300, 2 ** 53];
/** One, two and many UTF-16 units to a character, and half a character. */
const UNITS = ["x", "\u{1F600}", "e\u0301", "\uD800"];
const MAX_CHARS = 1000;
const LIMITS = ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"] as const;

function limitsOf(node: SchemaNode, resolve: Resolve): readonly number[] {
  const children = [
    ...(node.$ref === undefined ? [] : [resolve(node.$ref)]),
    ...(node.items === undefined ? [] : [node.items]),
    ...(node.anyOf ?? []),
    ...Object.values(node.properties ?? {}),
    ...Object.values(node.patternProperties ?? {}),
  ];
  return [
    ...LIMITS.flatMap((keyword) => node[keyword] ?? []),
    ...children.flatMap((child) => limitsOf(child, resolve)),
  ];
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As JSON.parse would make it, so `__proto__` is a key like any other. */
function withKey(object: object, key: string, value: unknown): object {
  return Object.fromEntries([...Object.entries(object), [key, value]]);
}
