/** The small schemas that every protocol here is built from. */
import { Type, type TLiteral, type TObject, type TProperties, type TUnion } from "@atrium/schema";

export const NonEmptyString = Type.String({ minLength: 1 });
/** Zero or more; counts, sequence numbers, durations in whole units. */
export const Count = Type.Integer({ minimum: 0 });
/** Milliseconds since 1970. */
export const Timestamp = Type.Integer({ minimum: 0 });

/** Objects on the wire are closed unless a schema says why not. */
export const strictObject = <Members extends TProperties>(members: Members): TObject<Members> =>
  Type.Object(members, { additionalProperties: false });
/** Something a peer attaches for itself. */
export const AnyObject = Type.Record(Type.String(), Type.Unknown());

type LiteralsOf<Words extends readonly string[]> = {
  -readonly [Index in keyof Words]: TLiteral<Words[Index]>;
};

/** One of these words, each a constant of its own in the exported schema. */
export function literals<const Words extends readonly string[]>(
  ...words: Words
): TUnion<LiteralsOf<Words>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a map over a tuple has its length and order
  return Type.Union(words.map((word) => Type.Literal(word))) as unknown as TUnion<
    LiteralsOf<Words>
  >;
}
