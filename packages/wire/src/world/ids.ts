/** What the world protocol calls things. Ids we make fit these; ids we are given are looked up. */
import { Type } from "@atrium/schema";

const named = (prefix: string) =>
  Type.String({ pattern: `^${prefix}_[a-z][a-z0-9]*(?:_[a-z0-9]+)*$`, maxLength: 128 });

export const AgentId = named("agent");
export const ProjectId = named("proj");
export const TaskId = named("task");
export const ArtifactId = named("art");
export const DecisionId = named("dec");
export const PoiId = named("poi");
export const SceneId = Type.String({ minLength: 1, maxLength: 128 });
/** Something a client names; whether there is such a thing is found by looking. */
export const GivenId = Type.String({ minLength: 1, maxLength: 128 });

/** Meters: east, up, south. A list of three rather than a tuple, which every draft of JSON Schema writes its own way. */
export const Point = Type.Unsafe<[number, number, number]>(
  Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }),
);

/** For what belongs to no project: the protocol wants one with every event. */
export const SYSTEM_PROJECT = "proj_boot";
