const FIRST_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** How long to wait before the next try: 1 s, 2 s, 4 s and so on, at most 30 s. */
export function delayAfter(failures: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_MS * 2 ** Math.min(failures, 10));
}
