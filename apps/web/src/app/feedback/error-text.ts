/** Why not, in words for people: ids and places in messages are for programs. Pure. */
import { own } from "@atrium/wire";
import type { Texts } from "../../i18n/texts.ts";
import type { RefusedAct } from "../../world/world.ts";

export function errorText({ code, reason = "" }: RefusedAct, words: Texts): string {
  const reasons: Readonly<Record<string, string>> = words.refusalReasons;
  return own(reasons, reason) ?? words.refusals[code];
}

/** What was thrown, in its own words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
