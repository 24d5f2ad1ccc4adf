/**
 * Schema definitions to Swift declarations.
 *
 * Objects become structs, unions of strings become enums, unions of tagged objects become enums
 * with values, `T | null` becomes an optional, and what the schema leaves open is AnyCodable.
 * A shape without a Swift form is an error here, not a surprise in an app.
 */
import { ExportError, type SchemaNode } from "../draft07.ts";
import type { Declaration, EnumCase, Field } from "./declaration.ts";
import { memberName, nestedTypeName } from "./names.ts";
import {
  refName,
  stringsOf,
  taggedMembers,
  withoutNull,
  type Definitions,
  type TaggedMembers,
} from "./shape.ts";

/** Where a type is being declared. */
interface Scope {
  readonly definitions: Definitions;
  /** Takes the declarations that a use turns out to need. */
  readonly into: Declaration[];
}

/** A type as a member uses it. */
interface Use {
  readonly type: string;
  readonly isNullable: boolean;
  /** How Swift writes the only value there is. */
  readonly initial?: string;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: "String",
  integer: "Int",
  number: "Double",
  boolean: "Bool",
};

/** The declarations of one definition: usually one, sometimes with a type it needs before it. */
export function declare(name: string, definitions: Definitions): readonly Declaration[] {
  const node = definitions[name];
  if (node === undefined) throw new ExportError(`no definition ${name}`);
  const into: Declaration[] = [];
  // An optional type cannot be declared, only named: the alias gets the name, the type another.
  const typeName = withoutNull(node).isNullable ? `${name}Value` : name;
  const use = useOf(typeName, node, { definitions, into });
  if (use.type === name) return into;
  return [...into, { kind: "alias", name, doc: node.description, type: written(use) }];
}

/** The type of a node; `name` is what a type of its own would be called. */
function useOf(name: string, node: SchemaNode, scope: Scope): Use {
  const { node: present, isNullable } = withoutNull(node);
  if (isNullable) return { ...useOf(name, present, scope), isNullable };
  if (node.$ref !== undefined) return plain(refName(node.$ref));
  const strings = stringsOf(node);
  if (strings !== undefined) return declareEnum(name, node, strings, scope);
  if (node.properties !== undefined) return declareStruct(name, node, scope);
  const tagged = taggedMembers(node, scope.definitions);
  if (tagged !== undefined) return declareTagged(name, node, tagged, scope);
  return plainUse(name, node, scope);
}

function declareEnum(
  name: string,
  { description: doc }: SchemaNode,
  values: readonly string[],
  { into }: Scope,
): Use {
  const cases = values.map(enumCase);
  into.push({ kind: "enum", name, doc, cases: unique(name, cases) });
  const [only, ...others] = cases;
  const isFixed = only !== undefined && others.length === 0;
  return { ...plain(name), ...(isFixed && { initial: `.${only.name}` }) };
}

function declareStruct(name: string, node: SchemaNode, { definitions, into }: Scope): Use {
  const nested: Declaration[] = [];
  const outer = new Set([...Object.keys(definitions), name]);
  const required = new Set(node.required);
  const fields = Object.entries(node.properties ?? {}).map(([key, property]): Field => {
    const use = useOf(nestedTypeName(key, outer), property, { definitions, into: nested });
    const isOptional = !required.has(key);
    return {
      key,
      name: memberName(key),
      type: use.type,
      isOptional,
      isNullable: use.isNullable,
      initial: isOptional ? undefined : use.initial,
      doc: property.description,
    };
  });
  into.push({
    kind: "struct",
    name,
    doc: node.description,
    fields: unique(name, fields),
    nested: unique(name, nested),
  });
  return plain(name);
}

function declareTagged(
  name: string,
  { description: doc }: SchemaNode,
  { tag, members }: TaggedMembers,
  { definitions, into }: Scope,
): Use {
  const nested: Declaration[] = [];
  const outer = new Set([...Object.keys(definitions), name]);
  const cases = members.map(({ value, node }) => {
    const use = useOf(nestedTypeName(value, outer), node, { definitions, into: nested });
    return { ...enumCase(value), type: use.type };
  });
  into.push({ kind: "tagged", name, doc, tag, cases: unique(name, cases), nested });
  return plain(name);
}

function plainUse(name: string, node: SchemaNode, scope: Scope): Use {
  const scalar = SCALARS[node.type ?? ""];
  if (scalar !== undefined) {
    const isFixed = node.const !== undefined;
    return { ...plain(scalar), ...(isFixed && { initial: String(node.const) }) };
  }
  const item = (child: SchemaNode): string => written(useOf(`${name}Item`, child, scope));
  if (node.type === "array" && node.items !== undefined) return plain(`[${item(node.items)}]`);
  if (node.type === "object") {
    const [values = {}, ...others] = Object.values(node.patternProperties ?? {});
    return plain(`[String: ${item(others.length === 0 ? values : {})}]`);
  }
  // Anything at all, nothing at all, or one of several shapes that carry no tag.
  const isOpen =
    Object.keys(node).length === 0 || node.not !== undefined || node.anyOf !== undefined;
  if (isOpen || node.type === "null") return plain("AnyCodable");
  throw new ExportError(`${name}: no Swift form for ${JSON.stringify(node)}`);
}

const plain = (type: string): Use => ({ type, isNullable: false });

const written = (use: Use): string => (use.isNullable ? `${use.type}?` : use.type);

const enumCase = (value: string): EnumCase => ({ name: memberName(value), value });

function unique<Item extends { readonly name: string }>(
  owner: string,
  items: readonly Item[],
): readonly Item[] {
  const names = items.map((item) => item.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return items;
  throw new ExportError(`${owner}: two members want the Swift name ${twice}`);
}
