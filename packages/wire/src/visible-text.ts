/**
 * Text that someone has to judge, with nothing in it that cannot be seen: marks that turn the reading direction,
 * control characters, characters without width, and spaces that only look like spaces are written out, as in ‹U+202E›.
 *
 * For showing only. What is compared and carried out is always the text itself.
 */

// Line feeds, tabs and plain spaces are seen for what they are. An emoji may say that it is to be drawn in color.
const UNSEEN =
  /(?<!\p{Extended_Pictographic})\uFE0F|(?!\uFE0F)(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function visibleText(text: string): string {
  return text.replaceAll(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}
