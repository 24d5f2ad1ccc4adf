/** Looks into JSON that others wrote: what is not as expected is as if it were not there. */
import { own, parseJson } from "@atrium/wire";

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function parseFields(text: string): Fields | undefined {
  const value = parseJson(text);
  return isFields(value) ? value : undefined;
}

export function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === "string" ? value : otherwise;
}

export function textIn(fields: Fields, name: string): string | undefined {
  return textOr(own(fields, name), undefined);
}

export function numberIn(fields: Fields, name: string): number {
  const value = own(fields, name);
  return typeof value === "number" && value > 0 ? value : 0;
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
