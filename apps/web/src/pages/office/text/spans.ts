/** How long something took or waits, in one word. Pure. */
import type { Texts } from "../../../i18n/texts.ts";

export function spanOf(ms: number, words: Texts): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return words.seconds(seconds);
  if (seconds < 3600) return words.minutes(Math.floor(seconds / 60));
  if (seconds < 86_400) return words.hours(Math.floor(seconds / 3600));
  return words.days(Math.floor(seconds / 86_400));
}
