/**
 * Where something stands in the log, as peers see it. Positions compare within one epoch;
 * a peer that comes back with another epoch must start from a snapshot.
 */
import { Type, type Static } from "@atrium/schema";
import { Count, NonEmptyString, closed } from "./scalars.ts";

export const Position = Type.Object({ epoch: NonEmptyString, seq: Count }, closed);
export type Position = Static<typeof Position>;
