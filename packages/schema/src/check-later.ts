/** Checks that are compiled when they are first needed: most never are, and each costs memory and time to start. */
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";

export interface LaterCheck<Schema extends TSchema> {
  Check(value: unknown): value is Static<Schema>;
  Errors(value: unknown): ReturnType<ReturnType<typeof Compile<Schema>>["Errors"]>;
}

export function checkLater<Schema extends TSchema>(schema: Schema): LaterCheck<Schema> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined;
  const validator = (): ReturnType<typeof Compile<Schema>> => (compiled ??= Compile(schema));
  return {
    Check: (value): value is Static<Schema> => validator().Check(value),
    Errors: (value) => validator().Errors(value),
  };
}
