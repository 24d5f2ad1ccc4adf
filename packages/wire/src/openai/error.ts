/** OpenAI wire: how everything that goes wrong is told, as an answer or inside a stream. */
import { Type, type Static } from "@atrium/schema";
import { NonEmptyString, strictObject } from "../scalars.ts";

export const ErrorBody = strictObject({
  error: strictObject({
    message: NonEmptyString,
    type: NonEmptyString,
    param: Type.Union([NonEmptyString, Type.Null()]),
    code: Type.Union([NonEmptyString, Type.Null()]),
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;
