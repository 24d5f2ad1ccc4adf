/**
 * What a tool was called with, as the log keeps it: 64 KB. Long texts in it are cut to their beginning, so that the rest,
 * a path for example, can still be read; what an agent writes is in its files.
 */
const MAX_BYTES = 64 * 1024;
const MAX_TEXT_CHARS = 8_000;

export function cutInput(input: unknown): unknown {
  if (bytesOf(input) <= MAX_BYTES) return input;
  const cut = cutTexts(input);
  return bytesOf(cut) <= MAX_BYTES ? cut : { beginning: cutText(JSON.stringify(cut)) };
}

function cutTexts(value: unknown): unknown {
  if (typeof value === "string") return cutText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cutTexts);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutTexts(each)]));
}

function cutText(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  const kept = text.slice(0, MAX_TEXT_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}… ${text.length - kept.length} characters left out`;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
