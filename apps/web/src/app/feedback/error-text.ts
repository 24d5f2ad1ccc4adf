/** Why not, in words for people: ids and places in messages are for programs. Pure. */
import { own } from "@atrium/wire";
import type { Words } from "../../i18n/texts.ts";
import type { RefusedAct } from "../../world/world.ts";

export function whyNot({ code, reason = "" }: RefusedAct, words: Words): string {
  const reasons: Readonly<Record<string, string>> = words.refusalReasons;
  return own(reasons, reason) ?? words.refusals[code];
}
