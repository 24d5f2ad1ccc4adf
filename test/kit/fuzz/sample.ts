/**
 * Values that obey a schema, so that what is wrong with them afterwards is only what was put there.
 *
 * Names and ids are taken from what the server has said where it has said any under the same field name, so that calls
 * are about things that exist.
 */
import type { Chance } from "./chance.ts";
import { hostileName } from "./hostile.ts";

export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
}

/** What the server has called things, by what it was asked about and the field it said so in. */
export interface Seen {
  readonly names: (field: string) => readonly string[];
}

const NOTHING_SEEN: Seen = { names: () => [] };

const NAMING = /(?:id|key|name|type|tool)$/i;
const TEXTS = ["main", "a", "hello", "1", "[[say: hi]]", "notes"];

/** One of these fits every pattern on the wire. */
const SHAPED = [
  ...TEXTS,
  "agent_bd",
  "tsk_1",
  "prj_1",
  "abcde",
  "text/plain",
  "aGk=",
  "2026-01-01",
  "09:00",
  "12345678-1234-4234-8234-123456789012",
  "a".repeat(64),
  "https://example.com/",
  "1-2",
];

export function sample(
  schema: JsonSchema,
  chance: Chance,
  seen: Seen = NOTHING_SEEN,
  field = "",
): unknown {
  const { anyOf, allOf } = schema;
  if ("const" in schema) return schema.const;
  if (schema.enum !== undefined) return chance.pick(schema.enum);
  if (anyOf !== undefined) return sample(chance.pick(anyOf), chance, seen, field);
  if (allOf !== undefined) {
    const parts = allOf.map((part) => sample(part, chance, seen, field));
    return parts.every((part) => typeof part === "object")
      ? Object.assign({}, ...parts)
      : parts.at(-1);
  }
  switch (schema.type) {
    case "object":
      return sampleObject(schema, chance, seen);
    case "array": {
      const { items, minItems = 0 } = schema;
      if (Array.isArray(items)) return items.map((each: JsonSchema) => sample(each, chance, seen));
      const length = Math.max(minItems, chance.below(3));
      return Array.from({ length }, () => sample((items ?? {}) as JsonSchema, chance, seen, field));
    }
    case "string":
      // The same key again is the same call again, and does nothing.
      if (field === "idempotencyKey" && chance.percent(70)) return `k${chance.below(1e9)}`;
      // What a peer may name as it likes, it names badly.
      if (schema.pattern === undefined && NAMING.test(field) && chance.percent(25)) {
        return hostileName(chance);
      }
      return sampleText(schema, chance, seen.names(field));
    case "integer":
    case "number": {
      const { minimum = 0, maximum = 2_000 } = schema;
      return (
        Math.ceil(minimum) + chance.below(Math.max(1, Math.min(maximum, minimum + 500) - minimum))
      );
    }
    case "boolean":
      return chance.percent(50);
    case "null":
      return null;
    case undefined:
    default:
      return chance.pick(["x", 1, null, { a: "b" }, ["c"]]);
  }
}

function sampleObject(schema: JsonSchema, chance: Chance, seen: Seen): object {
  const { properties = {}, required = [], patternProperties = {} } = schema;
  const members = Object.entries(properties)
    .filter(([name]) => required.includes(name) || chance.percent(15))
    .map(([name, each]) => [name, sample(each, chance, seen, name)]);
  const [free] = Object.values(patternProperties);
  const extra = free === undefined ? [] : [[sampleName(chance, seen), sample(free, chance, seen)]];
  return Object.fromEntries([...members, ...extra]);
}

/** Where a peer may choose names, it chooses bad ones, or those of questions, which are answered so. */
function sampleName(chance: Chance, seen: Seen): string {
  const asked = [...seen.names("questionId"), ...seen.names("question_id")];
  return asked.length > 0 && chance.percent(50) ? chance.pick(asked) : hostileName(chance);
}

function sampleText(
  { pattern, minLength = 0 }: JsonSchema,
  chance: Chance,
  known: readonly string[],
): string {
  if (known.length > 0 && chance.percent(85)) return chance.pick(known);
  if (pattern === undefined) return chance.pick(TEXTS).padEnd(minLength, "x");
  const shape = new RegExp(pattern, "u");
  const fitting = SHAPED.filter((text) => shape.test(text) && text.length >= minLength);
  return fitting.length === 0 ? "x" : chance.pick(fitting);
}
