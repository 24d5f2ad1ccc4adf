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

/** A union of objects that all have one required property, each with a fixed string of its own. */
export function taggedMembers(
  node: SchemaNode,
  definitions: Definitions,
): TaggedMembers | undefined {
  const members = node.anyOf ?? [];
  const objects = members.map((member) =>
    member.$ref === undefined ? member : definitions[refName(member.$ref)],
  );
  for (const tag of objects[0]?.required ?? []) {
    const values = objects.map((object) => tagValue(object, tag));
    const isTag = values.every((value) => value !== undefined);
    if (!isTag || new Set(values).size !== values.length) continue;
    return {
      tag,
      members: members.map((member, index) => ({ node: member, value: values[index] ?? "" })),
    };
  }
  return undefined;
}

function tagValue(node: SchemaNode | undefined, tag: string): string | undefined {
  const value = node?.properties?.[tag]?.const;
  return typeof value === "string" && node?.required?.includes(tag) ? value : undefined;
}
