/** Fields of frames from a gateway of whatever version: read if they are there and what they should be. */
import { own } from "@atrium/wire";
import { fieldsOf, listOf, numberIn, textIn, type Fields } from "../turn/json-fields.ts";

export function countIn(fields: Fields, name: string): number {
  return Math.round(numberIn(fields, name));
}

export function listIn(fields: Fields, name: string): readonly Fields[] {
  return listOf(own(fields, name));
}

/** The text of a message or a tool's result, whichever way it is written; undefined: there is none. */
export function contentText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const fields = fieldsOf(value);
  const { content } = fields;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return textIn(fields, "text");
  return listOf(content)
    .flatMap((part) => textIn(part, "text") ?? [])
    .join("");
}
