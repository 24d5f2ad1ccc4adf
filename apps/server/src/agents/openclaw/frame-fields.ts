/** Fields of frames from a gateway of whatever version: read if they are there and what they should be. */
import { own } from "@atrium/wire";
export type FrameFields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): FrameFields {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every object has unknown fields
  return typeof value === "object" && value !== null ? (value as FrameFields) : {};
}

export function textIn(fields: FrameFields, name: string): string | undefined {
  const value = own(fields, name);
  return typeof value === "string" ? value : undefined;
}

export function countIn(fields: FrameFields, name: string): number {
  const value = own(fields, name);
  return typeof value === "number" && value > 0 ? Math.round(value) : 0;
}

export function listIn(fields: FrameFields, name: string): readonly FrameFields[] {
  const value: unknown = own(fields, name);
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** The text of a message or a tool's result, whichever way it is written; undefined: there is none. */
export function contentText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const fields = fieldsOf(value);
  const { content } = fields;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return textIn(fields, "text");
  const texts = listIn(fields, "content").flatMap((part) => textIn(part, "text") ?? []);
  return texts.join("");
}
