/** A setting's value as the text of a field, and back. Pure. */
import type { SettingRow } from "./setting-rows.ts";

export type FieldValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** In one line, as it is read. */
export function shownText({ kind, value }: SettingRow, language: string): string {
  if (value === undefined) return "";
  if (typeof value === "number") return value.toLocaleString(language);
  if (kind === "texts" && Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** As it is edited. */
export function fieldText({ kind, value }: SettingRow): string {
  if (value === undefined) return "";
  if (kind === "texts" && Array.isArray(value)) return value.join("\n");
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

export function valueFrom({ kind, options }: SettingRow, text: string): FieldValue {
  switch (kind) {
    case "text":
      return { ok: true, value: text };
    case "number": {
      const number = Number(text);
      return text.trim() === "" || Number.isNaN(number)
        ? { ok: false }
        : { ok: true, value: number };
    }
    case "choice":
      return { ok: true, value: options.join() === "true,false" ? text === "true" : text };
    case "texts":
      return { ok: true, value: linesOf(text) };
    case "json":
      return parse(text);
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function parse(text: string): FieldValue {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}
