import type { ReactNode } from "react";
import { useHouse, useWords } from "../../../app/app.ts";

/** Asks for what happened, and what was said, before what is known. */
export function EarlierButton(): ReactNode {
  const words = useWords();
  const { world } = useHouse();
  return (
    <button
      type="button"
      className="button is-small is-quiet"
      onClick={() => void world.loadEarlier()}
    >
      {words.timelineEarlier}
    </button>
  );
}
