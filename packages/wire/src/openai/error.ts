/** OpenAI wire: how everything that goes wrong is told, as an answer or inside a stream. */
import { Type, type Static } from "@atrium/schema";
import { closed, NonEmptyString } from "../scalars.ts";

export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        message: NonEmptyString,
        type: NonEmptyString,
        param: Type.Union([NonEmptyString, Type.Null()]),
        code: Type.Union([NonEmptyString, Type.Null()]),
      },
      closed,
    ),
  },
  closed,
);
export type ErrorBody = Static<typeof ErrorBody>;
