import { Type, type TEnum } from "@atrium/schema";

/** One of these words. */
export function oneOf<const Words extends string[]>(words: readonly [...Words]): TEnum<Words> {
  return Type.Enum([...words]);
}
