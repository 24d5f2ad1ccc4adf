/** Which answers a decision takes: one of its options, unless own words are welcome or there are none. */
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { DecisionRequest } from "./model/entities.ts";

/** The option as it was offered, however it was typed. */
export function fittingChoice(
  { options, allowsOther }: Pick<DecisionRequest, "options" | "allowsOther">,
  choice: string,
): Outcome<string> {
  const label = choice.trim();
  const option = options.find((each) => each.trim().toLowerCase() === label.toLowerCase());
  if (option !== undefined) return accept(option);
  if (options.length === 0 || allowsOther === true) return accept(label);
  const offered = options.map((each) => JSON.stringify(each)).join(", ");
  return refuse("question.misanswered", `it takes one of ${offered}`);
}
