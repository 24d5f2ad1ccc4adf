/** The small schemas that every protocol here is built from. */
import { Type, type TObject, type TProperties } from "@atrium/schema";

export const NonEmptyString = Type.String({ minLength: 1 });
/** Zero or more; counts, sequence numbers, durations in whole units. */
export const Count = Type.Integer({ minimum: 0 });
/** Milliseconds since 1970. */
export const Timestamp = Type.Integer({ minimum: 0 });

/** Objects on the wire are closed unless a schema says why not. */
export const closed = { additionalProperties: false } as const;
export const strictObject = <Members extends TProperties>(members: Members): TObject<Members> =>
  Type.Object(members, closed);
/** Something a peer attaches for itself. */
export const AnyObject = Type.Record(Type.String(), Type.Unknown());
