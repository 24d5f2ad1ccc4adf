/** Objects that one member tells apart (`type`, unless said otherwise), from a table of what each has besides it. */
export type TaggedUnion<Table extends object, Tag extends string = "type"> = {
  [Name in keyof Table]: Readonly<Record<Tag, Name> & Table[Name]>;
}[keyof Table];
