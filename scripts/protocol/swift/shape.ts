/** Questions about a schema node: what kind of union is this? */
import type { SchemaNode } from "../draft07.ts";

export type Definitions = Readonly<Record<string, SchemaNode>>;

export function refName(ref: string): string {
  return ref.replace("#/definitions/", "");
}

/** The node without its null alternative, and whether it had one. */
export function withoutNull(node: SchemaNode): {
  readonly node: SchemaNode;
  readonly isNullable: boolean;
} {
  const members = node.anyOf ?? [];
  const [only, ...more] = members.filter((member) => member.type !== "null");
  if (only === undefined || more.length + 1 === members.length) return { node, isNullable: false };
  return { node: more.length === 0 ? only : { ...node, anyOf: [only, ...more] }, isNullable: true };
}

/** The values of a node that is one of a few fixed strings. */
export function stringsOf(node: SchemaNode): readonly string[] | undefined {
  const values = node.enum ?? (node.anyOf ?? [node]).map((member) => member.const);
  return values.every((value) => typeof value === "string") ? values : undefined;
}

export interface TaggedMembers {
  readonly tag: string;
  readonly members: readonly { readonly value: string; readonly node: SchemaNode }[];
}

/**
 * A union of objects that all have one required property, each with fixed strings of its own. An object
 * with several is a case for each, and has to have a name, because no type is declared twice.
 */
export function taggedMembers(
  node: SchemaNode,
  definitions: Definitions,
): TaggedMembers | undefined {
  const members = node.anyOf ?? [];
  const objects = members.map((member) =>
    member.$ref === undefined ? member : definitions[refName(member.$ref)],
  );
  for (const tag of objects[0]?.required ?? []) {
    const values = objects.map((object) => tagValues(object, tag));
    const isTag = values.every((each, at) => {
      return each.length === 1 || (each.length > 1 && members[at]?.$ref !== undefined);
    });
    if (!isTag || new Set(values.flat()).size !== values.flat().length) continue;
    return {
      tag,
      members: members.flatMap((each, at) =>
        (values[at] ?? []).map((value) => ({ node: each, value })),
      ),
    };
  }
  return undefined;
}

function tagValues(node: SchemaNode | undefined, tag: string): readonly string[] {
  const property = node?.properties?.[tag];
  if (property === undefined || !node?.required?.includes(tag)) return [];
  return stringsOf(property) ?? [];
}
