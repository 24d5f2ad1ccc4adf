import { Type, type TProperties } from "@atrium/schema";
import { AnyObject, Count, Timestamp, strictObject } from "../scalars.ts";
import { ProjectId } from "./ids.ts";

/** Something that happened to a project, under its name. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- what it makes is its type
export function timelineEvent<const Name extends string, Members extends TProperties>(
  name: Name,
  members: Members,
) {
  return strictObject({
    /** Where it stands in the log; left out for what only this connection is told. */
    seq: Type.Optional(Count),
    name: Type.Literal(name),
    project_id: ProjectId,
    at: Type.Optional(Timestamp),
    ...members,
    meta: Type.Optional(AnyObject),
  });
}
