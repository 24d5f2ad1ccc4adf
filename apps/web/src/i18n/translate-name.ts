/** What the catalogue says for a name that comes from the server; the name as it came where it has no word for it. Pure. */
import { own } from "@atrium/wire";
export function translateName(
  words: Readonly<Record<string, string>>,
  name: string,
  asItCame: string = name,
): string {
  return own(words, name) ?? asItCame;
}
