/** When a server wants to be asked again: `retry-after-ms`, else `retry-after` in seconds or as a date. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  const precise = numberIn(headers["retry-after-ms"]);
  if (precise !== undefined) return precise;
  const written = headers["retry-after"];
  const inSeconds = numberIn(written);
  if (inSeconds !== undefined) return inSeconds * 1_000;
  const date = Date.parse(written ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** How long to wait before trying again, or undefined when nobody would wait that long. */
export function waitBeforeRetry(retry: number, afterMs: number | undefined): number | undefined {
  if (afterMs === undefined) return Math.min(FIRST_WAIT_MS * 2 ** (retry - 1), MAX_WAIT_MS);
  return afterMs > MAX_WAIT_MS ? undefined : afterMs;
}
