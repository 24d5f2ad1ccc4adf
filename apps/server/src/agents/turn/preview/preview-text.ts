/**
 * A line about work, fit for everyone who looks: one line, short, nothing hidden in it, and no secret that can be told by
 * its looks. Keys that are known are masked before this, where agents speak; this is for those that nobody told us of.
 */
import { maskShapes } from "./mask-shapes.ts";

export const MAX_PREVIEW_CHARS = 140;

const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200B\u2060\uFEFF]/gu;
const SPACES = /[\t\n\r ]+/g;
const FIRST_PICTURE = 0x24_00;
const DELETE = 0x7f;
const DELETE_PICTURE = "␡";
const LAST_C0 = 0x1f;

export function previewText(text: string): string {
  // Long enough for every secret that could begin in what is shown.
  const start = text.slice(0, MAX_PREVIEW_CHARS * 8).toWellFormed();
  const line = start.replaceAll(SPACES, " ").trim();
  return cut(maskShapes(line).replaceAll(UNSEEN, pictureOf));
}

/** Visible, so that nothing looks like something else. */
function pictureOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code <= LAST_C0) return String.fromCodePoint(FIRST_PICTURE + code);
  if (code === DELETE) return DELETE_PICTURE;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function cut(text: string): string {
  if (text.length <= MAX_PREVIEW_CHARS) return text;
  // Half a pair is no character.
  return `${text.slice(0, MAX_PREVIEW_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
