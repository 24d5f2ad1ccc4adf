/**
 * Every setting as a row that a person can read and change, made of the schema that the server gives and of what is in
 * effect. Pure.
 */
import { own } from "@atrium/wire";
import { fieldsOf, listOf, textOf, type Fields } from "../../../app/server/json-fields.ts";

export type RowKind = "text" | "number" | "choice" | "texts" | "json";

export interface SettingRow {
  readonly path: readonly string[];
  /** Rows of one group stand together: `limits`, `runtimes.claude`. */
  readonly group: string;
  readonly description: string;
  readonly kind: RowKind;
  readonly options: readonly string[];
  readonly isWhole: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** Undefined: it is not set, and nothing else holds in its place that could be shown. */
  readonly value: unknown;
  /** There is a value, and nobody is shown it. */
  readonly isHidden: boolean;
  readonly fixed: FixedReason | undefined;
}

export interface FixedReason {
  readonly reason: string;
  readonly by?: string | undefined;
}

export interface SettingsSource {
  readonly schema: unknown;
  readonly values: Fields;
  readonly fixed: readonly (FixedReason & { readonly path: string })[];
}

/** The server's mark for a value that is not shown. */
const HIDDEN = "__OPENCLAW_REDACTED__";
const GENERAL = "";
/** An editor's business, and what is told elsewhere by its name. */
const LEFT_OUT: ReadonlySet<string> = new Set(["$schema"]);

export function readSettingRows({ schema, values, fixed }: SettingsSource): readonly SettingRow[] {
  const reasons = new Map(fixed.map((each) => [each.path, each]));
  const properties = Object.entries(fieldsOf(fieldsOf(schema)["properties"]));
  return properties.flatMap(([name, property]) => {
    if (LEFT_OUT.has(name)) return [];
    const reason = reasons.get(name);
    if (name === "agents") return crewRows(property, values, reason);
    const rows = rowsAt(fieldsOf(property), own(values, name), { path: [name], group: GENERAL });
    return rows.map((row) => ({ ...row, fixed: reason ?? reasons.get(row.path.join(".")) }));
  });
}

/** Whether what a person types is in it. */
export function isFound({ path, description }: SettingRow, query: string): boolean {
  const words = query.trim().toLowerCase().split(/\s+/);
  const text = `${path.join(".")} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The patch that sets it, or removes it with null. */
export function patchAt(
  path: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const [first = "", ...rest] = path;
  return { [first]: rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) };
}

interface Place {
  readonly path: readonly string[];
  readonly group: string;
}

function rowsAt(schema: Fields, value: unknown, { path, group }: Place): readonly SettingRow[] {
  const named = fieldsOf(schema["patternProperties"]);
  const [inner] = Object.values(named);
  if (inner !== undefined) return [wholeRow(schema, path), ...namedRows(inner, value, path)];
  const variant = variantOf(schema, value);
  const properties = Object.entries(fieldsOf(variant["properties"]));
  if (properties.length === 0) return [rowOf(schema, value, { path, group })];
  const within = path.length === 1 ? (path[0] ?? GENERAL) : group;
  return properties.flatMap(([name, property]) =>
    rowsAt(fieldsOf(property), own(fieldsOf(value), name), {
      path: [...path, name],
      group: within,
    }),
  );
}

/** Of those that people have named themselves: runtimes. */
function namedRows(schema: unknown, value: unknown, path: readonly string[]): SettingRow[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, settings]) => {
    const place = [...path, name];
    return rowsAt(fieldsOf(schema), settings, { path: place, group: place.join(".") });
  });
}

/** One that is not there yet is written as JSON. */
function wholeRow(schema: Fields, path: readonly string[]): SettingRow {
  const group = path.join(".");
  return { ...rowOf(schema, undefined, { path, group }), kind: "json" };
}

function crewRows(schema: unknown, values: Fields, fixed: FixedReason | undefined) {
  const properties = Object.entries(fieldsOf(fieldsOf(fieldsOf(schema)["items"])["properties"]));
  return listOf(values["crew"]).flatMap((member) => {
    const id = textOf(member["id"]);
    const place = { group: `agents.${id}`, path: ["agents", id] };
    return properties
      .filter(([name]) => name !== "id")
      .flatMap(([name, property]) => {
        const path = [...place.path, name];
        return rowsAt(fieldsOf(property), own(member, name), { path, group: place.group });
      })
      .map((row) => ({ ...row, fixed }));
  });
}

/** Of several shapes the one that the value's type names. */
function variantOf(schema: Fields, value: unknown): Fields {
  const type = fieldsOf(value)["type"];
  const shapes = listOf(schema["anyOf"]);
  const isOfType = (shape: Fields): boolean =>
    fieldsOf(fieldsOf(shape["properties"])["type"])["const"] === type;
  return (type === undefined ? undefined : shapes.find(isOfType)) ?? schema;
}

function rowOf(schema: Fields, value: unknown, { path, group }: Place): SettingRow {
  const options = optionsOf(schema);
  const isHidden = value === HIDDEN;
  return {
    path,
    group,
    description: textOf(schema["description"]),
    kind: options.length > 0 ? "choice" : kindOf(schema),
    options,
    isWhole: schema["type"] === "integer",
    minimum: numberOf(schema["minimum"]),
    maximum: numberOf(schema["maximum"]),
    value: isHidden ? undefined : value,
    isHidden,
    fixed: undefined,
  };
}

function optionsOf(schema: Fields): readonly string[] {
  if (schema["type"] === "boolean") return ["true", "false"];
  const constants = listOf(schema["anyOf"]).map((each) => each["const"]);
  const texts = constants.filter((each) => typeof each === "string");
  if (texts.length > 0 && texts.length === constants.length) return texts;
  return typeof schema["const"] === "string" ? [schema["const"]] : [];
}

function kindOf(schema: Fields): RowKind {
  switch (schema["type"]) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "array":
      return fieldsOf(schema["items"])["type"] === "string" ? "texts" : "json";
    default:
      return "json";
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
