/**
 * What a change of a published schema breaks, by the rules of docs/protocol-compatibility-policy.md. Pure: two documents in,
 * one line for each break out.
 *
 *   what we send      a definition, a member, or a promise that it is there is taken away; a type changes; what used to be
 *                     one of few values may be one more (clients must ignore names they do not know, so only where the
 *                     member is no name)
 *   what we receive   a member becomes required; a member, a value or a length that was taken no longer is
 */
export type Schema = { readonly [Name in string]?: unknown };

export interface Breaks {
  readonly before: Schema;
  readonly after: Schema;
  /** Whether a definition is something that we receive. */
  readonly isReceived: (definition: string) => boolean;
}

type Side = "sent" | "received";

export function findBreaks({ before, after, isReceived }: Breaks): readonly string[] {
  const old = membersOf(before["definitions"]);
  const now = membersOf(after["definitions"]);
  return [...old].flatMap(([name, schema]) => {
    const next = now.get(name);
    if (next === undefined) return [`${name}: is gone`];
    return compare(name, toSchema(schema), toSchema(next), isReceived(name) ? "received" : "sent");
  });
}

function compare(path: string, before: Schema, after: Schema, side: Side): readonly string[] {
  return [
    ...compareType(path, before, after),
    ...compareValues(path, before, after, side),
    ...compareMembers(path, before, after, side),
    ...compareLimits(path, before, after, side),
    ...compareItems(path, before, after, side),
    ...compareVariants(path, before, after, side),
  ];
}

function compareType(path: string, before: Schema, after: Schema): readonly string[] {
  const [old, now] = [before["type"], after["type"]].map((type) => JSON.stringify(type));
  if (old === undefined || now === undefined || old === now) return [];
  // Every integer is a number.
  return old === '"integer"' && now === '"number"' ? [] : [`${path}: was ${old}, is ${now}`];
}

/** A constant, or one of a few. */
function compareValues(path: string, before: Schema, after: Schema, side: Side): readonly string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined || now === undefined) return [];
  const gone = old.filter((value) => !now.includes(value));
  if (side === "received") return gone.map((value) => `${path}: ${value} is no longer taken`);
  // A tag that says which variant this is must stay; what is added to a list of names is ignored by those who do not know it.
  return now.length === 1 && gone.length > 0 ? [`${path}: ${gone.join(", ")} is gone`] : [];
}

function compareMembers(
  path: string,
  before: Schema,
  after: Schema,
  side: Side,
): readonly string[] {
  const [old, now] = [membersOf(before["properties"]), membersOf(after["properties"])];
  const [needed, needs] = [namesIn(before["required"]), namesIn(after["required"])];
  const isClosed = after["additionalProperties"] === false;
  const inner = [...old].flatMap(([name, schema]) => {
    const next = now.get(name);
    const at = `${path}/${name}`;
    if (next !== undefined) return compare(at, toSchema(schema), toSchema(next), side);
    if (side === "sent") return [`${at}: is gone`];
    return isClosed ? [`${at}: is no longer taken`] : [];
  });
  if (side === "sent") {
    const lost = [...needed].filter((name) => !needs.has(name) && now.has(name));
    return [...inner, ...lost.map((name) => `${path}/${name}: is no longer always there`)];
  }
  const added = [...needs].filter((name) => !needed.has(name));
  return [...inner, ...added.map((name) => `${path}/${name}: is now required`)];
}

const LIMITS = [
  ["maxLength", 1],
  ["maxItems", 1],
  ["maximum", 1],
  ["minLength", -1],
  ["minItems", -1],
  ["minimum", -1],
] as const;

/** What was short enough must stay so. */
function compareLimits(path: string, before: Schema, after: Schema, side: Side): readonly string[] {
  if (side === "sent") return [];
  const tighter = LIMITS.filter(([name, sign]) => {
    const [old, now] = [before[name], after[name]];
    if (typeof now !== "number") return false;
    return typeof old !== "number" || sign * now < sign * old;
  });
  const limits = tighter.map(([name]) => `${path}: ${name} is tighter`);
  const isNewPattern = after["pattern"] !== undefined && after["pattern"] !== before["pattern"];
  return isNewPattern ? [...limits, `${path}: another pattern`] : limits;
}

function compareItems(path: string, before: Schema, after: Schema, side: Side): readonly string[] {
  const [old, now] = [before["items"], after["items"]];
  if (!isSchema(old) || !isSchema(now)) return [];
  return compare(`${path}[]`, old, now, side);
}

/** Variants are told apart by their tag, else by their place. */
function compareVariants(
  path: string,
  before: Schema,
  after: Schema,
  side: Side,
): readonly string[] {
  const [old, now] = [variantsOf(before), variantsOf(after)];
  if (old.size === 0 || now.size === 0) return [];
  return [...old].flatMap(([tag, schema]) => {
    const next = now.get(tag);
    return next === undefined
      ? [`${path}<${tag}>: is gone`]
      : compare(`${path}<${tag}>`, schema, next, side);
  });
}

function variantsOf(schema: Schema): ReadonlyMap<string, Schema> {
  const list = schema["anyOf"] ?? schema["oneOf"];
  const variants = Array.isArray(list) ? list.filter(isSchema) : [];
  // A union of constants is a list of values.
  if (variants.every((each) => "const" in each)) return new Map();
  return new Map(variants.map((each, at) => [tagOf(each) ?? String(at), each]));
}

function tagOf(schema: Schema): string | undefined {
  const { $ref } = schema;
  if (typeof $ref === "string") return $ref;
  const members = membersOf(schema["properties"]);
  for (const name of ["name", "type", "kind"]) {
    const member = members.get(name);
    if (isSchema(member) && "const" in member) return String(member["const"]);
  }
  return undefined;
}

function valuesOf(schema: Schema): readonly string[] | undefined {
  if ("const" in schema) return [JSON.stringify(schema["const"])];
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value));
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || !anyOf.every((each) => isSchema(each) && "const" in each)) {
    return undefined;
  }
  return anyOf.map((each: Schema) => JSON.stringify(each["const"]));
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isSchema(value) ? Object.entries(value) : []);
}

function namesIn(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((name) => typeof name === "string") : []);
}

function toSchema(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
