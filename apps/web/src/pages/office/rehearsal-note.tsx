import type { ReactNode } from "react";
import { useShown, useWords } from "../../shell/house.ts";

/** Plainly said for as long as nobody here is a model. */
export function RehearsalNote(): ReactNode {
  const words = useWords();
  const isRehearsal = useShown(({ snapshot }) => {
    const crew = snapshot?.agents.filter(({ is_visitor }) => is_visitor !== true) ?? [];
    return crew.length > 0 && crew.every(({ runtime }) => runtime === "rehearsal");
  });
  return isRehearsal ? <p className="rehearsal-note">{words.rehearsalNote}</p> : null;
}
