/** OpenAI wire: `GET /v1/models` and `GET /v1/models/{id}`. A model is an agent. */
import { Type, type Static } from "@atrium/schema";
import { Count, NonEmptyString, strictObject } from "../scalars.ts";

export const Model = strictObject({
  id: NonEmptyString,
  object: Type.Literal("model"),
  created: Count,
  owned_by: NonEmptyString,
});
export type Model = Static<typeof Model>;

export const ModelList = strictObject({ object: Type.Literal("list"), data: Type.Array(Model) });
export type ModelList = Static<typeof ModelList>;
