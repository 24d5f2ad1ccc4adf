/** OpenAI wire: `GET /v1/models` and `GET /v1/models/{id}`. A model is an agent. */
import { Type, type Static } from "@atrium/schema";
import { closed, Count, NonEmptyString } from "../scalars.ts";

export const Model = Type.Object(
  {
    id: NonEmptyString,
    object: Type.Literal("model"),
    created: Count,
    owned_by: NonEmptyString,
  },
  closed,
);
export type Model = Static<typeof Model>;

export const ModelList = Type.Object(
  { object: Type.Literal("list"), data: Type.Array(Model) },
  closed,
);
export type ModelList = Static<typeof ModelList>;
