/**
 * Where something stands in the log, as peers see it. Positions compare within one epoch;
 * a peer that comes back with another epoch must start from a snapshot.
 */
import { type Static } from "@atrium/schema";
import { Count, NonEmptyString, strictObject } from "./scalars.ts";

export const Position = strictObject({ epoch: NonEmptyString, seq: Count });
export type Position = Static<typeof Position>;
