/**
 * Text from elsewhere, made safe to show: an agent, a file name or a label must not move the cursor,
 * recolor the screen or set the window's title. Line breaks and tabs stay.
 */

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function plainText(text: string): string {
  return text.replaceAll(CONTROLS, "");
}

/** The same on one line, and no longer than that. */
export function plainLine(text: string, maxLength: number): string {
  const line = plainText(text).replaceAll(/\s+/g, " ").trim();
  const letters = Array.from(line);
  return letters.length <= maxLength ? line : `${letters.slice(0, maxLength - 1).join("")}…`;
}
