/**
 * TypeBox, as much of it as we use.
 *
 * The library is 709 modules, which cost every process a quarter of a second and 25 MB; scripts/build.mjs
 * makes one file of them. At run time that file is what you import; the types come from here.
 */
export { Type } from "typebox";
export type {
  Static,
  TEnum,
  TLiteral,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TUnion,
  TUnsafe,
} from "typebox";
export { Compile } from "typebox/compile";
export type { Validator } from "typebox/compile";
export type { TLocalizedValidationError } from "typebox/error";
export { checkLater, type LaterCheck } from "./check-later.ts";
