/** What a Swift file of models is made of: the step between a schema and Swift text. */

export interface Field {
  /** The name on the wire. */
  readonly key: string;
  readonly name: string;
  /** Without the question mark. */
  readonly type: string;
  /** The member may be absent. */
  readonly isOptional: boolean;
  /** The member may be null. */
  readonly isNullable: boolean;
  /** What the initializer assumes; for members with one possible value. */
  readonly initial?: string | undefined;
  readonly doc?: string | undefined;
}

export interface EnumCase {
  readonly name: string;
  readonly value: string;
}

interface TaggedCase extends EnumCase {
  readonly type: string;
}

interface Named {
  readonly name: string;
  readonly doc?: string | undefined;
}

export interface StructDeclaration extends Named {
  readonly kind: "struct";
  readonly fields: readonly Field[];
  readonly nested: readonly Declaration[];
}

export interface EnumDeclaration extends Named {
  readonly kind: "enum";
  readonly cases: readonly EnumCase[];
}

/** One of several structs, told apart by the string under `tag`. */
export interface TaggedDeclaration extends Named {
  readonly kind: "tagged";
  readonly tag: string;
  readonly cases: readonly TaggedCase[];
  readonly nested: readonly Declaration[];
}

interface AliasDeclaration extends Named {
  readonly kind: "alias";
  readonly type: string;
}

export type Declaration =
  | StructDeclaration
  | EnumDeclaration
  | TaggedDeclaration
  | AliasDeclaration;
