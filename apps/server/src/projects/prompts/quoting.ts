/** What people, agents and files said, marked as such: nothing in it can be taken for what we say. */

/** Also those that only some programs take for the end of a line. */
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
// oxlint-disable-next-line no-control-regex -- they are what is taken out
const UNSEEN = /[\u0000-\u0008\u000E-\u001F\u007F\p{Bidi_Control}]/gu;
const MAX_LINE_CHARS = 200;

export function quoted(text: string, maxChars: number): string {
  const clean = text.replaceAll(LINE_END, "\n").replaceAll(UNSEEN, "").trim();
  return clean === "" ? "" : cutText(clean, maxChars).replaceAll(/^/gm, "> ");
}

/** For a title or a name among our own words. */
export function oneLine(text: string, maxChars = MAX_LINE_CHARS): string {
  const line = text.replaceAll(UNSEEN, "").replaceAll(/\s+/g, " ").trim();
  return line.length <= maxChars ? line : `${wholePairs(line.slice(0, maxChars))}…`;
}

function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = wholePairs(text.slice(0, maxChars));
  return `${kept}\n… ${text.length - kept.length} characters left out`;
}

/** The end of something whose end matters: what a command put out. */
export function cutStart(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(-maxChars).replace(/^[\uDC00-\uDFFF]/, "");
  return `… ${text.length - kept.length} characters left out\n${kept}`;
}

function wholePairs(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
