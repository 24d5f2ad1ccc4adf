/**
 * Who answers for an agent: of a joined session its model and whose it is, for the program is in its name; of the crew its
 * runtime and model. Pure.
 */
import type { WorldAgent } from "@atrium/wire/world";

type Signed = Pick<WorldAgent, "joined" | "runtime" | "model" | "is_rehearsal" | "is_visitor">;

/** Empty where there is nothing to say; whoever rehearses is told apart elsewhere. */
export function signatureOf({
  joined,
  runtime,
  model,
  is_rehearsal: isRehearsal,
  is_visitor: isVisitor,
}: Signed): string {
  const isOfCrew = isRehearsal !== true && isVisitor !== true;
  const ofCrew = isOfCrew ? [runtime, model] : [];
  const parts = joined === undefined ? ofCrew : [joined.model, joined.owner];
  return parts.filter((part) => part !== undefined).join(" · ");
}
