/**
 * What the front desk says about a project, in the page's language. The server writes these sentences in English, because
 * other peers read them too; whatever else is said there is shown as it came. Pure.
 */
import type { Texts } from "../../../i18n/texts.ts";

type Sentence = keyof Texts["deskSays"];

const SENTENCES: readonly (readonly [Sentence, RegExp])[] = [
  ["planned", /^I split “(.+?)” into (\d+) tasks?\.(.*) Should I assign them\?$/s],
  ["reviewed", /^“(.+?)” is ready for review: (.+)\.$/s],
  ["unplanned", /^I could not plan “(.+?)”: (.+)$/s],
  ["completed", /^“(.+?)” is complete: (\d+) of (\d+) tasks are approved\. Its trophy is on/s],
  ["failed", /^“(.+?)” failed: (.+)$/s],
];

export function deskTextOf(text: string, { deskSays }: Texts): string {
  for (const [name, pattern] of SENTENCES) {
    const [, first, second = "", third = ""] = pattern.exec(text) ?? [];
    if (first !== undefined) return deskSays[name](first, second, third);
  }
  return text;
}
