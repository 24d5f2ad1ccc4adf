/**
 * What people type, made fit to be shown: without control characters and marks that turn the reading
 * direction round, which serve to make text look like something else. Markup is left as it is: it is text,
 * and whoever shows it shows it as text.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\r\n", "\n").replaceAll(UNSEEN, "").trim();
}

const MAX_TITLE_CHARS = 120;

/** The first line, cut where it gets long. */
export function titleOf(text: string): string {
  const [line = ""] = text.split("\n");
  if (line.length <= MAX_TITLE_CHARS) return line;
  // Half a pair is no character.
  return `${line.slice(0, MAX_TITLE_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
