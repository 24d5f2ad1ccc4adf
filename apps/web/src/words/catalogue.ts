/**
 * Every word the client says, once per language. A message is a text, or a function of what it speaks about; the
 * compiler sees to it that no language lacks one.
 */
import { officeWords as englishOffice } from "./english/office.ts";
import { shellWords as englishShell } from "./english/shell.ts";
import { officeWords as germanOffice } from "./german/office.ts";
import { shellWords as germanShell } from "./german/shell.ts";

const english = { ...englishShell, ...englishOffice };
export type Words = typeof english;
const german: Words = { ...germanShell, ...germanOffice };

export function catalogueOf(language: "en" | "de"): Words {
  return language === "de" ? german : english;
}
