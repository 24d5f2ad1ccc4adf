/**
 * A text that an agent wants to have carried out, cut into parts: signs that would not be seen are named and can be told
 * from the rest, and what deserves a second look is marked. None of the text is left out. Pure.
 *
 * Marks help a reader; that nothing is marked does not mean that nothing is wrong.
 */
import { visibleText } from "@atrium/wire";
import { riskyRanges, type Risk } from "./risks.ts";

export interface TextPart {
  readonly text: string;
  readonly risk: Risk | undefined;
  /** It stands for a sign that would not be seen. */
  readonly isSign: boolean;
}

const NAMED_SIGN = /‹U\+[0-9A-F]{4,6}›/g;

export function visibleParts(given: string): readonly TextPart[] {
  const text = visibleText(given);
  const parts: TextPart[] = [];
  let from = 0;
  for (const { start, end, risk } of riskyRanges(text)) {
    addParts(parts, text.slice(from, start), undefined);
    addParts(parts, text.slice(start, end), risk);
    from = end;
  }
  addParts(parts, text.slice(from), undefined);
  return parts;
}

function addParts(parts: TextPart[], text: string, risk: Risk | undefined): void {
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(NAMED_SIGN)) {
    if (index > from) parts.push({ text: text.slice(from, index), risk, isSign: false });
    parts.push({ text: sign, risk, isSign: true });
    from = index + sign.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), risk, isSign: false });
}
